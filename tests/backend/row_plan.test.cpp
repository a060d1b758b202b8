// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rows of devices: values of edges lie there once, and every entry finds its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "halocline/backend/device/row_plan.hpp"
#include "support/loop_world.hpp"

namespace halocline::test {

namespace {

using device::HostRows;
using device::RowsView;

RowsView view_of(const HostRows& rows) {
    return {rows.begin.data(), rows.length.data(), rows.element.data(),    rows.column.data(),
            rows.other.data(), rows.value.data(),  rows.first_value.data()};
}

class EdgeRows : public ::testing::Test {
protected:
    Communicator comm{MPI_COMM_WORLD};
    WorldTables tables{{300, 900, 3, 3, 60, 50}, 7};
    LoopWorld world{comm, tables, {Backend::serial, 1, "block", false}};
    HostRows rows =
        device::build_rows(*world.edges().part, *world.nodes().part,
                           {{world.edge_nodes().part, 0}, {world.edge_nodes().part, 1}}, {});
};

TEST_F(EdgeRows, EveryEntryFindsTheValueOfItsEdgeAndTheEndItLooksFrom) {
    const RowsView view = view_of(rows);
    int entries = 0;
    for (LocalIndex target = 0; target < rows.targets; ++target) {
        const int length = rows.length[static_cast<std::size_t>(target)];
        for (int s = 0; s < length; ++s, ++entries) {
            const auto at = static_cast<std::size_t>(
                (rows.begin[static_cast<std::size_t>(target / device::slice)] + s) * device::slice +
                target % device::slice);
            const device::ValuePlace place =
                value_place(view, target, rows.other[at], rows.value[at]);
            EXPECT_EQ(rows.element_of_value[static_cast<std::size_t>(place.value)],
                      rows.element[at]);
            EXPECT_EQ(place.is_from_second_end, rows.column[at] == 1);
        }
    }
    EXPECT_EQ(entries, 2 * 900);
}

TEST_F(EdgeRows, ValuesLieThereOnce) {
    std::vector<LocalIndex> met(rows.element_of_value.begin(), rows.element_of_value.end());
    std::sort(met.begin(), met.end());
    EXPECT_EQ(std::adjacent_find(met.begin(), met.end()), met.end());
    EXPECT_EQ(met.size(), 900U);
}

TEST_F(EdgeRows, CopiesFollowTheOrderInWhichRowsMeetTheEdges) {
    std::vector<double> values(900 * 3);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<double>(i);
    }
    const RawDat dat{values.data(), 3, Layout::rows(3)};
    const Buffer<double> copy = device::copy_in_row_order(rows, dat);
    ASSERT_EQ(copy.size(), values.size());
    for (std::size_t v = 0; v < 900; ++v) {
        for (std::size_t d = 0; d < 3; ++d) {
            EXPECT_EQ(copy[v * 3 + d],
                      static_cast<double>(rows.element_of_value[v] * 3) + static_cast<double>(d));
        }
    }
}

}  // namespace

}  // namespace halocline::test
