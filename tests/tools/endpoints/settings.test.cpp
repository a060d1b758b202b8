// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Settings from an environment that the test makes up.
#include "collectives/settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace halocline::endpoints {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

SettingsReading read(const std::map<std::string, std::string>& variables) {
    std::vector<std::string> names;
    for (const auto& [name, value] : variables) {
        names.push_back(name);
    }
    return read_settings(
        [&](const char* name) {
            const auto found = variables.find(name);
            return found == variables.end() ? nullptr : found->second.c_str();
        },
        names);
}

TEST(Settings, HaveTheDefaultsOfTheDocumentation) {
    const auto [settings, complaints] = read({});
    EXPECT_TRUE(settings.enabled);
    EXPECT_EQ(settings.threads, 0);
    EXPECT_EQ(settings.allreduce_threshold, 1000);
    EXPECT_EQ(settings.bcast_threshold, 1000);
    EXPECT_TRUE(settings.calibrate);
    EXPECT_FALSE(settings.verify);
    EXPECT_THAT(complaints, IsEmpty());
}

TEST(Settings, NameTheThreadLevelTheMemoryAndTheCase) {
    const auto usual = read({}).settings;
    EXPECT_EQ(usual.thread_level, ThreadLevel::remembered);
    EXPECT_EQ(usual.memory + usual.run_case, "");
    EXPECT_EQ(read({{"MEP_THREAD_LEVEL", "own"}}).settings.thread_level, ThreadLevel::own);
    const auto [settings, complaints] = read(
        {{"MEP_THREAD_LEVEL", "multiple"}, {"MEP_MEMORY", "/scratch"}, {"MEP_CASE", "two\nlines"}});
    EXPECT_EQ(settings.thread_level, ThreadLevel::multiple);
    EXPECT_EQ(settings.memory, "/scratch");
    EXPECT_EQ(settings.run_case, "two lines");
    EXPECT_THAT(complaints, IsEmpty());
    EXPECT_THAT(read({{"MEP_THREAD_LEVEL", "high"}}).complaints,
                ElementsAre(HasSubstr("auto, own or multiple")));
}

TEST(Settings, AreReadFromTheEnvironment) {
    const auto settings = read({{"MEP_ENABLE", "0"},
                                {"MEP_NUM_THREADS", "4"},
                                {"MEP_ALLREDUCE_THRESHOLD", "5000000000"},
                                {"MEP_BCAST_THRESHOLD", "7"},
                                {"MEP_CALIBRATE", "0"},
                                {"MEP_BUDGET", "0.25"},
                                {"MEP_REPORT", "/tmp/report.json"}})
                              .settings;
    EXPECT_FALSE(settings.enabled);
    EXPECT_EQ(settings.threads, 4);
    EXPECT_EQ(settings.allreduce_threshold, 5000000000);
    EXPECT_EQ(settings.bcast_threshold, 7);
    EXPECT_FALSE(settings.calibrate);
    EXPECT_DOUBLE_EQ(settings.budget, 0.25);
    EXPECT_EQ(settings.report, "/tmp/report.json");
}

TEST(Settings, SurviveMistakesAndTellThem) {
    const auto [settings, complaints] =
        read({{"MEP_NUM_THREADS", "0"}, {"MEP_ENABLE", "yes"}, {"MEP_BCAST_THRESHOLD", "10k"}});
    EXPECT_EQ(settings.threads, 0);
    EXPECT_TRUE(settings.enabled);
    EXPECT_EQ(settings.bcast_threshold, 1000);
    EXPECT_THAT(complaints, ElementsAre(HasSubstr("MEP_ENABLE=yes"), HasSubstr("from 1 to 64"),
                                        HasSubstr("MEP_BCAST_THRESHOLD=10k")));
}

TEST(Settings, SuggestTheNearestName) {
    EXPECT_THAT(read({{"MEP_NUM_THREAD", "2"}}).complaints,
                ElementsAre(HasSubstr("Did you mean 'MEP_NUM_THREADS'")));
}

}  // namespace
}  // namespace halocline::endpoints
