// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Setting files, and the suggestions for misspelt names.
#include "halocline/io/config_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>

#include "halocline/core/error.hpp"
#include "halocline/core/nearest.hpp"

namespace halocline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

std::vector<ConfigSetting> parse(const std::string& text) {
    return parse_config(text, "run.conf", mgcfd_config_keys());
}

std::string input_error(const std::function<void()>& work) {
    try {
        work();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(ConfigFile, Settings_KeepOrderLineAndValue) {
    const auto settings =
        parse("# a run\r\n\r\ninput_file = a = b.dat\r\ncycles=7\noutput_file_prefix =\n");
    ASSERT_THAT(settings, SizeIs(3));
    EXPECT_EQ(settings[0].key, "input_file");
    EXPECT_EQ(settings[0].value, "a = b.dat");
    EXPECT_EQ(settings[0].line, 3);
    EXPECT_EQ(config_integer(settings[1], 1), 7);
    EXPECT_EQ(settings[2].value, "");
}

TEST(ConfigFile, UnknownKey_SuggestsTheNearest) {
    EXPECT_THAT(input_error([] { parse("cycles = 3\noutput-variables = Y\n"); }),
                AllOf(StartsWith("run.conf:2:"), HasSubstr("'output-variables'"),
                      HasSubstr("Did you mean 'output_variables'?")));
}

TEST(ConfigFile, RepeatedKey_NamesBothLines) {
    EXPECT_THAT(input_error([] { parse("cycles = 3\n\ncycles = 4\n"); }),
                AllOf(StartsWith("run.conf:3:"), HasSubstr("line 1")));
}

TEST(ConfigFile, LineWithoutEquals_IsRefused) {
    EXPECT_THAT(input_error([] { parse("renumber\n"); }),
                AllOf(StartsWith("run.conf:1:"), HasSubstr("'renumber'")));
}

TEST(ConfigFile, ControlCharacters_DoNotReachTheTerminal) {
    EXPECT_THAT(input_error([] { parse("\x1b[31m = 3\n"); }), HasSubstr("'?[31m'"));
}

TEST(ConfigFile, Flags_AreYOrN) {
    EXPECT_TRUE(config_flag({"renumber", "Y", "f", 1}));
    EXPECT_FALSE(config_flag({"renumber", "N", "f", 1}));
    EXPECT_THAT(input_error([] {
                    (void)config_flag({"renumber", "yes", "f", 4});
                }),
                AllOf(StartsWith("f:4:"), HasSubstr("'yes'"), HasSubstr("Y or N")));
}

TEST(ConfigFile, Integers_HaveALeastValue) {
    EXPECT_THAT(input_error([] {
                    (void)config_integer({"cycles", "0", "f", 2}, 1);
                }),
                AllOf(StartsWith("f:2:"), HasSubstr("at least 1")));
    EXPECT_THAT(input_error([] {
                    (void)config_integer({"cycles", "ten", "f", 2}, 1);
                }),
                HasSubstr("'ten'"));
}

// kitten to sitting: two replacements and one insertion; form to from: one swap.
TEST(Nearest, EditDistance_CountsByHand) {
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
    EXPECT_EQ(edit_distance("form", "from"), 1U);
    EXPECT_EQ(edit_distance("", "abc"), 3U);
    EXPECT_EQ(edit_distance("Num-Levels", "num_levels"), 0U);
}

TEST(Nearest, NothingClose_ListsTheKnown) {
    constexpr std::array<std::string_view, 2> names{"alpha", "beta"};
    EXPECT_EQ(nearest_name("alhpa", names), "alpha");
    EXPECT_EQ(nearest_name("zzzzzz", names), "");
    EXPECT_EQ(suggest_name("zzzzzz", names), "Known: alpha, beta.");
    EXPECT_EQ(nearest_name(std::string(1000, 'a'), names), "");
}

}  // namespace
}  // namespace halocline
