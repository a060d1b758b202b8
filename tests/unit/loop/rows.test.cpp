// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Eight rows of memory to packs and back.
#include "halocline/loop/rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

namespace halocline {

namespace {

constexpr int count = 16;

/// Row r holds 100 r + component.
struct Memory {
    alignas(64) double rows[count][8];
    Memory() {
        for (int row = 0; row < count; ++row) {
            for (int d = 0; d < 8; ++d) {
                rows[row][d] = 100.0 * row + d;
            }
        }
    }
};

constexpr int picked[] = {3, 0, 15, 7, 7, 1, 12, 2};  // as many of them as a pack has lanes

template <int n>
void expect_rows(const Values<Pack, n>& values) {
    for (int d = 0; d < n; ++d) {
        for (int lane = 0; lane < pack_lanes; ++lane) {
            EXPECT_EQ(values[d][lane], 100.0 * picked[lane] + d)
                << "component " << d << ", lane " << lane;
        }
    }
}

TEST(Rows, FullRowsBecomeComponents) {
    const Memory memory;
    const double* rows[pack_lanes];
    for (int lane = 0; lane < pack_lanes; ++lane) {
        rows[lane] = memory.rows[picked[lane]];
    }
    expect_rows(load_full_rows<8>(rows));
    expect_rows(load_full_rows<5>(rows));
    expect_rows(load_full_rows<1>(rows));
}

TEST(Rows, UnalignedRowsOfAnyStrideBecomeComponents) {
    double values[count * 3 + 1];
    for (int i = 0; i < count * 3; ++i) {
        values[i + 1] = 100.0 * (i / 3) + i % 3;
    }
    const double* rows[pack_lanes];
    for (int lane = 0; lane < pack_lanes; ++lane) {
        rows[lane] = values + 1 + 3 * picked[lane];
    }
    expect_rows(load_rows<3>(rows));
}

TEST(Rows, StoringWritesOnlyTheLanesThatExist) {
    Values<Pack, 8> values;
    for (int d = 0; d < 8; ++d) {
        for (int lane = 0; lane < pack_lanes; ++lane) {
            values[d].set(lane, 10.0 * lane + d);
        }
    }
    for (const StoreMode mode : {StoreMode::cached, StoreMode::streamed}) {
        for (int lanes = 0; lanes <= pack_lanes; ++lanes) {
            alignas(64) double memory[64];
            std::fill(std::begin(memory), std::end(memory), -1.0);
            store_full_rows(values, memory, lanes, mode);
            for (int i = 0; i < 64; ++i) {
                EXPECT_EQ(memory[i], i / 8 < lanes ? 10.0 * (i / 8) + i % 8 : -1.0) << lanes;
            }
        }
    }
}

/// Rows of `n` components, each followed by another value that must stay.
template <int n>
void expect_strided_stores() {
    constexpr int stride = n + 1;
    Values<Pack, n> values;
    for (int d = 0; d < n; ++d) {
        for (int lane = 0; lane < pack_lanes; ++lane) {
            values[d].set(lane, 100.0 * lane + d);
        }
    }
    for (int lanes = 0; lanes <= pack_lanes; ++lanes) {
        double memory[pack_lanes * stride];
        std::fill(std::begin(memory), std::end(memory), -1.0);
        store_strided_rows<stride>(values, memory, lanes);
        for (int i = 0; i < pack_lanes * stride; ++i) {
            const bool written = i / stride < lanes && i % stride < n;
            EXPECT_EQ(memory[i], written ? 100.0 * (i / stride) + i % stride : -1.0)
                << "rows of " << n << ", " << lanes << " of them, place " << i;
        }
    }
}

TEST(Rows, RowsOfAnyWidthAreStoredAndNothingBesideThem) {
    [&]<int... n>(std::integer_sequence<int, n...>) { (expect_strided_stores<n + 1>(), ...); }
    (std::make_integer_sequence<int, 20>{});
}

}  // namespace

}  // namespace halocline
