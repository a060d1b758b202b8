// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rows of memory to packs and back: the transposes behind every vectorised loop.
#pragma once

#include "halocline/core/smaller.hpp"
#include "halocline/core/types.hpp"
#include "halocline/core/values.hpp"
#include "halocline/loop/pack.hpp"
#include "halocline/loop/stored.hpp"
#include "halocline/loop/transpose.hpp"

namespace halocline {

namespace detail {

/// Eight components of as many rows as a pack has lanes.
[[gnu::always_inline]] inline void load_eight_components(const double* const (&rows)[pack_lanes],
                                                         Vector* components) {
#if defined(__AVX512F__)
    // Halves of rows are joined while they are loaded: 16 shuffles are left, where a transpose of whole
    // rows has 24. Shuffles compete with arithmetic.
    constexpr int pairs[4][2] = {{0, 2}, {4, 6}, {1, 3}, {5, 7}};
    Vector halves[4][2];
    for (int k = 0; k < 4; ++k) {
        for (int half = 0; half < 2; ++half) {
            halves[k][half] =
                load_halves(rows[pairs[k][0]] + 4 * half, rows[pairs[k][1]] + 4 * half);
        }
    }
    for (int half = 0; half < 2; ++half) {
        const Vector quarters[2][2] = {{even_quarters(halves[0][half], halves[1][half]),
                                        even_quarters(halves[2][half], halves[3][half])},
                                       {odd_quarters(halves[0][half], halves[1][half]),
                                        odd_quarters(halves[2][half], halves[3][half])}};
        for (int k = 0; k < 2; ++k) {
            components[4 * half + 2 * k] =
                __builtin_shufflevector(quarters[k][0], quarters[k][1], 0, 8, 2, 10, 4, 12, 6, 14);
            components[4 * half + 2 * k + 1] =
                __builtin_shufflevector(quarters[k][0], quarters[k][1], 1, 9, 3, 11, 5, 13, 7, 15);
        }
    }
#else
    for (int first = 0; first < simd_lanes; first += pack_lanes) {
        Vector r[pack_lanes];
        for (int lane = 0; lane < pack_lanes; ++lane) {
            r[lane] = load_vector(rows[lane] + first);
        }
        transpose_in_place(r);
        for (int k = 0; k < pack_lanes; ++k) {
            components[first + k] = r[k];
        }
    }
#endif
}

}  // namespace detail

/// Components 0..n-1 of rows of eight doubles, 64-byte aligned, at `rows[lane]`.
template <int n>
[[gnu::always_inline]] inline Values<Pack, n> load_full_rows(
    const double* const (&rows)[pack_lanes]) {
    static_assert(n <= simd_lanes);
    detail::Vector components[simd_lanes];
    detail::load_eight_components(rows, components);
    return make_values<Pack, n>([&](int d) { return Pack(components[d]); });
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
        for (int lane = 0; lane < pack_lanes; ++lane) {
            if (lane < lanes) {
                write_row(lane, store);  // the loop unrolls: what is indexed stays in registers
            }
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

/// Components of rows of any stride and type, as lanes; a kilobyte beyond the last row may be read.
template <int n, class T>
[[gnu::always_inline]] inline Values<Pack, n> load_rows(const T* const (&rows)[pack_lanes]) {
    constexpr int whole = n / pack_lanes * pack_lanes;
    detail::Vector components[n];
    for (int first = 0; first < whole; first += pack_lanes) {
        detail::load_group<detail::Vector, pack_lanes>(rows, first, components + first);
    }
    if constexpr (whole < n) {
        detail::load_group<detail::Vector, n - whole>(rows, whole, components + whole);
    }
    return make_values<Pack, n>([&](int d) { return Pack(components[d]); });
}

/// Components from `first` on as the rows of a pack, `stride` apart: `count` at a time. Where fewer are
/// left, the last ones before them are stored again.
template <int stride, int count, int first, int n>
[[gnu::always_inline]] inline void store_groups(const Values<Pack, n>& values, double* first_row) {
    detail::Vector components[count];
    for (int d = 0; d < count; ++d) {
        components[d] = values[first + d].lanes;
    }
    detail::store_group<detail::Vector, count>(components, first_row + first, stride);
    if constexpr (first + count < n) {
        store_groups<stride, count, detail::smaller(first + count, n - count)>(values, first_row);
    }
}

/// Components as consecutive rows `stride` apart; `lanes` rows are written.
template <int stride, int n>
[[gnu::always_inline]] inline void store_strided_rows(const Values<Pack, n>& values,
                                                      double* first_row, int lanes) {
    if constexpr (n > 1) {
        if (lanes >= pack_lanes) {
            constexpr int most = detail::smaller(n, pack_lanes);
            store_groups<stride, most >= 8 ? 8 : most >= 4 ? 4 : 2, 0>(values, first_row);
            return;
        }
    }
    for (int lane = 0; lane < lanes; ++lane) {
        for (int d = 0; d < n; ++d) {
            first_row[lane * stride + d] = values[d][lane];
        }
    }
}

/// Doubles from one row to the next where `n` components are stored for soon: whole vectors.
[[nodiscard]] constexpr int room_of_row(int n) { return n <= 2 ? n : (n + 3) / 4 * 4; }
template <int n>
inline constexpr int row_room = room_of_row(n);  ///< the same as a constant

/// Components as rows `row_room` apart, in the order of lanes; what a row has beyond them is zero.
template <int n>
[[gnu::always_inline]] inline void store_rows(const Values<Pack, n>& values, double* first_row) {
    constexpr int room = row_room<n>;
    detail::Vector components[room];
    for (int d = 0; d < room; ++d) {
        components[d] = d < n ? values[d < n ? d : 0].lanes : detail::Vector{};
    }
    if constexpr (room == 1) {
        detail::store_unaligned(first_row, components[0]);
    } else {
        constexpr int whole = room / pack_lanes * pack_lanes;
        for (int first = 0; first < whole; first += pack_lanes) {
            detail::store_group<detail::Vector, pack_lanes>(components + first, first_row + first,
                                                            room);
        }
        if constexpr (whole < room) {
            detail::store_group<detail::Vector, room - whole>(components + whole, first_row + whole,
                                                              room);
        }
    }
}

}  // namespace halocline
