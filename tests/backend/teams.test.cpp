// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// OpenMP may give fewer threads than a loop asks for, at any time: every element is computed all the same.
#include <gtest/gtest.h>
#include <omp.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "halocline/backend/openmp/block_runs.hpp"
#include "support/bits.hpp"
#include "support/loop_shapes.hpp"

namespace halocline::test {

namespace {

constexpr int asked = 3;

/// Threads share blocks only above 64 blocks each.
const WorldTables& tables() {
    static const WorldTables made({2100, 4300, 1700, 1650, 1700, 1600}, 5);
    return made;
}

/// Large enough for parts of several pieces, with which threads help each other.
const WorldTables& large_tables() {
    static const WorldTables made({26000, 52000, 26000, 26000, 26000, 26000}, 5);
    return made;
}

int team_size() {
    int size = 0;
#pragma omp parallel num_threads(asked)
#pragma omp master
    size = omp_get_num_threads();
    return size;
}

/// For a while every region is one thread: the nesting allowed is used up.
class NoThreads {
public:
    NoThreads() : before_(omp_get_max_active_levels()) { omp_set_max_active_levels(0); }
    ~NoThreads() { omp_set_max_active_levels(before_); }
    NoThreads(const NoThreads&) = delete;
    NoThreads& operator=(const NoThreads&) = delete;

private:
    int before_;
};

class Teams : public ::testing::Test {
protected:
    Communicator comm{MPI_COMM_WORLD};

    LoopWorld make_world(const WorldTables& of = tables()) const {
        return {comm, of, {Backend::openmp, asked, "block"}};
    }

    /// Runs every shape within `surroundings`.
    void expect_right_bits(
        const std::function<void(const std::function<void()>&)>& surroundings) const {
        for (const LoopShape& shape : all_shapes()) {
            SCOPED_TRACE(shape.name);
            LoopWorld world = make_world();
            std::vector<double> results;
            surroundings([&] { results = shape.run(world); });
            EXPECT_TRUE(same_numbers(results, shape.expected(tables())));
        }
    }
};

/// With whatever the environment allows: ctest runs this program under limits, too.
TEST_F(Teams, OfAnySizeComputeAllElements) {
    expect_right_bits([](const auto& run) { run(); });
}

TEST_F(Teams, OfOneThreadComputeAllElements) {
    const NoThreads limit;
    ASSERT_EQ(team_size(), 1);
    expect_right_bits([](const auto& run) { run(); });
}

/// The same world again and again, with all threads and with one.
TEST_F(Teams, ThatShrinkAndGrowInMidRunComputeAllElements) {
    for (const LoopShape& shape : all_shapes()) {
        SCOPED_TRACE(shape.name);
        LoopWorld world = make_world();
        for (const bool shrinks : {false, true, false}) {
            std::optional<NoThreads> limit;
            if (shrinks) {
                limit.emplace();
            }
            EXPECT_TRUE(same_numbers(shape.run(world), shape.expected(tables()))) << shrinks;
        }
    }
}

TEST_F(Teams, WithinARegionOfTheCallerComputeAllElements) {
    expect_right_bits([](const auto& run) {
#pragma omp parallel num_threads(2)
#pragma omp master
        run();
    });
}

TEST_F(Teams, ThatHelpEachOtherComputeAllElements) {
    for (const LoopShape& shape : all_shapes()) {
        SCOPED_TRACE(shape.name);
        LoopWorld world = make_world(large_tables());
        EXPECT_TRUE(same_numbers(shape.run(world), shape.expected(large_tables())));
    }
}

/// The first thread to come is late: it goes on when others have run all but its first piece, which they
/// only do if they take over its part.
TEST_F(Teams, HelpAThreadThatIsLate) {
    if (team_size() == 1) {
        GTEST_SKIP() << "OpenMP gives one thread only";
    }
    LoopWorld world = make_world(large_tables());
    const SetPart& nodes = *world.nodes().part;
    const LocalIndex blocks = (nodes.owned + simd_lanes - 1) / simd_lanes;
    std::vector<std::atomic<int>> runs(static_cast<std::size_t>(blocks));
    std::atomic<LocalIndex> done = 0;
    std::atomic<bool> is_late = false;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    detail::run_overlapped(world.context(), nodes, nodes.owned, 1, {},
                           [&](const detail::BlockRun& run) {
                               if (!is_late.exchange(true)) {
                                   while (done < blocks - (run.end - run.begin) &&
                                          std::chrono::steady_clock::now() < deadline) {
                                       std::this_thread::yield();
                                   }
                                   EXPECT_EQ(done, blocks - (run.end - run.begin));
                               }
                               for (LocalIndex b = run.begin; b < run.end; ++b) {
                                   ++runs[static_cast<std::size_t>(b)];
                               }
                               done += run.end - run.begin;
                           });
    EXPECT_TRUE(is_late);
    for (LocalIndex b = 0; b < blocks; ++b) {
        ASSERT_EQ(runs[static_cast<std::size_t>(b)], 1) << "block " << b;
    }
}

}  // namespace

}  // namespace halocline::test
