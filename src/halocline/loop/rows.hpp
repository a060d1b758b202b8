// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rows of memory to packs and back: the transposes behind every vectorised loop.
#pragma once

#include "halocline/core/types.hpp"
#include "halocline/core/values.hpp"
#include "halocline/loop/pack.hpp"

namespace halocline {

namespace detail {

using Vector = Pack::Vector;

/// Quarters (128 bits) 0 and 2 of a, then of b.
template <class V>
inline V even_quarters(V a, V b) {
    return __builtin_shufflevector(a, b, 0, 1, 4, 5, 8, 9, 12, 13);
}

/// Quarters 1 and 3 of a, then of b.
template <class V>
inline V odd_quarters(V a, V b) {
    return __builtin_shufflevector(a, b, 2, 3, 6, 7, 10, 11, 14, 15);
}

/// Transpose of as many vectors as a vector has lanes, in registers: neighbours pair up, then what
/// they left is dealt out in pieces of 128 bits. Every step is one shuffle with an immediate, so no
/// index vectors occupy registers.
template <class V>
[[gnu::always_inline]] inline void transpose_in_place(V (&r)[sizeof(V) / sizeof(double)]) {
    if constexpr (sizeof(V) == 64) {
        V even[4];  // columns 0, 2, 4, 6 of two rows
        V odd[4];   // columns 1, 3, 5, 7 of two rows
        for (int i = 0; i < 4; ++i) {
            even[i] =
                __builtin_shufflevector(r[2 * i], r[2 * i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
            odd[i] = __builtin_shufflevector(r[2 * i], r[2 * i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
        }
        const V c04[2] = {even_quarters(even[0], even[1]), even_quarters(even[2], even[3])};
        const V c26[2] = {odd_quarters(even[0], even[1]), odd_quarters(even[2], even[3])};
        const V c15[2] = {even_quarters(odd[0], odd[1]), even_quarters(odd[2], odd[3])};
        const V c37[2] = {odd_quarters(odd[0], odd[1]), odd_quarters(odd[2], odd[3])};
        r[0] = even_quarters(c04[0], c04[1]);
        r[4] = odd_quarters(c04[0], c04[1]);
        r[2] = even_quarters(c26[0], c26[1]);
        r[6] = odd_quarters(c26[0], c26[1]);
        r[1] = even_quarters(c15[0], c15[1]);
        r[5] = odd_quarters(c15[0], c15[1]);
        r[3] = even_quarters(c37[0], c37[1]);
        r[7] = odd_quarters(c37[0], c37[1]);
    } else if constexpr (sizeof(V) == 32) {
        const V even[2] = {__builtin_shufflevector(r[0], r[1], 0, 4, 2, 6),
                           __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6)};
        const V odd[2] = {__builtin_shufflevector(r[0], r[1], 1, 5, 3, 7),
                          __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7)};
        r[0] = __builtin_shufflevector(even[0], even[1], 0, 1, 4, 5);
        r[2] = __builtin_shufflevector(even[0], even[1], 2, 3, 6, 7);
        r[1] = __builtin_shufflevector(odd[0], odd[1], 0, 1, 4, 5);
        r[3] = __builtin_shufflevector(odd[0], odd[1], 2, 3, 6, 7);
    } else {
        const V first = r[0];
        r[0] = __builtin_shufflevector(first, r[1], 0, 2);
        r[1] = __builtin_shufflevector(first, r[1], 1, 3);
    }
}

inline Vector load_vector(const double* memory) {
    return *static_cast<const Vector*>(static_cast<const void*>(memory));
}

/// One double from each row.
template <class V>
[[gnu::always_inline]] inline V collect(const double* const (&rows)[sizeof(V) / sizeof(double)],
                                        int d) {
    if constexpr (sizeof(V) == 64) {
        return V{rows[0][d], rows[1][d], rows[2][d], rows[3][d],
                 rows[4][d], rows[5][d], rows[6][d], rows[7][d]};
    } else if constexpr (sizeof(V) == 32) {
        return V{rows[0][d], rows[1][d], rows[2][d], rows[3][d]};
    } else {
        return V{rows[0][d], rows[1][d]};
    }
}

}  // namespace detail

/// Components 0..n-1 of rows of eight doubles, 64-byte aligned, at `rows[lane]`.
template <int n>
[[gnu::always_inline]] inline Values<Pack, n> load_full_rows(
    const double* const (&rows)[pack_lanes]) {
    static_assert(n <= simd_lanes);
    Values<Pack, n> result;
    for (int first = 0; first < n; first += pack_lanes) {
        detail::Vector r[pack_lanes];
        for (int lane = 0; lane < pack_lanes; ++lane) {
            r[lane] = detail::load_vector(rows[lane] + first);
        }
        detail::transpose_in_place(r);
        for (int d = first; d < n && d < first + pack_lanes; ++d) {
            result[d] = Pack(r[d - first]);
        }
    }
    return result;
}

/// How whole rows reach memory: through the caches, or past them when the dat exceeds them anyway
/// (each row is a cache line, so a streamed store saves reading it first).
enum class StoreMode { cached, streamed };

/// Eight packs as consecutive aligned rows of eight doubles, a row a lane; `lanes` rows are written.
[[gnu::always_inline]] inline void store_full_rows(const Values<Pack, simd_lanes>& values,
                                                   double* first_row, int lanes, StoreMode mode) {
    constexpr int packs_a_row = simd_lanes / pack_lanes;
    detail::Vector row_packs[packs_a_row][pack_lanes];
    for (int part = 0; part < packs_a_row; ++part) {
        for (int d = 0; d < pack_lanes; ++d) {
            row_packs[part][d] = values[part * pack_lanes + d].lanes;
        }
        detail::transpose_in_place(row_packs[part]);
    }
    // Row by row: a streamed cache line must be complete before the next one begins.
    const auto write_row = [&](int lane, auto&& write) {
        for (int part = 0; part < packs_a_row; ++part) {
            write(Pack(row_packs[part][lane]), first_row + simd_lanes * lane + part * pack_lanes);
        }
    };
    const auto store = [](Pack pack, double* memory) { pack.store(memory); };
    if (lanes < pack_lanes) {
        for (int lane = 0; lane < lanes; ++lane) {
            write_row(lane, store);
        }
    } else if (mode == StoreMode::streamed) {
        for (int lane = 0; lane < pack_lanes; ++lane) {
            write_row(lane, [](Pack pack, double* memory) { pack.stream(memory); });
        }
    } else {
        for (int lane = 0; lane < pack_lanes; ++lane) {
            write_row(lane, store);
        }
    }
}

/// Components of rows of any stride.
template <int n>
[[gnu::always_inline]] inline Values<Pack, n> load_rows(const double* const (&rows)[pack_lanes]) {
    Values<Pack, n> result;
    for (int d = 0; d < n; ++d) {
        result[d] = Pack(detail::collect<detail::Vector>(rows, d));
    }
    return result;
}

}  // namespace halocline
