// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rows of memory to packs and back: the transposes behind every vectorised loop.
#pragma once

#include <algorithm>

#include "halocline/core/types.hpp"
#include "halocline/core/values.hpp"
#include "halocline/loop/pack.hpp"
#include "halocline/loop/stored.hpp"

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
            even[i] = __builtin_shufflevector(r[2 * i], r[2 * i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
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

template <int lanes>
struct VectorOf {
    typedef double type __attribute__((vector_size(8 * lanes)));
    typedef double unaligned __attribute__((vector_size(8 * lanes), aligned(8)));
};
template <class V>
inline constexpr int lanes_of_vector = static_cast<int>(sizeof(V) / sizeof(double));

/// Not by memcpy: g++ would move halves, and loads of the whole wait for both stores.
template <class V>
[[gnu::always_inline]] inline V load_unaligned(const double* memory) {
    using Unaligned = typename VectorOf<lanes_of_vector<V>>::unaligned;
    return *static_cast<const Unaligned*>(static_cast<const void*>(memory));
}
template <class V>
[[gnu::always_inline]] inline void store_unaligned(double* memory, V v) {
    using Unaligned = typename VectorOf<lanes_of_vector<V>>::unaligned;
    *static_cast<Unaligned*>(static_cast<void*>(memory)) = v;
}
template <class V>
using HalfOf = typename VectorOf<lanes_of_vector<V> / 2>::type;

template <class V>
[[gnu::always_inline]] inline V join_halves(HalfOf<V> low, HalfOf<V> high) {
    if constexpr (lanes_of_vector<V> == 8) {
        return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
    } else {
        return __builtin_shufflevector(low, high, 0, 1, 2, 3);
    }
}

template <class V>
[[gnu::always_inline]] inline HalfOf<V> low_half(V v) {
    if constexpr (lanes_of_vector<V> == 8) {
        return __builtin_shufflevector(v, v, 0, 1, 2, 3);
    } else {
        return __builtin_shufflevector(v, v, 0, 1);
    }
}

template <class V>
[[gnu::always_inline]] inline HalfOf<V> high_half(V v) {
    if constexpr (lanes_of_vector<V> == 8) {
        return __builtin_shufflevector(v, v, 4, 5, 6, 7);
    } else {
        return __builtin_shufflevector(v, v, 2, 3);
    }
}

template <class V>
[[gnu::always_inline]] inline V load_part(const double* memory) {
    return load_unaligned<V>(memory);
}
/// Of other types: widened.
template <class V, class T>
[[gnu::always_inline]] inline V load_part(const T* memory) {
    return load_lanes<V>(memory);
}

/// One value from each row.
template <class V, class T>
[[gnu::always_inline]] inline V collect(const T* const* rows, int d) {
    if constexpr (lanes_of_vector<V> == 8) {
        return V{lane_of(rows[0] + d), lane_of(rows[1] + d), lane_of(rows[2] + d),
                 lane_of(rows[3] + d), lane_of(rows[4] + d), lane_of(rows[5] + d),
                 lane_of(rows[6] + d), lane_of(rows[7] + d)};
    } else if constexpr (lanes_of_vector<V> == 4) {
        return V{lane_of(rows[0] + d), lane_of(rows[1] + d), lane_of(rows[2] + d),
                 lane_of(rows[3] + d)};
    } else {
        return V{lane_of(rows[0] + d), lane_of(rows[1] + d)};
    }
}

/// `count` components of as many rows as V has lanes, from component `first` on. May read up to the
/// size of a vector beyond a row's end, which `Buffer` allows.
template <class V, int count, class T>
[[gnu::always_inline]] inline void load_group(const T* const* rows, int first, V* components) {
    constexpr int lanes = lanes_of_vector<V>;
    if constexpr (count == 1) {
        components[0] = collect<V>(rows, first);
    } else if constexpr (count <= lanes / 2) {
        HalfOf<V> low[count];
        HalfOf<V> high[count];
        load_group<HalfOf<V>, count>(rows, first, low);
        load_group<HalfOf<V>, count>(rows + lanes / 2, first, high);
        for (int d = 0; d < count; ++d) {
            components[d] = join_halves<V>(low[d], high[d]);
        }
    } else {
        V r[lanes];
        for (int lane = 0; lane < lanes; ++lane) {
            r[lane] = load_part<V>(rows[lane] + first);
        }
        transpose_in_place(r);
        for (int d = 0; d < count; ++d) {
            components[d] = r[d];
        }
    }
}

/// The way back: `count` components as rows `stride` apart.
template <class V, int count>
[[gnu::always_inline]] inline void store_group(const V* components, double* first_row, int stride) {
    constexpr int lanes = lanes_of_vector<V>;
    if constexpr (count < lanes) {
        HalfOf<V> low[count];
        HalfOf<V> high[count];
        for (int d = 0; d < count; ++d) {
            low[d] = low_half(components[d]);
            high[d] = high_half(components[d]);
        }
        store_group<HalfOf<V>, count>(low, first_row, stride);
        store_group<HalfOf<V>, count>(high, first_row + lanes / 2 * stride, stride);
    } else {
        V r[lanes];
        for (int d = 0; d < lanes; ++d) {
            r[d] = components[d];
        }
        transpose_in_place(r);
        for (int lane = 0; lane < lanes; ++lane) {
            store_unaligned(first_row + lane * stride, r[lane]);
        }
    }
}

/// Whether rows of `n` components that lie one after the other become components, and these rows again,
/// by two shuffles a vector: half of what rows anywhere take.
template <int n>
inline constexpr bool has_adjacent_form = pack_lanes == 4 && (n == 2 || n == 3);

/// Vectors full of rows, as they lie in memory, to components.
template <class V, int n>
[[gnu::always_inline]] inline void split_rows(V (&r)[n]) {
    if constexpr (n == 2) {
        const V even = __builtin_shufflevector(r[0], r[1], 0, 1, 4, 5);  // rows 0 and 2
        const V odd = __builtin_shufflevector(r[0], r[1], 2, 3, 6, 7);   // rows 1 and 3
        r[0] = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
        r[1] = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
    } else {
        const V x0y0 = __builtin_shufflevector(r[0], r[1], 0, 1, 6, 7);  // and x2 y2
        const V z0x1 = __builtin_shufflevector(r[0], r[2], 2, 3, 4, 5);  // and z2 x3
        const V y1z1 = __builtin_shufflevector(r[1], r[2], 0, 1, 6, 7);  // and y3 z3
        r[0] = __builtin_shufflevector(x0y0, z0x1, 0, 5, 2, 7);
        r[1] = __builtin_shufflevector(x0y0, y1z1, 1, 4, 3, 6);
        r[2] = __builtin_shufflevector(z0x1, y1z1, 0, 5, 2, 7);
    }
}

/// The way back.
template <class V, int n>
[[gnu::always_inline]] inline void join_rows(V (&c)[n]) {
    if constexpr (n == 2) {
        const V even = __builtin_shufflevector(c[0], c[1], 0, 4, 2, 6);
        const V odd = __builtin_shufflevector(c[0], c[1], 1, 5, 3, 7);
        c[0] = __builtin_shufflevector(even, odd, 0, 1, 4, 5);
        c[1] = __builtin_shufflevector(even, odd, 2, 3, 6, 7);
    } else {
        const V x0y0 = __builtin_shufflevector(c[0], c[1], 0, 4, 2, 6);
        const V z0x1 = __builtin_shufflevector(c[2], c[0], 0, 5, 2, 7);
        const V y1z1 = __builtin_shufflevector(c[1], c[2], 1, 5, 3, 7);
        c[0] = __builtin_shufflevector(x0y0, z0x1, 0, 1, 4, 5);
        c[1] = __builtin_shufflevector(y1z1, x0y0, 0, 1, 6, 7);
        c[2] = __builtin_shufflevector(z0x1, y1z1, 2, 3, 6, 7);
    }
}

}  // namespace detail

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
/// Stores the rows of adjacent elements.
template <int n>
[[gnu::always_inline]] inline void store_adjacent_rows(const Values<Pack, n>& values,
                                                       double* first_row) {
    detail::Vector c[n];
    for (int d = 0; d < n; ++d) {
        c[d] = values[d].lanes;
    }
    detail::join_rows(c);
    for (int d = 0; d < n; ++d) {
        Pack(c[d]).store(first_row + d * pack_lanes);
    }
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
        store_groups<stride, count, std::min(first + count, n - count)>(values, first_row);
    }
}

/// Components as consecutive rows `stride` apart; `lanes` rows are written.
template <int stride, int n>
[[gnu::always_inline]] inline void store_strided_rows(const Values<Pack, n>& values,
                                                      double* first_row, int lanes) {
    if constexpr (n > 1) {
        if (lanes >= pack_lanes) {
            constexpr int most = std::min(n, pack_lanes);
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
