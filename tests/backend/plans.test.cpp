// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Plans and copies are kept between loops: they must not outlive what they were made from.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "halocline/backend/par_loop.hpp"
#include "halocline/loop/once_plan.hpp"
#include "halocline/loop/scatter_plan.hpp"
#include "support/bits.hpp"
#include "support/loop_shapes.hpp"
#include "support/small_world.hpp"

namespace halocline::test {

namespace {

struct Weigh {
    static constexpr bool swap_symmetric = true;
    template <class V>
    void operator()(const Values<V, 1>& a, const Values<V, 1>& b, const Values<V, 1>& weight,
                    Values<V, 1>& sum_a, Values<V, 1>& sum_b) const {
        const V flow = weight[0] * (a[0] + b[0]);
        sum_a[0] += flow;
        sum_b[0] -= flow;
    }
};

class Plans : public OnEveryBackend {
protected:
    /// Sum over the edges of node 0 with this weight everywhere and x = 1.
    double first_sum(const Dat<Edge, double, 1>& weight) {
        const auto x = world.dat<1>(world.nodes(), "x", [](GlobalIndex, int) { return 1.0; });
        auto sum = world.dat<1>(world.nodes(), "sum", [](GlobalIndex, int) { return 0.0; });
        const auto ends = world.edge_nodes();
        par_loop(context, "weigh", world.edges(), Weigh{}, read<0>(x, ends), read<1>(x, ends),
                 read(oriented(weight)), inc<0>(sum, ends), inc<1>(sum, ends));
        return world.collect(sum).front();
    }
};

/// Node 0 begins edges 0 and 6 and ends edge 5: with weight w its sum is 2 w (1 + 1 - 1).
TEST_P(Plans, ANewDatInTheOldOnesPlaceIsNotTakenForIt) {
    std::optional<Dat<Edge, double, 1>> weight;
    for (const double value : {1.0, 3.0, 5.0}) {
        weight.emplace(
            world.dat<1>(world.edges(), "weight", [&](GlobalIndex, int) { return value; }));
        EXPECT_EQ(first_sum(*weight), 2.0 * value);
    }
}

TEST_P(Plans, AChangedDatIsCopiedAgain) {
    auto weight = world.dat<1>(world.edges(), "weight", [](GlobalIndex, int) { return 1.0; });
    EXPECT_EQ(first_sum(weight), 2.0);
    weight.fill([](LocalIndex, int) { return 4.0; });
    EXPECT_EQ(first_sum(weight), 8.0);
    auto other = world.dat<1>(world.edges(), "other", [](GlobalIndex, int) { return -1.0; });
    swap(weight, other);
    EXPECT_EQ(first_sum(weight), -2.0);
    EXPECT_EQ(first_sum(other), 8.0);
}

/// Only vectorised loops have copies in another order.
TEST_P(Plans, ADatThatOnlyTwoEndedLoopsReadIsThereOnceAndStaysWhatItIs) {
    const auto value = [](GlobalIndex id, int) { return 1.0 + 0.5 * static_cast<double>(id); };
    auto weight = world.dat<1>(world.edges(), "weight", value);
    const std::vector<double> values = world.collect(weight);
    auto again = world.dat<1>(world.edges(), "again", value);
    const double sum = first_sum(again);
    for (int k = 0; k < 40; ++k) {
        ASSERT_EQ(first_sum(weight), sum) << k;
    }
    EXPECT_EQ(weight.handle().values.empty(), GetParam() == Backend::openmp);
    EXPECT_EQ(world.collect(weight), values);
    EXPECT_FALSE(weight.handle().values.empty());
    for (int k = 0; k < 40; ++k) {
        ASSERT_EQ(first_sum(weight), sum) << k;
        first_sum(again);
    }
    weight.fill([](LocalIndex, int) { return 4.0; });
    EXPECT_EQ(first_sum(weight), 8.0);
    swap(weight, again);  // which has no memory on cores
    EXPECT_EQ(first_sum(weight), sum);
    EXPECT_EQ(first_sum(again), 8.0);
    again.fill([](LocalIndex, int) { return 1.0; });
    EXPECT_EQ(first_sum(again), 2.0);
}

/// The same loops on one mesh after another, each at the other's addresses.
TEST_P(Plans, OneMeshAfterAnother) {
    for (int seed = 1; seed < 6; ++seed) {
        const WorldTables tables({40, 90, 30, 20, 25, 7}, seed);
        for (const LoopShape& shape : all_shapes()) {
            LoopWorld fresh(comm, tables, {GetParam(), 2, "block", false});
            EXPECT_TRUE(same_numbers(shape.run(fresh), shape.expected(tables))) << shape.name;
        }
    }
}

struct Count {
    template <class V>
    void operator()(Values<V, 1>& sum) const {
        sum[0] += V(1.0);
    }
};

/// One context for two loops through the same map in different ways: two plans, not one.
TEST_P(Plans, DifferentColumnsHaveDifferentPlans) {
    auto first = world.dat<1>(world.nodes(), "first", [](GlobalIndex, int) { return 0.0; });
    auto second = world.dat<1>(world.nodes(), "second", [](GlobalIndex, int) { return 0.0; });
    par_loop(context, "first", world.edges(), Count{}, inc<0>(first, world.edge_nodes()));
    par_loop(context, "second", world.edges(), Count{}, inc<1>(second, world.edge_nodes()));
    EXPECT_TRUE(same_numbers(world.collect(first), std::vector<double>{2, 1, 1, 1, 1, 1}));
    EXPECT_TRUE(same_numbers(world.collect(second), std::vector<double>{1, 1, 1, 2, 1, 1}));
}

/// Checks that stretches leave nothing of the lists out and that whole ones follow each other in memory
/// from the beginning of a block on; calls `visit(list, stretch, element)` for these and returns how many they are.
template <class Visit>
std::int64_t check_stretches(const ElementLists& elements, LocalIndex ranges, Visit&& visit) {
    std::int64_t next = 0;
    std::int64_t whole = 0;
    for (LocalIndex range = 0; range < ranges; ++range) {
        EXPECT_EQ(elements.begin[static_cast<std::size_t>(range)], next);
        for (const Stretch& stretch : elements.stretches_of(range)) {
            EXPECT_EQ(stretch.begin, next);
            next = stretch.end;
            const LocalIndex first = elements.element[static_cast<std::size_t>(stretch.begin)];
            EXPECT_TRUE(!stretch.is_whole || first % simd_lanes == 0);
            for (std::int64_t k = stretch.begin; stretch.is_whole && k < stretch.end; ++k) {
                const LocalIndex element = elements.element[static_cast<std::size_t>(k)];
                EXPECT_EQ(element - first, k - stretch.begin);
                visit(range, stretch, element);
                ++whole;
            }
        }
    }
    EXPECT_EQ(next, elements.begin[static_cast<std::size_t>(ranges)]);
    return whole;
}

/// Two columns through which edges change nodes, in a world of one rank.
struct Scattered {
    explicit Scattered(const WorldTables& tables, int threads)
        : world(Communicator(MPI_COMM_WORLD), tables, {.backend = Backend::openmp}),
          columns{{world.edge_nodes().part, 0}, {world.edge_nodes().part, 1}},
          plan(build_scatter_plan(*world.edges().part, *world.nodes().part, columns, {}, threads)) {
    }

