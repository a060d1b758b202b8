// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The account of loops: one row a name and level, in the order of first use.
#include "halocline/loop/loop_table.hpp"

#include <gtest/gtest.h>

#include <string>

namespace halocline {

namespace {

TEST(LoopTable, KeepsRowsByNameAndLevel) {
    LoopTable table;
    table.row({"flux", 0}).calls += 2;
    table.row({"flux", 1}).calls += 5;
    table.row({"update", 0}).seconds += 0.5;
    table.row({"flux", 0}).calls += 1;
    const auto rows = table.rows();
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0].name, "flux");
    EXPECT_EQ(rows[0].calls, 3);
    EXPECT_EQ(rows[1].level, 1);
    EXPECT_EQ(rows[1].calls, 5);
    EXPECT_EQ(rows[2].seconds, 0.5);
}

TEST(LoopTable, TellsNamesBuiltInOneBufferApart) {
    LoopTable table;
    std::string name = "first";
    table.row(LoopName(name.c_str())).calls = 1;
    name = "other";  // same length: the characters change where they are
    table.row(LoopName(name.c_str())).calls += 10;
    const auto rows = table.rows();
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].calls, 1);
    EXPECT_EQ(rows[1].calls, 10);
}

TEST(LoopTable, ClearForgets) {
    LoopTable table;
    table.row("flux").calls = 4;
    table.clear();
    EXPECT_TRUE(table.rows().empty());
    EXPECT_EQ(table.row("flux").calls, 0);
}

TEST(LoopName, TextNamesTheLevelWhereThereIsOne) {
    EXPECT_EQ(LoopName("flux").text(), "flux");
    EXPECT_EQ(LoopName("flux", 2).text(), "flux.L2");
}

}  // namespace

}  // namespace halocline
