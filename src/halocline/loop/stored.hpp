// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Stored values of any type as the eight-byte lanes that loops compute with, and back.
#pragma once

#include <bit>
#include <cstring>
#include <type_traits>

#include "halocline/core/values.hpp"
#include "halocline/loop/extremes.hpp"
#include "halocline/loop/integer_pack.hpp"

namespace halocline::detail {

/// A lane as it lies in registers: doubles, or the bits of 64-bit integers. Shuffles move both alike.
template <class T>
inline constexpr bool has_integer_lanes = IntegerElement<T>;

template <class T, int lanes>
struct StoredVector {
    typedef T plain __attribute__((vector_size(sizeof(T) * lanes)));
    // Memory of loops is made of doubles, whatever lies in it.
    typedef T memory
        __attribute__((vector_size(sizeof(T) * lanes), aligned(alignof(T)), may_alias));
};

/// Widened: floats to doubles, integers to 64 bits. `V` is a vector of doubles.
template <class V, class T>
[[gnu::always_inline]] inline V load_lanes(const T* memory) {
    constexpr int lanes = static_cast<int>(sizeof(V) / 8);
    using Stored = StoredVector<T, lanes>;
    const auto* place =
        static_cast<const typename Stored::memory*>(static_cast<const void*>(memory));
    if constexpr (lanes == pack_lanes && sizeof(T) == 4) {
        return V(widen_lanes(typename Stored::plain(*place)));
    } else if constexpr (has_integer_lanes<T>) {
        using Wide = typename StoredVector<std::int64_t, lanes>::plain;
        return V(__builtin_convertvector(typename Stored::plain(*place), Wide));
    } else {
        return __builtin_convertvector(typename Stored::plain(*place), V);
    }
}

/// Narrowed: doubles rounded to nearest, of integers the low bits.
template <class T, class V>
[[gnu::always_inline]] inline typename StoredVector<T, sizeof(V) / 8>::plain narrowed(V lanes) {
    constexpr int count = static_cast<int>(sizeof(V) / 8);
    using Plain = typename StoredVector<T, count>::plain;
    if constexpr (has_integer_lanes<T>) {
        using Wide = typename StoredVector<std::int64_t, count>::plain;
        return __builtin_convertvector(Wide(lanes), Plain);
    } else {
        return __builtin_convertvector(lanes, Plain);
    }
}

template <class T, class V>
[[gnu::always_inline]] inline void store_lanes(T* memory, V lanes) {
    using Memory = typename StoredVector<T, sizeof(V) / 8>::memory;
    *static_cast<Memory*>(static_cast<void*>(memory)) = narrowed<T>(lanes);
}

/// The same, past the caches if asked to and if a whole register goes there.
template <class T, class V>
[[gnu::always_inline]] inline void stream_lanes(T* memory, V lanes, bool streams) {
#if defined(__AVX512F__)
    if constexpr (sizeof(V) == 64) {
        if (streams) {
            const auto values = narrowed<T>(lanes);
            if constexpr (sizeof(T) == 8) {
                stream_register(static_cast<double*>(static_cast<void*>(memory)),
                                DoubleLanes(values));
            } else {
                stream_half(memory, values);
            }
            return;
        }
    }
#endif
    static_cast<void>(streams);
    store_lanes(memory, lanes);
}

/// What a value becomes by being stored.
template <class T, class V>
[[gnu::always_inline]] inline V as_stored(V lanes) {
    if constexpr (sizeof(T) == 8) {
        return lanes;
    } else if constexpr (has_integer_lanes<T>) {
        using Wide = typename StoredVector<std::int64_t, sizeof(V) / 8>::plain;
        return V(__builtin_convertvector(narrowed<T>(lanes), Wide));
    } else {
        return __builtin_convertvector(narrowed<T>(lanes), V);
    }
}

/// One stored value; memory may be that of doubles.
template <class T>
[[gnu::always_inline]] inline T load_element(const T* memory) {
    if constexpr (std::is_same_v<T, double>) {
        return *memory;
    } else {
        T value;
        std::memcpy(&value, memory, sizeof(T));
        return value;
    }
}
template <class T>
[[gnu::always_inline]] inline void store_element(T* memory, T value) {
    if constexpr (std::is_same_v<T, double>) {
        *memory = value;
    } else {
        std::memcpy(memory, &value, sizeof(T));
    }
}

/// A stored value as a kernel for one element sees it, and back: rounded to nearest, or the low bits.
template <class T>
[[gnu::always_inline]] inline ValueOf<T, double> widened(T value) {
    if constexpr (has_integer_lanes<T>) {
        return Integer<double>(value);
    } else {
        return static_cast<double>(value);
    }
}
template <class T>
[[gnu::always_inline]] inline T narrowed_value(ValueOf<T, double> value) {
    if constexpr (has_integer_lanes<T>) {
        return static_cast<T>(value.lanes);
    } else {
        return static_cast<T>(value);
    }
}

/// What a value for one element becomes by being stored. g++ 12 takes vectors of floats for as
/// wide as vectors of doubles when it looks for conversions that change nothing: where it makes vectors
/// of several such values, the rounding would be lost, were it not hidden from it.
template <class T>
[[gnu::always_inline]] inline ValueOf<T, double> stored_value(ValueOf<T, double> value) {
    T narrow = narrowed_value<T>(value);
    if constexpr (std::is_same_v<T, float>) {
#if defined(__x86_64__)
        asm("" : "+x"(narrow));
#elif defined(__aarch64__)
        asm("" : "+w"(narrow));
#endif
    }
    return widened(narrow);
}

/// One lane of a pack, to be stored as T.
template <class T>
[[gnu::always_inline]] inline T narrowed_lane(const ValueOf<T, Pack>& values, int lane) {
    return static_cast<T>(values[lane]);
}

/// One stored value as a lane.
template <class T>
[[gnu::always_inline]] inline double lane_of(const T* memory) {
    if constexpr (std::is_same_v<T, double>) {
        return *memory;
    } else if constexpr (has_integer_lanes<T>) {
        return std::bit_cast<double>(static_cast<std::int64_t>(load_element(memory)));
    } else {
        return static_cast<double>(load_element(memory));
    }
}

/// A lane as a kernel for one element sees it, and back.
template <class T>
[[gnu::always_inline]] inline ValueOf<T, double> value_of_lane(double lane) {
    if constexpr (has_integer_lanes<T>) {
        return Integer<double>(std::bit_cast<std::int64_t>(lane));
    } else {
        return lane;
    }
}
[[gnu::always_inline]] constexpr double lane_of_value(double value) { return value; }
[[gnu::always_inline]] constexpr double lane_of_value(Integer<double> value) {
    return std::bit_cast<double>(value.lanes);
}
/// Stores one lane.
template <class T>
[[gnu::always_inline]] inline void put_lane(T* memory, double lane) {
    store_element(memory, narrowed_value<T>(value_of_lane<T>(lane)));
}

/// Lane by lane a + b.
template <class T, class V>
[[gnu::always_inline]] inline V sum_of_lanes(V a, V b) {
    if constexpr (has_integer_lanes<T>) {
        using Wide = typename StoredVector<std::uint64_t, sizeof(V) / 8>::plain;
        return V(Wide(a) + Wide(b));
    } else {
        return a + b;
    }
}

/// The smaller (or larger) of two lanes, as it is when it is stored.
template <bool smallest, class T>
[[gnu::always_inline]] inline double extreme_lane(double a, double b) {
    const ValueOf<T, double> kept = extreme<smallest>(value_of_lane<T>(a), value_of_lane<T>(b));
    return lane_of_value(stored_value<T>(kept));
}

/// Lanes as what a kernel sees for values of type T, and back.
template <class T>
[[gnu::always_inline]] inline ValueOf<T, Pack> as_value(Pack lanes) {
    if constexpr (has_integer_lanes<T>) {
        return IntegerPack(IntegerPack::Vector(lanes.lanes));
    } else {
        return lanes;
    }
}
[[gnu::always_inline]] inline Pack as_lanes(Pack value) { return value; }
[[gnu::always_inline]] inline Pack as_lanes(IntegerPack value) {
    return {Pack::Vector(value.lanes)};
}

template <class T, int n>
[[gnu::always_inline]] inline decltype(auto) as_values(const Values<Pack, n>& lanes) {
    if constexpr (has_integer_lanes<T>) {
        return make_values<IntegerPack, n>([&](int d) { return as_value<T>(lanes[d]); });
    } else {
        return Values<Pack, n>(lanes);
    }
}
template <int n>
[[gnu::always_inline]] inline const Values<Pack, n>& as_lanes(const Values<Pack, n>& values) {
    return values;
}
template <int n>
[[gnu::always_inline]] inline Values<Pack, n> as_lanes(const Values<IntegerPack, n>& values) {
    return make_values<Pack, n>([&](int d) { return as_lanes(values[d]); });
}

/// a + b as it is when the sum is stored: sums of floats are rounded term by term.
template <class T>
[[gnu::always_inline]] inline ValueOf<T, Pack> stored_sum(const ValueOf<T, Pack>& a,
                                                          const ValueOf<T, Pack>& b) {
    if constexpr (std::is_same_v<T, double>) {
        return a + b;
    } else {
        return as_value<T>(Pack(as_stored<T>(as_lanes(a + b).lanes)));
    }
}

}  // namespace halocline::detail
