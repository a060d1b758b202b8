// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rows of devices: values of edges lie there once, and every entry finds its own.
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "halocline/backend/device/plans/incidence.hpp"
#include "halocline/core/error.hpp"
#include "support/loop_world.hpp"

namespace halocline::test {

namespace {

using device::HostIncidence;

HostIncidence edge_rows(LoopWorld& world) {
    return device::build_incidence(*world.edges().part, *world.nodes().part,
                                   {{world.edge_nodes().part, 0}, {world.edge_nodes().part, 1}},
                                   {});
}

class EdgeRows : public ::testing::Test {
protected:
    Communicator comm{MPI_COMM_WORLD};
    WorldTables tables{{300, 900, 3, 3, 60, 50}, 7};
    LoopWorld world{comm, tables, {Backend::serial, 1, "block", false}};
    HostIncidence rows = edge_rows(world);

    /// Calls `visit(target, entry)` for each entry of all rows.
    template <class Visit>
    void for_each_entry(Visit&& visit) const {
        for (LocalIndex target = 0; target < rows.targets; ++target) {
            const auto i = static_cast<std::size_t>(target);
            for (LocalIndex s = 0; s < rows.length[i]; ++s) {
                const LocalIndex slot = rows.begin[i / device::slice] + s;
                visit(target,
                      static_cast<std::size_t>(slot * device::slice + target % device::slice));
            }
        }
    }
    [[nodiscard]] LocalIndex target_at(std::size_t t, LocalIndex place) const {
        const LocalIndex beyond = rows.tiles[t].source + place - device::tile;
        return place < device::tile ? static_cast<LocalIndex>(t) * device::tile + place
                                    : rows.sources[static_cast<std::size_t>(beyond)];
    }
    [[nodiscard]] LocalIndex value_at(std::size_t t, LocalIndex place) const {
        const LocalIndex own = rows.tiles[t + 1].value - rows.tiles[t].value;
        const LocalIndex beyond = rows.tiles[t].reused + place - own;
        return place < own ? rows.tiles[t].value + place
                           : rows.reused[static_cast<std::size_t>(beyond)];
    }
};

TEST_F(EdgeRows, EveryEntryFindsBothEndsAndTheValueOfItsEdge) {
    int entries = 0;
    for_each_entry([&](LocalIndex target, std::size_t entry) {
        ++entries;
        const auto t = static_cast<std::size_t>(target / device::tile);
        const device::EntryPlaces places(rows.places[entry]);
        const LocalIndex element = rows.element[entry];
        const LocalIndex value = value_at(t, places.value);
        EXPECT_EQ(rows.element_of_value[static_cast<std::size_t>(value)], element);
        EXPECT_EQ(places.is_from_second_end, rows.column[entry] == 1);
        const auto end =
            static_cast<std::size_t>(2 * element + (places.is_from_second_end ? 0 : 1));
        EXPECT_EQ(target_at(t, places.other), world.edge_nodes().part->targets[end]);
    });
    EXPECT_EQ(entries, 2 * 900);
}

TEST_F(EdgeRows, ListsOfTilesNameNothingTwiceAndNothingOfTheTile) {
    for (std::size_t t = 0; t + 1 < rows.tiles.size(); ++t) {
        for (LocalIndex k = rows.tiles[t].source; k < rows.tiles[t + 1].source; ++k) {
            const auto at = static_cast<std::size_t>(k);
            EXPECT_NE(rows.sources[at] / device::tile, static_cast<LocalIndex>(t));
            EXPECT_TRUE(k == rows.tiles[t].source || rows.sources[at - 1] < rows.sources[at]);
        }
        for (LocalIndex k = rows.tiles[t].reused; k < rows.tiles[t + 1].reused; ++k) {
            const auto at = static_cast<std::size_t>(k);
            EXPECT_LT(rows.reused[at], rows.tiles[t].value);
            EXPECT_TRUE(k == rows.tiles[t].reused || rows.reused[at - 1] < rows.reused[at]);
        }
    }
}

TEST(TilesOfEdgeRows, RefuseMoreElementsThanTheyCanNumber) {
    const Communicator comm(MPI_COMM_WORLD);
    const WorldTables tables({160, 45000, 3, 3, 3, 3}, 7);
    LoopWorld world(comm, tables, {Backend::serial, 1, "block", false});
    EXPECT_THROW(static_cast<void>(edge_rows(world)), ContractError);
}

TEST_F(EdgeRows, ValuesLieThereOnce) {
    std::set<LocalIndex> seen;
    for_each_entry([&](LocalIndex target, std::size_t entry) {
        const auto t = static_cast<std::size_t>(target / device::tile);
        seen.insert(value_at(t, device::EntryPlaces(rows.places[entry]).value));
    });
    EXPECT_EQ(seen.size(), 900U);
    EXPECT_LT(rows.element_of_value.size(), 900 + rows.tiles.size());
}

/// Copies of two values at a time begin where a tile does.
TEST_F(EdgeRows, TilesBeginAtEvenNumbers) {
    for (const device::TileBegin& begin : rows.tiles) {
        EXPECT_EQ(begin.value % 2, 0);
    }
    EXPECT_EQ(rows.element_of_value.size(),
              static_cast<std::size_t>(rows.tiles[rows.tiles.size() - 1].value));
}

TEST_F(EdgeRows, CopiesFollowTheOrderInWhichRowsMeetTheEdges) {
    std::vector<double> values(900 * 3);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<double>(i);
    }
    const RawDat dat{values.data(), 3, Layout::rows(3)};
    const Buffer<double> copy = device::copy_in_row_order<double>(rows, dat);
    ASSERT_EQ(copy.size(), 3 * rows.element_of_value.size());
    for (std::size_t v = 0; v < rows.element_of_value.size(); ++v) {
        for (std::size_t d = 0; d < 3; ++d) {
            EXPECT_EQ(copy[v * 3 + d],
                      static_cast<double>(rows.element_of_value[v] * 3) + static_cast<double>(d));
        }
    }
}

}  // namespace

}  // namespace halocline::test
