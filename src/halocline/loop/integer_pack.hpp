// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A vector register of 64-bit integers as one value: the integers of kernels for packs.
#pragma once

#include "halocline/core/integer.hpp"
#include "halocline/loop/pack.hpp"

namespace halocline {

namespace detail {

using UnsignedVector = std::uint64_t __attribute__((vector_size(8 * pack_lanes)));

}  // namespace detail

/// `pack_lanes` integers; all is lane by lane as with one. Comparisons give the masks of packs.
template <>
struct Integer<Pack>
    : detail::IntegerArithmetic<Integer<Pack>, Mask::Vector, detail::UnsignedVector, Mask> {
    using Vector = Mask::Vector;
    Vector lanes;

    Integer() = default;
    explicit Integer(Vector v) : lanes(v) {}
    template <detail::Whole T>
    Integer(T value) : lanes(Vector{} + static_cast<std::int64_t>(value)) {}

    /// Through a copy, as in Pack.
    [[nodiscard]] std::int64_t operator[](int lane) const {
        Vector copy[1] = {lanes};
        return static_cast<const std::int64_t*>(static_cast<const void*>(copy))[lane];
    }
    void set(int lane, std::int64_t value) { lanes[lane] = value; }
};

/// As many integers of 64 bits as a pack has lanes.
using IntegerPack = Integer<Pack>;

inline IntegerPack operator/(IntegerPack a, IntegerPack b) {
    IntegerPack result;
    for (int lane = 0; lane < pack_lanes; ++lane) {
        result.set(lane, detail::quotient(a[lane], b[lane]));
    }
    return result;
}
inline IntegerPack operator%(IntegerPack a, IntegerPack b) {
    IntegerPack result;
    for (int lane = 0; lane < pack_lanes; ++lane) {
        result.set(lane, detail::remainder(a[lane], b[lane]));
    }
    return result;
}

}  // namespace halocline

namespace halocline::math {

/// `a` where `condition` holds, else `b`, lane by lane.
template <class A, class B>
requires(IntegerOperands<Pack, A, B>) inline IntegerPack select(Mask condition, A a, B b) {
    return IntegerPack(condition.lanes ? IntegerPack(a).lanes : IntegerPack(b).lanes);
}
/// The smaller one, lane by lane.
inline IntegerPack min(IntegerPack a, IntegerPack b) { return select(b < a, b, a); }
/// The larger one, lane by lane.
inline IntegerPack max(IntegerPack a, IntegerPack b) { return select(a < b, b, a); }
/// Absolute value, lane by lane.
inline IntegerPack abs(IntegerPack a) { return select(a < 0, -a, a); }

/// The integers as floating values, rounded to nearest.
inline Pack to_real(IntegerPack a) {
#if defined(__AVX512DQ__)
    return {__builtin_convertvector(a.lanes, Pack::Vector)};
#else
    // Halves as the low bits of doubles: 2^52 + low, and 2^84 + 2^63 + 2^32 high with its sign bit
    // turned over. All but the last addition is exact, so that the result is rounded once.
    using Bits = halocline::detail::UnsignedVector;
    const auto bits = reinterpret_cast<Bits>(a.lanes);
    const auto low = reinterpret_cast<Pack::Vector>((bits & 0xffffffffULL) | 0x4330000000000000ULL);
    const auto high = reinterpret_cast<Pack::Vector>((bits >> 32) ^ 0x4530000080000000ULL);
    return {high - (0x1p84 + 0x1p63 + 0x1p52) + low};
#endif
}
/// Towards zero, lane by lane, as the scalar function of this name.
inline IntegerPack to_integer(Pack a) {
    IntegerPack result;
    for (int lane = 0; lane < pack_lanes; ++lane) {
        result.set(lane, to_integer(a[lane]).lanes);
    }
    return result;
}

}  // namespace halocline::math

namespace halocline {

using math::abs;
using math::max;
using math::min;
using math::select;
using math::to_integer;
using math::to_real;

/// The smaller (or larger) of two integers, under the name that floating values have for it.
template <bool smallest>
inline IntegerPack extreme(IntegerPack a, IntegerPack b) {
    return smallest ? min(a, b) : max(a, b);
}
/// The smaller (or larger) of two integers.
template <bool smallest>
inline Integer<double> extreme(Integer<double> a, Integer<double> b) {
    return smallest ? min(a, b) : max(a, b);
}

}  // namespace halocline
