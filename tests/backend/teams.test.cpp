// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// OpenMP may give fewer threads than a loop asks for, at any time: every element is computed all the same.
#include <gtest/gtest.h>
#include <omp.h>

#include <functional>
#include <optional>

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

    LoopWorld make_world() const { return {comm, tables(), {Backend::openmp, asked, "block"}}; }

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

}  // namespace

}  // namespace halocline::test
