// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Eight rows of memory to packs and back: the transposes behind every vectorised loop.
#pragma once

#include "halocline/core/types.hpp"
#include "halocline/core/values.hpp"
#include "halocline/loop/pack.hpp"

namespace halocline {

namespace detail {

using Vector = Pack::Vector;

/// Quarters (128 bits) 0 and 2 of a, then of b.
inline Vector even_quarters(Vector a, Vector b) {
    return __builtin_shufflevector(a, b, 0, 1, 4, 5, 8, 9, 12, 13);
}

/// Quarters 1 and 3 of a, then of b.
inline Vector odd_quarters(Vector a, Vector b) {
    return __builtin_shufflevector(a, b, 2, 3, 6, 7, 10, 11, 14, 15);
}

/// 8x8 transpose in registers: neighbours pair up, then quarters are dealt out twice. Every step is
/// one shuffle with an immediate, so no index vectors occupy registers.
[[gnu::always_inline]] inline void transpose_in_place(Vector (&r)[8]) {
    Vector even[4];  // columns 0, 2, 4, 6 of two rows
    Vector odd[4];   // columns 1, 3, 5, 7 of two rows
    for (int i = 0; i < 4; ++i) {
        even[i] = __builtin_shufflevector(r[2 * i], r[2 * i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        odd[i] = __builtin_shufflevector(r[2 * i], r[2 * i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    const Vector c04[2] = {even_quarters(even[0], even[1]), even_quarters(even[2], even[3])};
    const Vector c26[2] = {odd_quarters(even[0], even[1]), odd_quarters(even[2], even[3])};
    const Vector c15[2] = {even_quarters(odd[0], odd[1]), even_quarters(odd[2], odd[3])};
    const Vector c37[2] = {odd_quarters(odd[0], odd[1]), odd_quarters(odd[2], odd[3])};
    r[0] = even_quarters(c04[0], c04[1]);
    r[4] = odd_quarters(c04[0], c04[1]);
    r[2] = even_quarters(c26[0], c26[1]);
    r[6] = odd_quarters(c26[0], c26[1]);
    r[1] = even_quarters(c15[0], c15[1]);
    r[5] = odd_quarters(c15[0], c15[1]);
    r[3] = even_quarters(c37[0], c37[1]);
    r[7] = odd_quarters(c37[0], c37[1]);
}

inline Vector load_vector(const double* memory) {
    return *static_cast<const Vector*>(static_cast<const void*>(memory));
}

}  // namespace detail

/// Components 0..n-1 of eight rows of eight doubles, 64-byte aligned, at `rows[lane]`.
template <int n>
[[gnu::always_inline]] inline Values<Pack, n> load_full_rows(
    const double* const (&rows)[simd_lanes]) {
    static_assert(n <= 8);
    detail::Vector r[8];
    for (int lane = 0; lane < 8; ++lane) {
        r[lane] = detail::load_vector(rows[lane]);
    }
    detail::transpose_in_place(r);
    Values<Pack, n> result;
    for (int d = 0; d < n; ++d) {
        result[d] = Pack(r[d]);
    }
    return result;
}

/// How whole rows reach memory: through the caches, or past them when the dat exceeds them anyway
/// (each row is a cache line, so a streamed store saves reading it first).
enum class StoreMode { cached, streamed };

/// Eight packs as eight consecutive aligned rows of eight doubles; `lanes` rows are written.
[[gnu::always_inline]] inline void store_full_rows(const Values<Pack, 8>& values, double* first_row,
                                                   int lanes, StoreMode mode) {
    detail::Vector r[8];
    for (int d = 0; d < 8; ++d) {
        r[d] = values[d].lanes;
    }
    detail::transpose_in_place(r);
    if (lanes < simd_lanes) {
        for (int lane = 0; lane < lanes; ++lane) {
            Pack(r[lane]).store(first_row + 8 * lane);
        }
    } else if (mode == StoreMode::streamed) {
        for (int lane = 0; lane < simd_lanes; ++lane) {
            Pack(r[lane]).stream(first_row + 8 * lane);
        }
    } else {
        for (int lane = 0; lane < simd_lanes; ++lane) {
            Pack(r[lane]).store(first_row + 8 * lane);
        }
    }
}

/// Components of eight rows of any stride.
template <int n>
[[gnu::always_inline]] inline Values<Pack, n> load_rows(const double* const (&rows)[simd_lanes]) {
    Values<Pack, n> result;
    for (int d = 0; d < n; ++d) {
        result[d] = Pack(detail::Vector{rows[0][d], rows[1][d], rows[2][d], rows[3][d], rows[4][d],
                                        rows[5][d], rows[6][d], rows[7][d]});
    }
    return result;
}

}  // namespace halocline
