// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Dats that are moved to compact rows and back: no value is lost, and all that reads them finds them.
#include "halocline/mesh/moved_rows.hpp"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

#include "halocline/mesh/mesh.hpp"

namespace halocline::test {

namespace {

struct Node {};

struct Sum {
    static constexpr int size = 1;
    template <class V, int dim>
    void operator()(const Values<V, dim>& q, Values<V, size>& extra) const {
        extra[0] = q[0] + q[dim - 1];
    }
};

MeshPart part_of(LocalIndex owned, LocalIndex total) {
    MeshPart part;
    SetPart set;
    set.name = "nodes";
    set.global_size = owned;
    set.owned = set.core = owned;
    set.exec = set.total = total;
    part.sets.push_back(set);
    return part;
}

/// Element and component, so that no two values agree.
template <class T>
T value_of(LocalIndex i, int d) {
    return static_cast<T>(100 * i + d);
}

template <class T, int dim, class Storage>
void expect_round_trip(LocalIndex total) {
    SCOPED_TRACE(std::to_string(dim) + " components of " + std::to_string(total) + " elements");
    const Mesh mesh(part_of(total, total), LayoutMode::vector);
    auto dat = mesh.make_dat<Node, T, dim, Storage>(mesh.set<Node>("nodes"), "q");
    dat.fill(value_of<T>);
    const Layout asked = dat.handle().layout;
    const auto expect_values = [&] {
        for (LocalIndex i = 0; i < total; ++i) {
            for (int d = 0; d < dim; ++d) {
                ASSERT_EQ(dat.store().at(i, d), value_of<T>(i, d)) << i << " " << d;
            }
        }
    };
    move_to_rows(dat.handle());
    EXPECT_EQ(dat.store().layout.offset(total - 1, dim - 1), std::int64_t{total} * dim - 1);
    expect_values();
    for (LocalIndex i = 0; i < total; ++i) {
        ASSERT_EQ(dat.store().data()[i * dim], value_of<T>(i, 0));  // where the layout says it is
    }
    move_to_rows(dat.handle());  // which it is
    expect_values();
    move_back(dat.handle());
    EXPECT_EQ(dat.store().layout.offset(total, 0), asked.offset(total, 0));
    expect_values();
    move_back(dat.handle());
    expect_values();
}

template <class T, class Storage>
void expect_round_trips() {
    for (const LocalIndex total : {1, 7, 8, 9, 64, 67}) {
        expect_round_trip<T, 2, Storage>(total);
        expect_round_trip<T, 3, Storage>(total);
        expect_round_trip<T, 5, Storage>(total);
        expect_round_trip<T, 11, Storage>(total);
    }
}

TEST(MovedRows, KeepTheValuesOfLanes) {
    expect_round_trips<double, LaneStorage>();
    expect_round_trips<float, LaneStorage>();
    expect_round_trips<std::int64_t, LaneStorage>();
    expect_round_trips<std::int32_t, LaneStorage>();
}

TEST(MovedRows, KeepTheValuesBesideDerivedOnes) {
    expect_round_trips<double, DerivedStorage<Sum>>();
}

TEST(MovedRows, LeaveZerosInLanesBehindTheLastElement) {
    const Mesh mesh(part_of(9, 9), LayoutMode::vector);
    auto dat = mesh.make_dat<Node, double, 3, LaneStorage>(mesh.set<Node>("nodes"), "q");
    dat.fill(value_of<double>);
    move_to_rows(dat.handle());
    move_back(dat.handle());
    for (LocalIndex i = 9; i < 16; ++i) {
        for (int d = 0; d < 3; ++d) {
            EXPECT_EQ(dat.store().at(i, d), 0.0);
        }
    }
}

TEST(MovedRows, AreNoneWhereRowsAreAskedForOrAComponentIsAlone) {
    const Mesh mesh(part_of(20, 20), LayoutMode::vector);
    const auto nodes = mesh.set<Node>("nodes");
    auto rows = mesh.make_dat<Node, double, 3>(nodes, "rows");
    auto alone = mesh.make_dat<Node, double, 1, LaneStorage>(nodes, "alone");
    EXPECT_FALSE(asks_for_more_than_rows(rows.handle()));
    EXPECT_FALSE(asks_for_more_than_rows(alone.handle()));
    move_to_rows(rows.handle());
    EXPECT_FALSE(rows.handle().moved.asked.has_value());
}

TEST(MovedRows, FillReachesValuesAndLeavesDerivedOnesOld) {
    const Mesh mesh(part_of(5, 5), LayoutMode::vector);
    auto dat = mesh.make_dat<Node, double, 2, DerivedStorage<Sum>>(mesh.set<Node>("nodes"), "q");
    move_to_rows(dat.handle());
    dat.fill(value_of<double>);
    EXPECT_FALSE(dat.handle().derived_valid);
    EXPECT_EQ(dat.store().data()[3], 101.0);
    move_back(dat.handle());
    EXPECT_EQ(dat.store().at(4, 1), 401.0);
    EXPECT_FALSE(dat.handle().derived_valid);
}

/// As temporaries do, which give their memory back between chains.
TEST(MovedRows, GetRoomForTheLayoutThatIsAskedFor) {
    const Mesh mesh(part_of(9, 9), LayoutMode::vector);
    auto dat = mesh.make_dat<Node, double, 2, DerivedStorage<Sum>>(mesh.set<Node>("nodes"), "q");
    const std::size_t room = dat.handle().values.size();
    move_to_rows(dat.handle());
    dat.handle().values.release();
    move_back(dat.handle());
    move_to_rows(dat.handle());
    dat.handle().allocate();
    EXPECT_EQ(dat.handle().values.size(), room);
    dat.fill(value_of<double>);
    move_back(dat.handle());
    EXPECT_EQ(dat.store().at(8, 1), 801.0);
}

TEST(MovedRows, GoWithTheContentsThatAreSwapped) {
    const Mesh mesh(part_of(9, 9), LayoutMode::vector);
    const auto nodes = mesh.set<Node>("nodes");
    auto a = mesh.make_dat<Node, double, 3, LaneStorage>(nodes, "a");
    auto b = mesh.make_dat<Node, double, 3, LaneStorage>(nodes, "b");
    a.fill(value_of<double>);
    move_to_rows(a.handle());
    swap(a, b);
    EXPECT_FALSE(a.handle().moved.asked.has_value());
    EXPECT_TRUE(b.handle().moved.asked.has_value());
    EXPECT_EQ(b.store().at(8, 2), 802.0);
    EXPECT_EQ(a.store().at(8, 2), 0.0);
}

}  // namespace

}  // namespace halocline::test
