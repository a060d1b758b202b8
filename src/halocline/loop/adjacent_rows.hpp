// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rows of few doubles that lie one after the other: whole registers are loaded and stored, not rows.
#pragma once

#include "halocline/loop/rows.hpp"

namespace halocline {

namespace detail {

/// Whether rows of `n` components have such a form on packs of this width.
template <int n>
inline constexpr bool has_adjacent_form = pack_lanes >= 4 && n >= 2 && n <= 4;

/// Vectors full of rows, as they lie in memory, to components.
template <class V, int n>
[[gnu::always_inline]] inline void split_rows(V (&r)[n]) {
    if constexpr (lanes_of_vector<V> == 8) {
        if constexpr (n == 2) {
            const V first = r[0];
            r[0] = __builtin_shufflevector(first, r[1], 0, 2, 4, 6, 8, 10, 12, 14);
            r[1] = __builtin_shufflevector(first, r[1], 1, 3, 5, 7, 9, 11, 13, 15);
        } else if constexpr (n == 3) {
            const V x = __builtin_shufflevector(r[0], r[1], 0, 3, 6, 9, 12, 15, 0, 0);
            const V y = __builtin_shufflevector(r[0], r[1], 1, 4, 7, 10, 13, 0, 0, 0);
            const V z = __builtin_shufflevector(r[0], r[1], 2, 5, 8, 11, 14, 0, 0, 0);
            r[0] = __builtin_shufflevector(x, r[2], 0, 1, 2, 3, 4, 5, 10, 13);
            r[1] = __builtin_shufflevector(y, r[2], 0, 1, 2, 3, 4, 8, 11, 14);
            r[2] = __builtin_shufflevector(z, r[2], 0, 1, 2, 3, 4, 9, 12, 15);
        } else {
            // Components 0 and 1, then 2 and 3, of rows 0 to 3 and of rows 4 to 7.
            const V low01 = __builtin_shufflevector(r[0], r[1], 0, 4, 8, 12, 1, 5, 9, 13);
            const V low23 = __builtin_shufflevector(r[0], r[1], 2, 6, 10, 14, 3, 7, 11, 15);
            const V high01 = __builtin_shufflevector(r[2], r[3], 0, 4, 8, 12, 1, 5, 9, 13);
            const V high23 = __builtin_shufflevector(r[2], r[3], 2, 6, 10, 14, 3, 7, 11, 15);
            r[0] = __builtin_shufflevector(low01, high01, 0, 1, 2, 3, 8, 9, 10, 11);
            r[1] = __builtin_shufflevector(low01, high01, 4, 5, 6, 7, 12, 13, 14, 15);
            r[2] = __builtin_shufflevector(low23, high23, 0, 1, 2, 3, 8, 9, 10, 11);
            r[3] = __builtin_shufflevector(low23, high23, 4, 5, 6, 7, 12, 13, 14, 15);
        }
    } else if constexpr (n == 2) {
        const V even = __builtin_shufflevector(r[0], r[1], 0, 1, 4, 5);  // rows 0 and 2
        const V odd = __builtin_shufflevector(r[0], r[1], 2, 3, 6, 7);   // rows 1 and 3
        r[0] = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
        r[1] = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
    } else if constexpr (n == 3) {
        const V x0y0 = __builtin_shufflevector(r[0], r[1], 0, 1, 6, 7);  // and x2 y2
        const V z0x1 = __builtin_shufflevector(r[0], r[2], 2, 3, 4, 5);  // and z2 x3
        const V y1z1 = __builtin_shufflevector(r[1], r[2], 0, 1, 6, 7);  // and y3 z3
        r[0] = __builtin_shufflevector(x0y0, z0x1, 0, 5, 2, 7);
        r[1] = __builtin_shufflevector(x0y0, y1z1, 1, 4, 3, 6);
        r[2] = __builtin_shufflevector(z0x1, y1z1, 0, 5, 2, 7);
    } else {
        transpose_in_place(r);
    }
}

/// The way back.
template <class V, int n>
[[gnu::always_inline]] inline void join_rows(V (&c)[n]) {
    if constexpr (lanes_of_vector<V> == 8) {
        if constexpr (n == 2) {
            const V first = c[0];
            c[0] = __builtin_shufflevector(first, c[1], 0, 8, 1, 9, 2, 10, 3, 11);
            c[1] = __builtin_shufflevector(first, c[1], 4, 12, 5, 13, 6, 14, 7, 15);
        } else if constexpr (n == 3) {
            const V low = __builtin_shufflevector(c[0], c[1], 0, 8, 0, 1, 9, 0, 2, 10);
            const V middle = __builtin_shufflevector(c[0], c[1], 0, 3, 11, 0, 4, 12, 0, 5);
            const V high = __builtin_shufflevector(c[0], c[1], 13, 0, 6, 14, 0, 7, 15, 0);
            const V z = c[2];
            c[0] = __builtin_shufflevector(low, z, 0, 1, 8, 3, 4, 9, 6, 7);
            c[1] = __builtin_shufflevector(middle, z, 10, 1, 2, 11, 4, 5, 12, 7);
            c[2] = __builtin_shufflevector(high, z, 0, 13, 2, 3, 14, 5, 6, 15);
        } else {
            const V low01 = __builtin_shufflevector(c[0], c[1], 0, 1, 2, 3, 8, 9, 10, 11);
            const V high01 = __builtin_shufflevector(c[0], c[1], 4, 5, 6, 7, 12, 13, 14, 15);
            const V low23 = __builtin_shufflevector(c[2], c[3], 0, 1, 2, 3, 8, 9, 10, 11);
            const V high23 = __builtin_shufflevector(c[2], c[3], 4, 5, 6, 7, 12, 13, 14, 15);
            c[0] = __builtin_shufflevector(low01, low23, 0, 4, 8, 12, 1, 5, 9, 13);
            c[1] = __builtin_shufflevector(low01, low23, 2, 6, 10, 14, 3, 7, 11, 15);
            c[2] = __builtin_shufflevector(high01, high23, 0, 4, 8, 12, 1, 5, 9, 13);
            c[3] = __builtin_shufflevector(high01, high23, 2, 6, 10, 14, 3, 7, 11, 15);
        }
    } else if constexpr (n == 2) {
        const V even = __builtin_shufflevector(c[0], c[1], 0, 4, 2, 6);
        const V odd = __builtin_shufflevector(c[0], c[1], 1, 5, 3, 7);
        c[0] = __builtin_shufflevector(even, odd, 0, 1, 4, 5);
        c[1] = __builtin_shufflevector(even, odd, 2, 3, 6, 7);
    } else if constexpr (n == 3) {
        const V x0y0 = __builtin_shufflevector(c[0], c[1], 0, 4, 2, 6);
        const V z0x1 = __builtin_shufflevector(c[2], c[0], 0, 5, 2, 7);
        const V y1z1 = __builtin_shufflevector(c[1], c[2], 1, 5, 3, 7);
        c[0] = __builtin_shufflevector(x0y0, z0x1, 0, 1, 4, 5);
        c[1] = __builtin_shufflevector(y1z1, x0y0, 0, 1, 6, 7);
        c[2] = __builtin_shufflevector(z0x1, y1z1, 2, 3, 6, 7);
    } else {
        transpose_in_place(c);
    }
}

}  // namespace detail

/// The rows of a pack, one after the other, from memory aligned to the size of a pack.
template <int n>
[[gnu::always_inline]] inline Values<Pack, n> load_adjacent_rows(const double* first_row) {
    detail::Vector r[n];
    for (int d = 0; d < n; ++d) {
        r[d] = detail::load_vector(first_row + d * pack_lanes);
    }
    detail::split_rows(r);
    return make_values<Pack, n>([&](int d) { return Pack(r[d]); });
}

/// Whether a pack of such rows is whole cache lines, so that they may go past the caches.
template <int n>
inline constexpr bool adjacent_rows_fill_lines = n* pack_lanes % simd_lanes == 0;

/// Stores the rows of adjacent elements.
template <int n>
[[gnu::always_inline]] inline void store_adjacent_rows(const Values<Pack, n>& values,
                                                       double* first_row, StoreMode mode) {
    detail::Vector c[n];
    for (int d = 0; d < n; ++d) {
        c[d] = values[d].lanes;
    }
    detail::join_rows(c);
    if (adjacent_rows_fill_lines<n> && mode == StoreMode::streamed) {
        for (int d = 0; d < n; ++d) {
            Pack(c[d]).stream(first_row + d * pack_lanes);
        }
    } else {
        for (int d = 0; d < n; ++d) {
            Pack(c[d]).store(first_row + d * pack_lanes);
        }
    }
}

}  // namespace halocline
