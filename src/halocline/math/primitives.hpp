// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The few operations that formulae for doubles and packs are written in: bits, one rounding of a
// product and a sum, polynomials, sums of two numbers that are not rounded.
#pragma once

#include <cstdint>
#include <cstring>

#include "halocline/core/libm.hpp"
#include "halocline/core/math.hpp"
#include "halocline/core/types.hpp"

namespace halocline::math::detail {

/// What differs between the types of values: `bits` and back, `fused`, and access to lanes.
template <class V>
struct Primitives;

template <>
struct Primitives<double> {
    using Bits = std::uint64_t;
    static constexpr int lanes = 1;

    HALOCLINE_HD static Bits bits(double x) {
        Bits result;
        std::memcpy(&result, &x, sizeof result);
        return result;
    }
    HALOCLINE_HD static double from_bits(Bits bits) {
        double result;
        std::memcpy(&result, &bits, sizeof result);
        return result;
    }
    HALOCLINE_HD static bool are_set(Bits bits, std::uint64_t wanted) {
        return (bits & wanted) != 0;
    }
    HALOCLINE_HD static bool any(bool condition) { return condition; }
    /// Rounded once on every machine: in software (libm, exact by definition) where no instruction is.
    HALOCLINE_HD static double fused(double a, double b, double c) {
        return halocline::detail::libm::fma(a, b, c);
    }
    HALOCLINE_HD static double lane(double x, int) { return x; }
    HALOCLINE_HD static void set_lane(double& x, int, double value) { x = value; }
    HALOCLINE_HD static void set_lane(Bits& x, int, std::uint64_t value) { x = value; }
};

template <class V>
using Bits = typename Primitives<V>::Bits;

template <class V>
HALOCLINE_HD inline Bits<V> bits(V x) {
    return Primitives<V>::bits(x);
}

template <class V>
HALOCLINE_HD inline V from_bits(Bits<V> bits) {
    return Primitives<V>::from_bits(bits);
}

/// a b + c, rounded once. Not `multiply_add`, which may round twice: bits below would differ.
template <class V>
HALOCLINE_HD inline V fused(V a, V b, V c) {
    return Primitives<V>::fused(a, b, c);
}

inline constexpr double infinity = __builtin_huge_val();
inline constexpr double not_a_number = __builtin_nan("");
inline constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
inline constexpr std::uint64_t fraction_bits = (std::uint64_t{1} << 52) - 1;
/// Added and subtracted it leaves the nearest whole number; added alone, that number in low bits.
inline constexpr double shifter = 0x1.8p52;

/// The nearest whole number, ties to even, of |x| < 2^51.
template <class V>
HALOCLINE_HD inline V nearest(V x) {
    return (x + V(shifter)) - V(shifter);
}

/// 2^k of whole k in [-1022, 1023].
template <class V>
HALOCLINE_HD inline V power_of_two(V k) {
    return from_bits<V>(bits(k + V(shifter + 1023.0)) << 52);
}

/// 2^k x of whole k in [-2044, 2046], by two factors: what leaves the normal numbers is rounded once.
template <class V>
HALOCLINE_HD inline V scale(V x, V k) {
    const V half = nearest(k * V(0.5));
    return x * power_of_two(half) * power_of_two(k - half);
}

/// Terms k, k + step, ... of polynomial P in powers of `t`, by Horner's rule.
template <class P, int k, int step, class V>
HALOCLINE_HD inline V every(V t) {
    constexpr double coefficient = P::coefficient(k);
    if constexpr (k + step > P::degree) {
        return V(coefficient);
    } else {
        return fused(t, every<P, k + step, step>(t), V(coefficient));
    }
}

/// P(t); even and odd powers apart, which halves the chain of operations that wait for each other.
template <class P, class V>
HALOCLINE_HD inline V polynomial(V t) {
    const V square = t * t;
    return fused(t, every<P, 1, 2>(square), every<P, 0, 2>(square));
}

/// A sum that is not rounded: `rest` is small against `head`.
template <class V>
struct Sum {
    V head;
    V rest;
};

/// a + b of |a| >= |b|, or a = 0, without error (T. J. Dekker 1971, doi:10.1007/BF01397083).
template <class V>
HALOCLINE_HD inline Sum<V> add_smaller(V a, V b) {
    const V head = a + b;
    return {head, (a - head) + b};
}

/// a + b without error (D. E. Knuth, The Art of Computer Programming 2, section 4.2.2).
template <class V>
HALOCLINE_HD inline Sum<V> add(V a, V b) {
    const V head = a + b;
    const V other = head - a;
    return {head, (a - (head - other)) + (b - other)};
}

/// a b without error.
template <class V>
HALOCLINE_HD inline Sum<V> multiply(V a, V b) {
    const V head = a * b;
    return {head, fused(a, b, -head)};
}

/// a b with an error below 2^-100 of it.
template <class V>
HALOCLINE_HD inline Sum<V> multiply(Sum<V> a, Sum<V> b) {
    const Sum<V> heads = multiply(a.head, b.head);
    return {heads.head, heads.rest + fused(a.head, b.rest, a.rest * b.head)};
}

/// a / b with an error below 2^-100 of it.
template <class V>
HALOCLINE_HD inline Sum<V> divide(Sum<V> a, Sum<V> b) {
    const V inverse = V(1.0) / b.head;
    const V head = a.head * inverse;
    const V remainder = fused(-head, b.rest, fused(-head, b.head, a.head) + a.rest);
    return {head, remainder * inverse};
}

/// The size of `x` with the sign of `sign`.
template <class V>
HALOCLINE_HD inline V copysign_of(V x, V sign) {
    return from_bits<V>((bits(x) & ~sign_bit) | (bits(sign) & sign_bit));
}

/// True where the sign bit is set, that of -0 and NaN too.
template <class V>
HALOCLINE_HD inline auto is_negative(V x) {
    return Primitives<V>::are_set(bits(x), sign_bit);
}

}  // namespace halocline::math::detail
