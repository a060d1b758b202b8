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
#include "halocline/backend/openmp/chunk_runs.hpp"
#include "halocline/backend/par_loop.hpp"
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

    LoopWorld make_world(const WorldTables& of = tables(),
                         SharedTargets shared_targets = SharedTargets::automatic) const {
        return {comm,
                of,
                {.backend = Backend::openmp, .threads = asked, .shared_targets = shared_targets}};
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

/// Whether chunks lie in order or all targets are everybody's.
TEST_F(Teams, ThatScatterComputeAllElements) {
    const WorldTables in_a_row = in_order(large_tables());
    for (const WorldTables* of : {&large_tables(), &in_a_row}) {
        for (const LoopShape& shape : all_shapes()) {
            SCOPED_TRACE(shape.name);
            LoopWorld world = make_world(*of, SharedTargets::scatter);
            EXPECT_TRUE(same_numbers(shape.run(world), shape.expected(*of)));
        }
    }
}

/// Adds along edges, and sleeps on one thread, so that others take over its chunks.
struct AddSlowly {
    int late;  ///< number of that thread
    template <class V>
    void operator()(const Values<V, 3>& a, const Values<V, 3>& b, Values<V, 3>& sum_a,
                    Values<V, 3>& sum_b) const {
        if (omp_get_thread_num() == late && (seen_++ & 255) == 0) {
            std::this_thread::sleep_for(std::chrono::microseconds(20));
        }
        for (int d = 0; d < 3; ++d) {
            sum_a[d] += b[d] * V(0.3);
            sum_b[d] += a[d] * V(0.7);
        }
    }
    static thread_local int seen_;
};
thread_local int AddSlowly::seen_ = 0;

TEST_F(Teams, KeepTheOrderOfTargetsThatAnotherThreadAddsTo) {
    const WorldTables in_a_row = in_order(large_tables());
    const auto sums = [&](const WorldTables& of, Backend backend, SharedTargets shared, int late) {
        LoopWorld world(comm, of, {.backend = backend, .threads = asked, .shared_targets = shared});
        const auto x = world.dat<3>(world.nodes(), "x", field_x);
        auto sum = world.dat<3>(world.nodes(), "sum", [](GlobalIndex, int) { return 0.0; });
        const auto ends = world.edge_nodes();
        for (int call = 0; call < 3; ++call) {
            par_loop(world.context(), "add", world.edges(), AddSlowly{late}, read<0>(x, ends),
                     read<1>(x, ends), inc<0>(sum, ends), inc<1>(sum, ends));
        }
        return world.collect(sum);
    };
    for (const WorldTables* of : {&large_tables(), &in_a_row}) {
        const std::vector<double> wanted =
            sums(*of, Backend::serial, SharedTargets::automatic, asked);
        for (int late = 0; late < asked; ++late) {
            EXPECT_TRUE(
                same_numbers(sums(*of, Backend::openmp, SharedTargets::scatter, late), wanted))
                << late;
        }
    }
}

/// The second thread is late with its first chunk: others run all the rest of its part, from its end on, and
/// what they share with a chunk that is not done is kept and added afterwards.
TEST_F(Teams, TakeOverTheChunksOfAThreadThatIsLate) {
    if (team_size() == 1) {
        GTEST_SKIP() << "OpenMP gives one thread only";
    }
    const WorldTables in_a_row = in_order(large_tables());
    LoopWorld world = make_world(in_a_row);
    const MapPart* ends = world.edge_nodes().part;
    const ScatterPlan plan = build_scatter_plan(*world.edges().part, *world.nodes().part,
                                                {{ends, 0}, {ends, 1}}, {}, asked);
    const LocalIndex chunks = plan.chunks();
    const LocalIndex late = chunks / asked;
    ASSERT_GT(late, 1);
    std::vector<std::atomic<int>> runs(static_cast<std::size_t>(chunks));
    std::vector<std::atomic<int>> kept(static_cast<std::size_t>(chunks));
    std::vector<std::atomic<bool>> was_beside(static_cast<std::size_t>(chunks));
    std::atomic<LocalIndex> done = 0;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    const auto change = [&](const detail::ChunkRun& run) {
        const auto chunk = static_cast<std::size_t>(run.chunk);
        if (run.chunk == late) {
            while (done < chunks - 1 && std::chrono::steady_clock::now() < deadline) {
                std::this_thread::yield();
            }
            EXPECT_EQ(done, chunks - 1);
        }
        EXPECT_EQ(run.near.begin != nullptr, run.is_beside);
        EXPECT_EQ(run.far.begin, run.far.end);
        if (run.is_beside) {
            *run.near.end++ = run.chunk;
        }
        was_beside[chunk] = run.is_beside;
        ++runs[chunk];
        ++done;
    };
    const auto add_kept = [&](const detail::KeptRows& rows) {
        EXPECT_EQ(done, chunks);
        for (const double* row = rows.begin; row < rows.end; ++row) {
            ++kept[static_cast<std::size_t>(*row)];
        }
    };
    detail::run_chunks(world.context(), plan, {}, {6, change, add_kept});
    for (LocalIndex chunk = 0; chunk < chunks; ++chunk) {
        const auto c = static_cast<std::size_t>(chunk);
        ASSERT_EQ(runs[c], 1) << chunk;
        ASSERT_EQ(kept[c], was_beside[c] ? 1 : 0) << chunk;
    }
    EXPECT_FALSE(was_beside.front());
    EXPECT_TRUE(was_beside[static_cast<std::size_t>(late)]);
    EXPECT_TRUE(was_beside[static_cast<std::size_t>(late) + 1]);
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