    /// Calls `visit(chunk, stretch, element, target)` in the order of the plan.
    template <class Visit>
    void for_each_target(Visit&& visit) const {
        for (LocalIndex chunk = 0; chunk < plan.chunks(); ++chunk) {
            for (const Stretch& stretch : plan.elements.stretches_of(chunk)) {
                for (std::int64_t k = stretch.begin; k < stretch.end; ++k) {
                    const LocalIndex element = plan.elements.element[static_cast<std::size_t>(k)];
                    for (const MapColumn& column : columns) {
                        visit(chunk, stretch, element, column.target_of(element));
                    }
                }
            }
        }
    }

    LoopWorld world;
    std::vector<MapColumn> columns;
    ScatterPlan plan;
};

const WorldSizes many{26000, 104000, 10, 10, 10, 10, 10};

/// Every element once, in order; what never asks is nobody else's, or comes first.
void check_turns(const Scattered& run) {
    const ScatterPlan& plan = run.plan;
    std::vector<LocalIndex> first(static_cast<std::size_t>(run.world.nodes().part->owned), -1);
    std::vector<LocalIndex> last(first.size());
    LocalIndex next = 0;
    run.for_each_target(
        [&](LocalIndex chunk, const Stretch&, LocalIndex element, LocalIndex target) {
            next += element == next ? 1 : 0;
            ASSERT_EQ(element, next - 1);
            LocalIndex& chunk_of = first[static_cast<std::size_t>(target)];
            chunk_of = chunk_of < 0 ? chunk : chunk_of;
            last[static_cast<std::size_t>(target)] = chunk;
        });
    ASSERT_EQ(next, run.world.edges().part->owned);
    run.for_each_target(
        [&](LocalIndex chunk, const Stretch& stretch, LocalIndex, LocalIndex target) {
            const LocalIndex earlier = first[static_cast<std::size_t>(target)];
            const bool is_far = last[static_cast<std::size_t>(target)] > earlier + 1;
            const bool is_first = earlier == chunk;
            for (const bool is_beside : {false, true}) {
                const Turn turn = ChunkTargets(plan, chunk, is_beside).turn_of(target);
                ASSERT_EQ(turn, is_first || (!is_far && !is_beside) ? Turn::now : Turn::later);
                ASSERT_TRUE(turn == Turn::now || stretch.asks == Asks::always ||
                            (stretch.asks == Asks::when_beside && is_beside));
            }
        });
}

TEST(ScatterPlan, FollowsTheOrderOfElements) {
    const WorldTables in_a_row = in_order(WorldTables(many));
    for (const int threads : {1, 2, 3, 7}) {
        SCOPED_TRACE(threads);
        check_turns(Scattered(in_a_row, threads));
        check_turns(Scattered(WorldTables(many), threads));
    }
}

/// In a good order almost nothing asks, and threads have several chunks to share.
TEST(ScatterPlan, CutsListsIntoStretches) {
    const Scattered run(in_order(WorldTables(many)), 3);
    EXPECT_EQ(run.plan.chunks(), 48);
    for (const WaitingElements& waiting : run.plan.waiting) {
        EXPECT_EQ(waiting.far, 0);
    }
    std::int64_t free = 0;
    const std::int64_t whole = check_stretches(run.plan.elements, run.plan.chunks(),
                                               [&](LocalIndex, const Stretch& stretch, LocalIndex) {
                                                   free += stretch.asks == Asks::never;
                                               });
    EXPECT_GT(whole, 103000);
    EXPECT_GT(free, 103000);
    EXPECT_LT(run.plan.cost, 0.35);
}

/// A node in a fifth of all edges waits in every chunk.
TEST(ScatterPlan, IsDearWithoutOrder) {
    const Scattered run(WorldTables(many), 3);
    EXPECT_GT(run.plan.waiting.back().far, 0);
    EXPECT_EQ(run.plan.chunks(), 3);
    EXPECT_GT(run.plan.cost, 1.0);
}

/// Elements computed once may reach other ranges, too.
TEST(OncePlan, CutsListsIntoStretches) {
    const WorldTables tables = in_order(WorldTables({2100, 4300, 10, 10, 10, 10, 10}));
    LoopWorld world(Communicator(MPI_COMM_WORLD), tables, {.backend = Backend::openmp});
    const MapPart* ends = world.edge_nodes().part;
    const OncePlan plan = build_once_plan(*world.edges().part, *world.nodes().part,
                                          {{ends, 0}, {ends, 1}}, /*grain=*/32);
    const std::int64_t whole = check_stretches(plan.elements, plan.ranges.count(),
                                               [](LocalIndex, const Stretch&, LocalIndex) {});
    EXPECT_GT(whole, 4000);
    EXPECT_LT(whole, plan.elements.begin[static_cast<std::size_t>(plan.ranges.count())]);
}

/// Places of an element and a column, for each target in the order in which it adds them.
using Added = std::vector<std::vector<std::pair<LocalIndex, LocalIndex>>>;

/// What the plan says, rows being numbered as `Number`s.
template <class Number>
Added added_by_plan(const OncePlan& plan, LocalIndex targets, const Buffer<Number>& numbers) {
    Added added(static_cast<std::size_t>(targets));
    const LocalIndex* begin = plan.rows.begin.data();
    const auto capacity = static_cast<Number>(plan.capacity);
    const auto add = [&](LocalIndex target, LocalIndex at) {
        const auto range =
            static_cast<std::size_t>(plan.ranges.range_of_block(target / simd_lanes));
        const Number row = numbers[static_cast<std::size_t>(at)];
        const auto place = static_cast<std::size_t>(plan.elements.begin[range]) + row % capacity;
        added[static_cast<std::size_t>(target)].emplace_back(
            plan.elements.element[place], static_cast<LocalIndex>(row / capacity));
    };
    for (LocalIndex first = 0; first < targets; first += simd_lanes) {
        const LocalIndex lanes = std::min(simd_lanes, targets - first);
        const LocalIndex common = SummedRows::common_of_block(begin + first, lanes);
        LocalIndex at = begin[first];
        for (LocalIndex slot = 0; slot < common; ++slot) {
            for (LocalIndex lane = 0; lane < simd_lanes; ++lane) {
                add(first + lane, at++);
            }
        }
        for (LocalIndex target = first; target < first + lanes; ++target) {
            const LocalIndex left = begin[target + 1] - begin[target] - common;
            for (LocalIndex k = 0; k < left; ++k) {
                add(target, at++);
            }
        }
    }
    return added;
}

/// On one rank that does not renumber, local indices ascend with ids.
Added added_in_order(const MapPart& ends, LocalIndex edges, LocalIndex targets) {
    Added added(static_cast<std::size_t>(targets));
    for (LocalIndex edge = 0; edge < edges; ++edge) {
        for (LocalIndex column = 0; column < 2; ++column) {
            const LocalIndex target = MapColumn{&ends, column}.target_of(edge);
            added[static_cast<std::size_t>(target)].emplace_back(edge, column);
        }
    }
    return added;
}

/// 104,000 edges at 26,000 nodes, without order: rows of one range of all need more than two bytes.
TEST(OncePlan, TargetsAddInTheOrderOfElements) {
    LoopWorld world(Communicator(MPI_COMM_WORLD), WorldTables(many), {.backend = Backend::openmp});
    const SetPart& edges = *world.edges().part;
    const SetPart& nodes = *world.nodes().part;
    const MapPart* ends = world.edge_nodes().part;
    const Added expected = added_in_order(*ends, edges.owned, nodes.owned);
    const OncePlan small = build_once_plan(edges, nodes, {{ends, 0}, {ends, 1}}, /*grain=*/100);
    EXPECT_TRUE(small.rows.wide.empty());
    EXPECT_EQ(added_by_plan(small, nodes.owned, small.rows.narrow), expected);
    const OncePlan large = build_once_plan(edges, nodes, {{ends, 0}, {ends, 1}}, /*grain=*/4000);
    EXPECT_TRUE(large.rows.narrow.empty());
    EXPECT_EQ(added_by_plan(large, nodes.owned, large.rows.wide), expected);
}

/// Down to half of the size that is asked for, so that two bytes number rows.
TEST(OncePlan, RangesAreALittleSmallerWhereTwoBytesThenSuffice) {
    const WorldTables tables = in_order(WorldTables(many));
    LoopWorld world(Communicator(MPI_COMM_WORLD), tables, {.backend = Backend::openmp});
    const SetPart& edges = *world.edges().part;
    const SetPart& nodes = *world.nodes().part;
    const std::vector<MapColumn> columns{{world.edge_nodes().part, 0},
                                         {world.edge_nodes().part, 1}};
    const std::size_t all = std::size_t{2} * 104000;  // rows, of a byte each in what follows
    const auto chosen = [&](std::size_t range_bytes) {
        return choose_grain(edges, nodes, columns, 2, range_bytes);
    };
    const LocalIndex fitting = chosen(all / 3 + 4000);
    EXPECT_LE(2 * count_ranges(edges, nodes, columns, fitting).largest, 1 << 16);
    EXPECT_LT(fitting, 26000 / simd_lanes / 3);
    EXPECT_GT(fitting, 26000 / simd_lanes / 4);
    EXPECT_EQ(chosen(all), 26000 / simd_lanes);  // far from fitting
    EXPECT_EQ(chosen(all / 8), 26000 / simd_lanes / 8);
}

struct Divide {
    template <class V>
    void operator()(const Values<V, 1>& weight, Values<V, 1>& part, Values<V, 5>& parts) const {
        part[0] += weight[0] / V(3.0);
        for (int d = 0; d < 5; ++d) {
            parts[d] -= weight[0] / V(7.0 + d);
        }
    }
};

/// Sums of one and of five components, whose bits depend on the order.
std::vector<double> divided(const WorldTables& tables, const WorldOptions& options) {
    LoopWorld world(Communicator(MPI_COMM_WORLD), tables, options);
    const auto zero = [](GlobalIndex, int) { return 0.0; };
    const auto weight = world.dat<1>(world.edges(), "weight", [](GlobalIndex id, int) {
        return 1.0 / (1.0 + static_cast<double>(id));
    });
    auto part = world.dat<1>(world.nodes(), "part", zero);
    auto parts = world.dat<5>(world.nodes(), "parts", zero);
    par_loop(world.context(), "divide", world.edges(), Divide{}, read(weight),
             inc<0>(part, world.edge_nodes()), inc<1>(parts, world.edge_nodes()));
    std::vector<double> sums = world.collect(part);
    const std::vector<double> others = world.collect(parts);
    sums.insert(sums.end(), others.begin(), others.end());
    return sums;
}

TEST(OncePlan, SumsHaveTheBitsOfSerialWhateverTheSizeOfRanges) {
    const WorldTables tables(many);
    const std::vector<double> expected = divided(tables, {});
    for (const std::size_t range_bytes : {std::size_t{1} << 14, std::size_t{1} << 30}) {
        for (const int threads : {1, 2}) {
            SCOPED_TRACE(std::to_string(range_bytes) +
                         " bytes, threads: " + std::to_string(threads));
            EXPECT_TRUE(same_numbers(divided(tables, {.backend = Backend::openmp,
                                                      .threads = threads,
                                                      .shared_targets = SharedTargets::once,
                                                      .range_bytes = range_bytes}),
                                     expected));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Backends, Plans, ::testing::ValuesIn(every_backend), name_of_backend);

}  // namespace

}  // namespace halocline::test
