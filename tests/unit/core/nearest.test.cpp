// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Suggestions for misspelt names.
#include <gtest/gtest.h>

#include <array>

#include "halocline/core/nearest.hpp"

namespace halocline {

namespace {

using namespace std::string_view_literals;

TEST(EditDistance, CountsEachKindOfSlipOnce) {
    EXPECT_EQ(edit_distance("", ""), 0U);
    EXPECT_EQ(edit_distance("", "abc"), 3U);
    EXPECT_EQ(edit_distance("cycles", "cycles"), 0U);
    EXPECT_EQ(edit_distance("cycle", "cycles"), 1U);    // insertion
    EXPECT_EQ(edit_distance("cycless", "cycles"), 1U);  // deletion
    EXPECT_EQ(edit_distance("cyckes", "cycles"), 1U);   // replacement
    EXPECT_EQ(edit_distance("cycels", "cycles"), 1U);   // neighbours swapped
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(EditDistance, TakesCaseAndDashesAsEqual) {
    EXPECT_EQ(edit_distance("Output-Variables", "output_variables"), 0U);
}

constexpr std::array names{"--num-cycles"sv, "--partitioner"sv, "--partitioner-method"sv, "-g"sv};

TEST(NearestName, FindsTheMeantOne) {
    EXPECT_EQ(nearest_name("--num-cylces", names), "--num-cycles");
    EXPECT_EQ(nearest_name("--partitoner", names), "--partitioner");
    EXPECT_EQ(nearest_name("--partition-method", names), "--partitioner-method");
}

TEST(NearestName, StaysSilentWhenNothingIsClose) {
    EXPECT_EQ(nearest_name("--frobnicate", names), "");
    EXPECT_EQ(nearest_name("", names), "");
    EXPECT_EQ(nearest_name("x", {}), "");
}

TEST(NearestName, DoesNotTurnAShortNameIntoAnother) {
    // Everything is within two slips of "-g"; that is not evidence.
    EXPECT_EQ(nearest_name("-z9", names), "");
}

TEST(NearestName, IgnoresWordsTooLongToBeNames) {
    EXPECT_EQ(nearest_name(std::string(10000, 'a'), names), "");
}

TEST(SuggestName, AsksOrLists) {
    constexpr std::array two{"serial"sv, "openmp"sv};
    EXPECT_EQ(suggest_name("opnemp", two), "Did you mean 'openmp'?");
    EXPECT_EQ(suggest_name("gpu", two), "Known: serial, openmp.");
}

}  // namespace

}  // namespace halocline
