// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// When the thread level is raised, by made-up runs; and what is remembered of a case.
#include "collectives/advice.hpp"

#include "collectives/memory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

namespace halocline::endpoints {
namespace {

constexpr std::int64_t million = 1'000'000;

TEST(Advice, TriesWhereLongCallsTakeTheirShareAndLocksAreCheap) {
    EXPECT_EQ(after_watching({.elapsed = 100.0, .long_seconds = 5.0, .calls = 3 * million}),
              Plan::attempt);
}

// 0.5 us a call: 3 million calls cost at most 1.5 s.
TEST(Advice, NeverRaisesWhereLocksCouldCostMoreThanTheyMay) {
    EXPECT_EQ(after_watching({.elapsed = 100.0, .long_seconds = 90.0, .calls = 3 * million + 1}),
              Plan::watch);
    EXPECT_DOUBLE_EQ(cost_of_locks(3 * million), 1.5);
}

// 6 % of the time of calls between: 25 s of them cost 1.5 s.
TEST(Advice, CountsWhatLocksTakeInCallsBetween) {
    EXPECT_DOUBLE_EQ(cost_of_locks(0, 25.0), 1.5);
    Watched run{.elapsed = 100.0, .long_seconds = 50.0, .middle_seconds = 24.9};
    EXPECT_EQ(after_watching(run), Plan::attempt);
    run.middle_seconds = 25.1;
    EXPECT_EQ(after_watching(run), Plan::watch);
}

TEST(Advice, LeavesShortCallsAlone) {
    EXPECT_EQ(after_watching({.elapsed = 100.0, .long_seconds = 4.9, .calls = 1000}), Plan::watch);
    EXPECT_EQ(after_watching({.elapsed = 0.01, .long_seconds = 0.0, .calls = 0}), Plan::watch);
}

TEST(Advice, KeepsSplittingOnlyAboveAllCosts) {
    const Raised run{.elapsed = 100.0, .gained = 2.0, .cost = 0.9, .calls = 2 * million};
    EXPECT_EQ(after_raising(run), Plan::split);
    EXPECT_EQ(after_raising({100.0, 1.9, 0.9, 2 * million}), Plan::plain);
    EXPECT_EQ(after_raising({100.0, 0.0, 0.0, 0}), Plan::plain);
}

/// An environment of this test alone.
struct Environment {
    std::map<std::string, std::string> variables;
    [[nodiscard]] Lookup lookup() const {
        return [this](const char* name) {
            const auto found = variables.find(name);
            return found != variables.end() ? found->second.c_str() : nullptr;
        };
    }
};

const ProcessFacts facts{"/usr/bin/app", "10 20", "app case.in", "/home/me/a", "a processor", 8, 2,
                         "MPI 1"};

TEST(Case, DiffersByAllThatCouldChangeTheAnswer) {
    const Environment two{{{"OMPI_COMM_WORLD_SIZE", "2"}}};
    const std::string usual = case_of({}, facts, two.lookup()).text;
    EXPECT_FALSE(usual.empty());
    ProcessFacts other = facts;
    other.arguments = "app other.in";
    EXPECT_NE(case_of({}, other, two.lookup()).text, usual);
    other = facts;
    other.folder = "/home/me/b";
    EXPECT_NE(case_of({}, other, two.lookup()).text, usual);
    other = facts;
    other.stamp = "10 21";
    EXPECT_NE(case_of({}, other, two.lookup()).text, usual);
    other = facts;
    other.own_cpus = 1;
    EXPECT_NE(case_of({}, other, two.lookup()).text, usual);
    const Environment three{{{"OMPI_COMM_WORLD_SIZE", "3"}}};
    EXPECT_NE(case_of({}, facts, three.lookup()).text, usual);
    Settings settings;
    settings.threads = 4;
    EXPECT_NE(case_of(settings, facts, two.lookup()).text, usual);
}

TEST(Case, NamedByTheUserIgnoresArgumentsAndFolder) {
    const Environment two{{{"PMI_SIZE", "2"}}};
    Settings named;
    named.run_case = "silicon";
    ProcessFacts other = facts;
    other.arguments = "app other.in";
    other.folder = "/home/me/b";
    EXPECT_EQ(case_of(named, other, two.lookup()).text, case_of(named, facts, two.lookup()).text);
}

TEST(Case, IsNoneWithoutTheNumberOfRanks) {
    EXPECT_TRUE(case_of({}, facts, Environment{}.lookup()).text.empty());
}

TEST(Memory, LiesWhereTheUserSays) {
    const Environment home{{{"HOME", "/home/me"}}};
    const Environment cache{{{"HOME", "/home/me"}, {"XDG_CACHE_HOME", "/var/me"}}};
    EXPECT_EQ(memory_folder({}, home.lookup()), "/home/me/.cache/halocline/endpoints");
    EXPECT_EQ(memory_folder({}, cache.lookup()), "/var/me/halocline/endpoints");
    EXPECT_EQ(memory_folder({}, Environment{}.lookup()), "");
    Settings settings;
    settings.memory = "/scratch/memory";
    EXPECT_EQ(memory_folder(settings, home.lookup()), "/scratch/memory");
    settings.memory = "none";
    EXPECT_EQ(memory_folder(settings, home.lookup()), "");
}

class MemoryFile : public testing::Test {
protected:
    ~MemoryFile() override { std::filesystem::remove_all(folder_); }
    std::string folder_ = testing::TempDir() + "/memory-" + std::to_string(getpid()) + "/deep";
};

TEST_F(MemoryFile, KeepsThePlanOfACase) {
    const Memory memory(folder_, {"program a\nranks 2\n"});
    EXPECT_TRUE(memory.works());
    EXPECT_EQ(memory.read(), std::nullopt);
    for (const Plan plan : {Plan::watch, Plan::attempt, Plan::split, Plan::plain}) {
        EXPECT_TRUE(memory.write(plan, "because"));
        EXPECT_EQ(memory.read(), plan);
    }
    EXPECT_EQ(Memory(folder_, {"program b\nranks 2\n"}).read(), std::nullopt);
}

TEST_F(MemoryFile, OfAnotherCaseOrDamagedIsNone) {
    const Memory memory(folder_, {"program a\n"});
    ASSERT_TRUE(memory.write(Plan::split, "because"));
    std::ofstream(memory.file()) << "halocline endpoints memory 1\nprogram other\nplan split\n";
    EXPECT_EQ(memory.read(), std::nullopt);
    std::ofstream(memory.file()) << "halocline";
    EXPECT_EQ(memory.read(), std::nullopt);
}

TEST_F(MemoryFile, ThatCannotBeWrittenIsSurvived) {
    const Memory memory("/proc/nowhere", {"program a\n"});
    EXPECT_FALSE(memory.write(Plan::split, "because"));
    EXPECT_FALSE(Memory("", {"program a\n"}).write(Plan::split, "because"));
    EXPECT_FALSE(Memory(folder_, {}).works());
}

}  // namespace
}  // namespace halocline::endpoints
