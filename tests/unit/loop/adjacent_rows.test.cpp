// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Narrow rows that lie one after the other, to packs and back.
#include "halocline/loop/adjacent_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

namespace halocline {

namespace {

/// Row r holds 100 r + component.
template <int n>
void expect_components() {
    if constexpr (detail::has_adjacent_form<n>) {
        alignas(64) double memory[n * pack_lanes];
        for (int i = 0; i < n * pack_lanes; ++i) {
            memory[i] = 100.0 * (i / n) + i % n;
        }
        const Values<Pack, n> values = load_adjacent_rows<n>(memory);
        for (int d = 0; d < n; ++d) {
            for (int lane = 0; lane < pack_lanes; ++lane) {
                EXPECT_EQ(values[d][lane], 100.0 * lane + d)
                    << "rows of " << n << ", component " << d << ", lane " << lane;
            }
        }
    }
}

template <int n>
void expect_rows(StoreMode mode) {
    if constexpr (detail::has_adjacent_form<n>) {
        constexpr int size = n * pack_lanes;
        Values<Pack, n> values;
        for (int d = 0; d < n; ++d) {
            for (int lane = 0; lane < pack_lanes; ++lane) {
                values[d].set(lane, 100.0 * lane + d);
            }
        }
        alignas(64) double memory[size + 8];
        std::fill(std::begin(memory), std::end(memory), -1.0);
        store_adjacent_rows<n>(values, memory, mode);
        for (int i = 0; i < size + 8; ++i) {
            EXPECT_EQ(memory[i], i < size ? 100.0 * (i / n) + i % n : -1.0)
                << "rows of " << n << ", place " << i;
        }
    }
}

TEST(AdjacentRows, BecomeComponents) {
    expect_components<2>();
    expect_components<3>();
    expect_components<4>();
}

TEST(AdjacentRows, AreStoredThroughTheCachesAndPastThem) {
    for (const StoreMode mode : {StoreMode::cached, StoreMode::streamed}) {
        expect_rows<2>(mode);
        expect_rows<3>(mode);
        expect_rows<4>(mode);
    }
}

}  // namespace

}  // namespace halocline
