// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Where components lie in memory, counted by hand.
#include <gtest/gtest.h>

#include <set>

#include "halocline/mesh/layout.hpp"

namespace halocline {

namespace {

TEST(Layout, RowsFollowEachOther) {
    const Layout rows = Layout::rows(3);
    EXPECT_EQ(rows.offset(0, 0), 0);
    EXPECT_EQ(rows.offset(0, 2), 2);
    EXPECT_EQ(rows.offset(4, 1), 13);
}

TEST(Layout, LanesAreBlocksOfEight) {
    const Layout lanes = Layout::lanes(3);
    EXPECT_EQ(lanes.offset(0, 0), 0);
    EXPECT_EQ(lanes.offset(7, 0), 7);
    EXPECT_EQ(lanes.offset(0, 1), 8);
    EXPECT_EQ(lanes.offset(5, 2), 21);
    EXPECT_EQ(lanes.offset(8, 0), 24);        // the second block begins after 8 * 3 values
    EXPECT_EQ(lanes.offset(19, 1), 48 + 11);  // third block, second component, lane 3
}

TEST(Layout, PairsOfComponentsLieSideBySideInBlocksOfEight) {
    const Layout pairs = Layout::pairs(8, 16);
    EXPECT_EQ(pairs.offset(0, 1), 1);
    EXPECT_EQ(pairs.offset(1, 0), 2);
    EXPECT_EQ(pairs.offset(0, 2), 16);  // the second pair begins after those of eight elements
    EXPECT_EQ(pairs.offset(7, 7), 63);
    EXPECT_EQ(pairs.offset(8, 0), 64);
    EXPECT_EQ(pairs.size(9, 8), 128);
}

TEST(Layout, TheLastOfAnOddNumberOfComponentsIsAColumn) {
    const Layout pairs = Layout::pairs(5, 16);
    EXPECT_EQ(pairs.offset(7, 3), 31);
    EXPECT_EQ(pairs.offset(8, 0), 32);  // two pairs of eight elements a block
    EXPECT_EQ(pairs.offset(0, 4), 64);  // behind two blocks
    EXPECT_EQ(pairs.offset(8, 4), 72);
    EXPECT_EQ(pairs.size(9, 5), 80);
}

TEST(Layout, DoesNotOverflowOn32BitIndices) {
    EXPECT_EQ(Layout::rows(8).offset(2147483647, 7), std::int64_t{2147483647} * 8 + 7);
    EXPECT_EQ(Layout::lanes(5).offset(2147483647, 0), std::int64_t{2147483647} / 8 * 40 + 7);
}

TEST(Layout, GivesEveryValueItsOwnPlace) {
    for (const Layout& layout :
         {Layout::rows(4), Layout::rows(8), Layout::lanes(4), Layout::pairs(4, 24)}) {
        std::set<std::int64_t> places;
        for (LocalIndex i = 0; i < 24; ++i) {
            for (int d = 0; d < 4; ++d) {
                places.insert(layout.offset(i, d));
            }
        }
        EXPECT_EQ(places.size(), 96U);
    }
    std::set<std::int64_t> places;
    for (LocalIndex i = 0; i < 24; ++i) {
        for (int d = 0; d < 5; ++d) {
            places.insert(Layout::pairs(5, 24).offset(i, d));
        }
    }
    EXPECT_EQ(places.size(), 120U);
    EXPECT_EQ(*places.rbegin(), 119);
}

}  // namespace

}  // namespace halocline
