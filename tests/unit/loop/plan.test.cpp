// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Gather plans of meshes small enough to write the answer down.
#include "halocline/loop/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "halocline/core/error.hpp"
#include "halocline/loop/slot_copy.hpp"
#include "halocline/memory/memory_account.hpp"

namespace halocline {

namespace {

SetPart make_set(const char* name, LocalIndex owned, LocalIndex exec, LocalIndex total,
                 std::vector<GlobalIndex> ids = {}) {
    SetPart set;
    set.name = name;
    set.global_size = 100;
    set.core = 0;
    set.owned = owned;
    set.exec = exec;
    set.total = total;
    set.global_ids = std::move(ids);
    return set;
}

MapPart make_map(int arity, const std::vector<LocalIndex>& targets) {
    MapPart map;
    map.name = "map";
    map.arity = arity;
    map.targets = Buffer<LocalIndex>(targets.size());
    std::copy(targets.begin(), targets.end(), map.targets.begin());
    return map;
}

std::vector<LocalIndex> elements(const GatherPlan& plan, std::int64_t slot) {
    const LocalIndex* first = plan.element.data() + slot * simd_lanes;
    return {first, first + simd_lanes};
}

TEST(GlobalOrder, IsEmptyWhereLocalOrderIsGlobalOrder) {
    EXPECT_TRUE(global_order(make_set("a", 3, 3, 3)).empty());
    EXPECT_TRUE(global_order(make_set("a", 3, 3, 3, {4, 7, 9})).empty());
}

TEST(GlobalOrder, MergesImportExecElementsAndLeavesOthersOut) {
    // Owned 30, 10; import-exec 20; import-nonexec 5.
    const SetPart set = make_set("a", 2, 3, 4, {30, 10, 20, 5});
    EXPECT_EQ(global_order(set), (std::vector<LocalIndex>{1, 2, 0}));
}

TEST(GlobalOrder, SortsIdsThatCrowdAtBothEnds) {
    // Many ids in one of the sort's buckets, none in others, and the largest id there is.
    const SetPart set = make_set("a", 6, 6, 6, {99, 3, 98, 0, 1, 2});
    EXPECT_EQ(global_order(set), (std::vector<LocalIndex>{3, 4, 5, 1, 2, 0}));
}

/// Nodes 0-1-2-3 in a row; edges 0: 0-1, 1: 2-1, 2: 2-3.
class LinePlan : public ::testing::Test {
protected:
    SetPart nodes = make_set("nodes", 4, 4, 4);
    SetPart edges = make_set("edges", 3, 3, 3);
    MapPart ends = make_map(2, {0, 1, 2, 1, 2, 3});
    GatherPlan plan = build_gather_plan(edges, nodes, {{&ends, 0}, {&ends, 1}});
};

TEST_F(LinePlan, HasOneBlockAsDeepAsTheBusiestNode) {
    EXPECT_EQ(plan.targets, 4);
    EXPECT_EQ(plan.blocks, 1);
    EXPECT_EQ(plan.slots(), 2);  // nodes 1 and 2 have two edges
    EXPECT_EQ(plan.full[0], 0);  // lanes 4 to 7 have none
}

TEST_F(LinePlan, ListsElementsOfEachNodeInOrder) {
    EXPECT_EQ(elements(plan, 0), (std::vector<LocalIndex>{0, 0, 1, 2, 0, 0, 0, 0}));
    EXPECT_EQ(elements(plan, 1), (std::vector<LocalIndex>{0, 1, 2, 0, 0, 0, 0, 0}));
    EXPECT_EQ(plan.used[0], 0b00001111);
    EXPECT_EQ(plan.used[1], 0b00000110);
}

TEST_F(LinePlan, KnowsWhichEndEachNodeIs) {
    const std::vector<std::uint8_t> first(plan.column.data(), plan.column.data() + 4);
    EXPECT_EQ(first, (std::vector<std::uint8_t>{0, 1, 0, 1}));
    EXPECT_EQ(plan.column[8 + 1], 1);  // node 1 is the second end of edge 1
    EXPECT_EQ(plan.column[8 + 2], 0);
}

TEST_F(LinePlan, PointsToTheRowsOfTheOtherEnds) {
    const auto other = [&](int slot, int lane) {
        return plan.other[static_cast<std::size_t>(slot * 8 + lane)];
    };
    EXPECT_EQ(other(0, 0), 8U);  // edge 0 of node 0 leads to node 1, row at 8
    EXPECT_EQ(other(0, 1), 0U);
    EXPECT_EQ(other(0, 2), 8U);
    EXPECT_EQ(other(0, 3), 16U);
    EXPECT_EQ(other(1, 1), 16U);
    EXPECT_EQ(other(1, 2), 24U);
    // Lanes without an edge point to a row that exists.
    for (std::size_t i = 0; i < 16; ++i) {
        EXPECT_LE(plan.other[i], 24U);
    }
}

TEST_F(LinePlan, CopiesEdgeDataIntoSlotOrderWithItsSign) {
    double weights[] = {1.0, 10.0, 2.0, 20.0, 3.0, 30.0};
    Buffer<double> copy;
    fill_slot_copy(plan, {weights, 2, Layout::rows(2)}, true, copy);
    const std::vector<double> first(copy.data(), copy.data() + 8);
    EXPECT_EQ(first, (std::vector<double>{1.0, -1.0, 2.0, -3.0, 0.0, 0.0, 0.0, 0.0}));
    EXPECT_EQ(copy[8 + 3], -30.0);  // second component of the first slot, lane 3
    EXPECT_EQ(copy[16 + 1], -2.0);  // second slot: edge 1 seen from node 1
    fill_slot_copy(plan, {weights, 2, Layout::rows(2)}, false, copy);
    EXPECT_EQ(copy[3], 3.0);
    EXPECT_EQ(copy[16 + 1], 2.0);
}

// Sixteen nodes in two rows of eight, each joined to the one above: the lower row's other ends are 8 to 15,
// the upper row's 0 to 7. A last edge from 0 to 15 makes a slot that no eight nodes share.
TEST(GatherPlan, KnowsWhereOtherEndsLieSideBySide) {
    std::vector<LocalIndex> targets;
    for (LocalIndex a = 0; a < 8; ++a) {
        targets.insert(targets.end(), {a, a + 8});
    }
    targets.insert(targets.end(), {0, 15});
    const MapPart ends = make_map(2, targets);
    const GatherPlan plan = build_gather_plan(
        make_set("edges", 9, 9, 9), make_set("nodes", 16, 16, 16), {{&ends, 0}, {&ends, 1}});
    ASSERT_EQ(plan.slots(), 4);
    const std::vector<LocalIndex> run(plan.run.begin(), plan.run.end());
    // Slots that are no run have the first and the second row of other ends.
    EXPECT_EQ(run, (std::vector<LocalIndex>{8, ~0, 0, ~1}));
    EXPECT_EQ(plan.other.size(), 2U * 8U);
    EXPECT_FALSE(plan.leads_far);
}

TEST(GatherPlan, FollowsGlobalIdsNotLocalOrder) {
    // Local elements 0, 1, 2 have global ids 7, 3, 5; all change node 0.
    const SetPart from = make_set("from", 2, 3, 3, {7, 3, 5});
    const SetPart to = make_set("to", 1, 1, 1);
    const MapPart map = make_map(1, {0, 0, 0});
    const GatherPlan plan = build_gather_plan(from, to, {{&map, 0}});
    ASSERT_EQ(plan.slots(), 3);
    EXPECT_EQ(plan.element[0], 1);
    EXPECT_EQ(plan.element[8], 2);
    EXPECT_EQ(plan.element[16], 0);
    EXPECT_TRUE(plan.column.empty());  // one column needs no list
    EXPECT_TRUE(plan.other.empty());
}

TEST(GatherPlan, LeavesOutTargetsOfOtherRanks) {
    // Node 1 is a halo node: its owner adds up its changes.
    const SetPart from = make_set("from", 2, 2, 2);
    const SetPart to = make_set("to", 1, 2, 2);
    const MapPart map = make_map(1, {1, 0});
    const GatherPlan plan = build_gather_plan(from, to, {{&map, 0}});
    EXPECT_EQ(plan.slots(), 1);
    EXPECT_EQ(elements(plan, 0), (std::vector<LocalIndex>{1, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(plan.used[0], 0b00000001);
}

TEST(GatherPlan, ListsATargetOnceForEachColumnThatHitsIt) {
    // One element whose columns 2 and 0 both lead to node 0, column 2 first as the loop names it.
    const SetPart from = make_set("from", 1, 1, 1);
    const SetPart to = make_set("to", 1, 1, 1);
    const MapPart map = make_map(3, {0, 0, 0});
    const GatherPlan plan = build_gather_plan(from, to, {{&map, 2}, {&map, 0}});
    ASSERT_EQ(plan.slots(), 2);
    EXPECT_EQ(plan.column[0], 0);
    EXPECT_EQ(plan.column[8], 1);
}

TEST(GatherPlan, BlocksAreAsDeepAsTheirOwnBusiestTarget) {
    // 9 targets: target 8, alone in the second block, has three elements, the others one each.
    const SetPart from = make_set("from", 11, 11, 11);
    const SetPart to = make_set("to", 9, 9, 9);
    const MapPart map = make_map(1, {0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8});
    const GatherPlan plan = build_gather_plan(from, to, {{&map, 0}});
    EXPECT_EQ(plan.blocks, 2);
    EXPECT_EQ(plan.begin[1], 1);
    EXPECT_EQ(plan.slots(), 4);
    EXPECT_EQ(plan.full[0], 1);
    EXPECT_EQ(plan.full[1], 0);
}

TEST(GatherPlan, OfNoTargetsOrNoElementsIsEmpty) {
    const SetPart none = make_set("none", 0, 0, 0);
    const SetPart some = make_set("some", 3, 3, 3);
    const MapPart empty = make_map(1, {});
    EXPECT_EQ(build_gather_plan(none, some, {{&empty, 0}}).slots(), 0);
    EXPECT_EQ(build_gather_plan(none, none, {{&empty, 0}}).slots(), 0);
}

// Rows (i, any): the next row's first target is one further, or goes back and forth by 5000.
TEST(PlanCache, KnowsWhichMapsLeadFar) {
    std::vector<LocalIndex> near;
    std::vector<LocalIndex> far;
    for (LocalIndex row = 0; row < 20'000; ++row) {
        const LocalIndex other = 7'919 * row % 20'000;
        near.insert(near.end(), {row, other});
        far.insert(far.end(), {row % 2 == 0 ? row : 19'999 - row, row});
    }
    const MapPart in_order = make_map(2, near);
    const MapPart back_and_forth = make_map(2, far);
    PlanCache cache;
    for (int time = 0; time < 2; ++time) {
        EXPECT_FALSE(cache.leads_far(in_order, 20'000));
        EXPECT_TRUE(cache.leads_far(back_and_forth, 20'000));
    }
    EXPECT_FALSE(cache.leads_far(make_map(2, {}), 0));
    EXPECT_FALSE(cache.leads_far(make_map(1, {3}), 1));
}

TEST(PlanCache, BuildsAPlanOnce) {
    const SetPart from = make_set("from", 2, 2, 2);
    const SetPart to = make_set("to", 1, 1, 1);
    const MapPart map = make_map(1, {0, 0});
    PlanCache cache;
    const GatherPlan* first = &cache.gather(from, to, {{&map, 0}});
    EXPECT_EQ(&cache.gather(from, to, {{&map, 0}}), first);
}

/// Fourteen edges of this rank, one that it executes for another, one of the halo; edge 3 joins two nodes
/// of other ranks.
class EdgeData : public ::testing::Test {
protected:
    EdgeData() {
        std::vector<LocalIndex> targets;
        for (LocalIndex e = 0; e < 15; ++e) {
            targets.insert(targets.end(), {e % 8, (3 * e + 1) % 10});
        }
        targets[6] = 8;
        targets[7] = 9;
        map = make_map(2, targets);
        fill(store, 1.0);
    }

    /// Two values an edge.
    void fill(DatStore& dat, double first) {
        dat.set = &edges;
        dat.set_alive = edges.lifetime.watch();
        dat.dim = 2;
        dat.mode = LayoutMode::vector;
        dat.layout = Layout::rows(2);
        dat.allocate();
        for (LocalIndex e = 0; e < 16; ++e) {
            dat.at(e, 0) = first + 10.0 * e;
            dat.at(e, 1) = -first - 10.0 * e;
        }
    }
    void expect_values(double first) {
        ASSERT_FALSE(store.values.empty());
        for (LocalIndex e = 0; e < 16; ++e) {
            EXPECT_EQ(store.at(e, 0), first + 10.0 * e) << e;
            EXPECT_EQ(store.at(e, 1), -first - 10.0 * e) << e;
        }
    }
    const GatherPlan& plan(PlanCache& plans) { return plans.gather(edges, nodes, columns); }
    void read(PlanCache& plans, int times, bool oriented = true) {
        for (int k = 0; k < times; ++k) {
            static_cast<void>(plans.slot_copy(plan(plans), store, oriented));
        }
    }

    SetPart edges = make_set("edges", 14, 15, 16);
    SetPart nodes = make_set("nodes", 8, 9, 10);
    MapPart map;
    std::vector<MapColumn> columns{{&map, 0}, {&map, 1}};
    DatStore store;
};

TEST_F(EdgeData, ThatIsReadThroughCopiesAloneIsThereOnce) {
    for (const bool oriented : {true, false}) {
        PlanCache plans;
        read(plans, 10, oriented);
        EXPECT_TRUE(store.values.empty());
        store.recall();
        expect_values(1.0);
        read(plans, 30, oriented);
        expect_values(1.0);  // who was asked for once may be so again
    }
}

TEST_F(EdgeData, StaysWhileLoopsTryOtherWaysToReadIt) {
    PlanCache plans;
    plans.keep_originals(true);
    read(plans, 100);
    expect_values(1.0);
    EXPECT_EQ(store.keeper, nullptr);
    plans.keep_originals(false);
    read(plans, 10);
    EXPECT_TRUE(store.values.empty());
}

TEST_F(EdgeData, GetsItsMemoryBackWhenPlansGo) {
    {
        PlanCache plans;
        read(plans, 10);
        EXPECT_TRUE(store.values.empty());
    }
    expect_values(1.0);
    EXPECT_EQ(store.keeper, nullptr);
}

TEST_F(EdgeData, IsCopiedAgainWhenItChanged) {
    PlanCache plans;
    read(plans, 10);
    store.recall();
    fill(store, 2.0);
    store.mark_changed();
    const SlotCopy& copy = plans.slot_copy(plan(plans), store, false);
    Buffer<double> expected;
    fill_slot_copy(build_gather_plan(edges, nodes, columns), store.raw(), false, expected);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), copy.values.begin()));
}

TEST_F(EdgeData, IsCopiedWithListsThatWereGivenBackBefore) {
    PlanCache plans;
    read(plans, 40);
    EXPECT_TRUE(plan(plans).element.empty());
    DatStore late;
    fill(late, 5.0);
    const SlotCopy& copy = plans.slot_copy(plan(plans), late, true);
    Buffer<double> expected;
    fill_slot_copy(build_gather_plan(edges, nodes, columns), late.raw(), true, expected);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), copy.values.begin()));
    store.recall();
    expect_values(1.0);
}

TEST_F(EdgeData, IsGoneWithItsCopies) {
    PlanCache plans;
    const std::int64_t before = buffer_bytes(MemoryUse::copies);
    {
        DatStore gone;
        fill(gone, 3.0);
        static_cast<void>(plans.slot_copy(plan(plans), gone, true));
        EXPECT_GT(buffer_bytes(MemoryUse::copies), before);
    }
    static_cast<void>(plans.slot_copy(plan(plans), store, true));
    const std::int64_t one = buffer_bytes(MemoryUse::copies) - before;
    DatStore other;
    fill(other, 4.0);
    static_cast<void>(plans.slot_copy(plan(plans), other, true));
    EXPECT_EQ(buffer_bytes(MemoryUse::copies) - before, 2 * one);
}

TEST_F(EdgeData, OfSettledPlansHasMemoryOfItsOwn) {
    PlanCache plans;
    read(plans, 10);
    EXPECT_TRUE(store.values.empty());
    plans.prepare_freeze(edges, nodes, columns);
    expect_values(1.0);
    plans.freeze(edges, nodes, columns, store);
    read(plans, 30);
    expect_values(1.0);
    DatStore late;
    fill(late, 5.0);
    EXPECT_THROW(static_cast<void>(plans.slot_copy(plan(plans), late, true)), ContractError);
}

/// Nodes 0 to 15 in a row, then 16 with an edge to node 0.
TEST(GatherPlan, StoresOtherEndsWhereTheyAreNoRun) {
    const SetPart edges = make_set("edges", 16, 16, 16);
    const SetPart nodes = make_set("nodes", 17, 17, 17);
    std::vector<LocalIndex> targets;
    for (LocalIndex e = 0; e < 15; ++e) {
        targets.insert(targets.end(), {e, e + 1});
    }
    targets.insert(targets.end(), {0, 16});
    const MapPart map = make_map(2, targets);
    const GatherPlan plan = build_gather_plan(edges, nodes, {{&map, 0}, {&map, 1}});
    ASSERT_EQ(plan.slots(), 2 + 2 + 1);
    // Block 1: nodes 8 to 15 have edges 7 to 14 first, to nodes 7 to 14; node 15 has no further one.
    EXPECT_EQ(plan.run[2], 7);
    EXPECT_EQ(std::count_if(plan.run.begin(), plan.run.end(), [](auto run) { return run < 0; }), 4);
    EXPECT_EQ(plan.other.size(), 4U * 8U);
    const std::uint32_t* last = plan.other.data() + std::int64_t{~plan.run[4]} * 8;
    EXPECT_EQ(last[0], 0U);        // node 16 leads to node 0
    EXPECT_EQ(last[1], 16U * 8U);  // lanes without an edge stay within the set
}

}  // namespace

}  // namespace halocline
