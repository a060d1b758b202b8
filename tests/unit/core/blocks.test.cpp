// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Block distributions: by hand, and by their three defining properties.
#include <gtest/gtest.h>

#include "halocline/core/communicator.hpp"

namespace halocline {

namespace {

TEST(BlockRange, TenElementsOnFourRanks) {
    // 10 = 3 + 3 + 2 + 2: the larger blocks come first.
    const std::int64_t begins[] = {0, 3, 6, 8, 10};
    for (int rank = 0; rank < 4; ++rank) {
        EXPECT_EQ(block_range(10, rank, 4).begin, begins[rank]);
        EXPECT_EQ(block_range(10, rank, 4).end, begins[rank + 1]);
    }
}

TEST(BlockRange, FewerElementsThanRanksLeavesTheLastEmpty) {
    EXPECT_EQ(block_range(2, 1, 4).size(), 1);
    EXPECT_EQ(block_range(2, 2, 4).size(), 0);
    EXPECT_EQ(block_range(2, 3, 4).begin, 2);
}

TEST(BlockRange, NoElements) {
    for (int rank = 0; rank < 3; ++rank) {
        EXPECT_EQ(block_range(0, rank, 3).size(), 0);
    }
}

TEST(BlockRange, HugeSetsDoNotOverflow) {
    const std::int64_t total = std::int64_t{1} << 62;
    EXPECT_EQ(block_range(total, 2, 3).end, total);
    EXPECT_EQ(block_owner(total - 1, total, 3), 2);
}

TEST(BlockRange, BlocksJoinDifferByOneAndOwnTheirElements) {
    for (const std::int64_t total : {0, 1, 2, 5, 7, 16, 31}) {
        for (int size = 1; size <= 9; ++size) {
            std::int64_t end = 0;
            for (int rank = 0; rank < size; ++rank) {
                const BlockRange block = block_range(total, rank, size);
                EXPECT_EQ(block.begin, end);
                EXPECT_GE(block.size(), total / size);
                EXPECT_LE(block.size(), total / size + 1);
                end = block.end;
                for (std::int64_t i = block.begin; i < block.end; ++i) {
                    EXPECT_EQ(block_owner(i, total, size), rank);
                }
            }
            EXPECT_EQ(end, total);
        }
    }
}

}  // namespace

}  // namespace halocline
