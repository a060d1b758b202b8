// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Transposes in registers, of rows anywhere in memory.
#pragma once

#include "halocline/core/types.hpp"
#include "halocline/loop/pack.hpp"
#include "halocline/loop/stored.hpp"

namespace halocline::detail {

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

}  // namespace halocline::detail
