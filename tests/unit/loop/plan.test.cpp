// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Gather plans of meshes small enough to write the answer down.
#include "halocline/loop/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "halocline/core/error.hpp"

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
    EXPECT_EQ(run, (std::vector<LocalIndex>{8, -1, 0, -1}));
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

}  // namespace

}  // namespace halocline
