// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Look-ups by name, and what dats keep apart: layouts, versions, derived values.
#include "halocline/mesh/mesh.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>

#include "halocline/core/error.hpp"
#include "halocline/mesh/aliased_memory.hpp"

namespace halocline {

namespace {

struct Node {};
struct Edge {};

/// A set that one rank owns.
SetPart whole_set(const char* name, LocalIndex size) {
    SetPart set;
    set.name = name;
    set.global_size = size;
    set.core = set.owned = set.exec = set.total = size;
    return set;
}

/// Nodes 0..3 in a row, three edges, one dat of two components.
MeshPart line_part() {
    MeshPart part;
    part.sets = {whole_set("nodes", 4), whole_set("edges", 3)};
    MapPart ends;
    ends.name = "ends";
    ends.from = 1;
    ends.arity = 2;
    ends.targets = Buffer<LocalIndex>(6, 0);
    part.maps.push_back(std::move(ends));
    DatPart x;
    x.name = "x";
    x.dim = 2;
    x.values = Buffer<double>(8, 1.5);
    part.dats.push_back(std::move(x));
    return part;
}

class MeshTest : public ::testing::Test {
protected:
    Mesh mesh{line_part(), LayoutMode::vector};

    static void expect_refusal(const std::function<void()>& look_up, const std::string& words) {
        try {
            look_up();
            ADD_FAILURE() << "nothing thrown";
        } catch (const ContractError& error) {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
    }
};

TEST_F(MeshTest, FindsByName) {
    EXPECT_EQ(mesh.set<Node>("nodes").part->owned, 4);
    const auto ends = mesh.map<Edge, Node, 2>("ends");
    EXPECT_EQ(ends.from->name, "edges");
    EXPECT_EQ(ends.to->name, "nodes");
}

TEST_F(MeshTest, UnknownNamesListTheKnownOnes) {
    expect_refusal([&] { (void)mesh.set<Node>("node"); },
                   "no set 'node' in this mesh. Declared are: nodes, edges");
    expect_refusal([&] { (void)mesh.map<Edge, Node, 2>("end"); }, "no map 'end'");
    expect_refusal([&] { (void)mesh.take_dat<Node, double, 2>("y"); }, "no dat 'y'");
}

TEST_F(MeshTest, OtherArityOrDimensionIsRefusedWithBoth) {
    expect_refusal([&] { (void)mesh.map<Edge, Node, 3>("ends"); }, "has arity 2, not 3");
    expect_refusal([&] { (void)mesh.take_dat<Node, double, 1>("x"); }, "has dimension 2, not 1");
}

TEST_F(MeshTest, ADatIsTakenOnce) {
    const auto x = mesh.take_dat<Node, double, 2>("x");
    EXPECT_EQ(x.store().at(3, 1), 1.5);
    expect_refusal([&] { (void)mesh.take_dat<Node, double, 2>("x"); }, "was taken before");
}

TEST_F(MeshTest, NewDatsAreZeroToTheLastPaddedLane) {
    const auto dat = mesh.make_dat<Node, double, 3, LaneStorage>(mesh.set<Node>("nodes"), "new");
    EXPECT_GE(dat.store().values.size(), 24U);
    for (const double value : dat.store().values) {
        EXPECT_EQ(value, 0.0);
    }
}

TEST_F(MeshTest, PlainModeIgnoresStorage) {
    const Mesh plain(line_part(), LayoutMode::plain);
    const auto dat = plain.make_dat<Node, double, 3, LaneStorage>(plain.set<Node>("nodes"), "new");
    EXPECT_EQ(dat.store().layout.offset(1, 0), 3);
}

TEST_F(MeshTest, SwapExchangesContentsAndMakesCopiesOld) {
    const auto nodes = mesh.set<Node>("nodes");
    auto a = mesh.make_dat<Node, double, 1>(nodes, "a");
    auto b = mesh.make_dat<Node, double, 1>(nodes, "b");
    a.fill([](LocalIndex i, int) { return 1.0 + i; });
    const std::uint64_t before_a = a.store().version;
    const std::uint64_t before_b = b.store().version;
    swap(a, b);
    EXPECT_EQ(b.store().at(2, 0), 3.0);
    EXPECT_EQ(a.store().at(2, 0), 0.0);
    EXPECT_FALSE(b.store().halo_valid);
    EXPECT_TRUE(a.store().halo_valid);
    EXPECT_NE(a.store().version, before_a);
    EXPECT_NE(b.store().version, before_b);
    EXPECT_EQ(a.store().name, "a");
}

struct Square {
    static constexpr int size = 1;
    template <class V>
    void operator()(const Values<V, 2>& x, Values<V, size>& extra) const {
        extra[0] = x[0] * x[1];
    }
};

TEST_F(MeshTest, FillWorksOutDerivedValues) {
    auto dat = mesh.make_dat<Node, double, 2, DerivedStorage<Square>>(mesh.set<Node>("nodes"), "q");
    dat.fill([](LocalIndex i, int d) { return i + 10.0 * d; });
    EXPECT_EQ(dat.store().at(3, 0), 3.0);
    EXPECT_EQ(dat.store().at(3, 1), 13.0);
    EXPECT_EQ(dat.store().at(3, 2), 39.0);
    EXPECT_EQ(dat.store().layout.offset(1, 0), 8);  // one cache line an element
}

TEST_F(MeshTest, TemporariesHaveNoMemoryOfTheirOwn) {
    const auto dat = mesh.make_temporary<Node, double, 5>(mesh.set<Node>("nodes"), "t");
    EXPECT_TRUE(dat.handle().values.empty());
    EXPECT_TRUE(dat.handle().temporary);
}

TEST_F(MeshTest, IdleMemoryIsLentInPieces) {
    const auto nodes = mesh.set<Node>("nodes");
    auto idle = mesh.make_dat<Node, double, 2, LaneStorage>(nodes, "idle");
    auto a = mesh.make_dat<Node, double, 1>(nodes, "a");
    auto b = mesh.make_dat<Node, double, 1>(nodes, "b");
    AliasedMemory aliased(idle.handle());
    aliased.share_with(a.handle());
    aliased.share_with(b.handle());
    EXPECT_FALSE(a.handle().values.owns_memory());
    EXPECT_EQ(a.handle().values.data(), idle.handle().values.data());
    EXPECT_EQ(b.handle().values.data(), idle.handle().values.data() + simd_lanes);
    a.fill([](LocalIndex i, int) { return 1.0 + i; });
    b.fill([](LocalIndex i, int) { return 10.0 + i; });
    EXPECT_EQ(a.store().at(3, 0), 4.0);
    EXPECT_EQ(idle.store().at(3, 1), 13.0);
    auto more = mesh.make_dat<Node, double, 1>(nodes, "more");
    EXPECT_FALSE(aliased.has_room_for(more.handle()));
    expect_refusal([&] { aliased.share_with(more.handle()); },
                   "dat 'idle' cannot hold 8 words of other dats");
}

TEST_F(MeshTest, ReleasedMapsAreEmpty) {
    mesh.release_map("ends");
    const auto ends = mesh.map<Edge, Node, 2>("ends");
    EXPECT_TRUE(ends.part->targets.empty());
    expect_refusal([&] { mesh.release_map("end"); }, "no map 'end'");
    expect_refusal([&] { (void)mesh.row_lengths(ends); }, "map 'ends' has no rows any more");
}

TEST_F(MeshTest, TemporariesHaveNoValues) {
    auto sum = mesh.make_temporary<Node, double, 1>(mesh.set<Node>("nodes"), "sum");
    const std::string refusal = "dat 'sum' has no values to read or to set (it is temporary";
    expect_refusal([&] { (void)sum.store(); }, refusal);
    expect_refusal([&] { (void)sum.change(); }, refusal);
    expect_refusal([&] { sum.fill({{1.0}}); }, refusal);
    expect_refusal([&] { sum.fill([](LocalIndex, int) { return 1.0; }); }, refusal);
}

TEST_F(MeshTest, ValuesThatEndedAreNotMistaken) {
    auto sum = mesh.make_dat<Node, double, 1>(mesh.set<Node>("nodes"), "sum");
    sum.handle().end_values();
    const std::string refusal = "dat 'sum' has no values any more (precompute_edges";
    expect_refusal([&] { (void)sum.store(); }, refusal);
    expect_refusal([&] { sum.fill({{1.0}}); }, refusal);
}

/// The other mesh may end first.
TEST_F(MeshTest, SubsetsAreMadeInTheMeshOfTheirSet) {
    Mesh other(line_part(), LayoutMode::plain);
    const auto nodes = other.set<Node>("nodes");
    expect_refusal(
        [&] {
            (void)mesh.add_subset(nodes, "some", {0, 2});
        },
        "subset 'some' cannot be made in this mesh (set 'nodes' is of another one)");
    const auto some = other.add_subset(nodes, "some", {0, 2});
    EXPECT_EQ(other.add_subset(some.members(), "fewer", {0}).owned(), 1);
    const Mesh moved = std::move(other);
    expect_refusal([&] { (void)other.add_subset(nodes, "some", {0, 2}); }, "it was moved from");
}

/// Where the handle leads, another mesh may have something by now.
TEST_F(MeshTest, HandlesOfAMeshThatIsGoneAreRefused) {
    Mesh home(line_part(), LayoutMode::plain);
    const auto nodes = home.set<Node>("nodes");
    const auto ends = home.map<Edge, Node, 2>("ends");
    const auto some = home.add_subset(nodes, "some", {0, 2});
    home = Mesh(line_part(), LayoutMode::plain);
    const auto refusal = [](const std::string& what) {
        return "a " + what + " was used whose mesh is gone";
    };
    expect_refusal([&] { (void)home.make_dat<Node, double, 1>(nodes, "x"); }, refusal("set"));
    expect_refusal([&] { (void)home.make_temporary<Node, double, 1>(nodes, "x"); }, refusal("set"));
    expect_refusal([&] { (void)home.make_ids(nodes); }, refusal("set"));
    expect_refusal([&] { (void)home.add_subset(nodes, "more", {1}); }, refusal("set"));
    expect_refusal([&] { (void)home.row_lengths(ends); }, refusal("map"));
    expect_refusal([&] { (void)some.owned(); }, refusal("subset"));
    expect_refusal([&] { (void)some.members(); }, refusal("subset"));
    expect_refusal([&] { (void)some.element(0); }, refusal("subset"));
    EXPECT_EQ(home.set<Node>("nodes").in_mesh().total, 4);
}

TEST_F(MeshTest, ReleasedIdsCannotBeAskedFor) {
    const auto edges = mesh.set<Edge>("edges");
    mesh.release_ids("edges");
    expect_refusal([&] { static_cast<void>(edges.part->global_id(0)); }, "were released");
}

}  // namespace

}  // namespace halocline
