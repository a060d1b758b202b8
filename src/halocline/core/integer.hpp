// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Integers as kernels see them: 64 bits, one for an element or a pack of them, always exact.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "halocline/core/types.hpp"

namespace halocline {

/// What kernels get for dats and globals of integers: `const Values<Integer<V>, n>&`. With `V = double`
/// one integer, with `V = Pack` as many as a pack has lanes. Results that 64 bits do not hold wrap
/// around. There is no way from or to floating values but `to_real` and `to_integer`.
template <class V>
struct Integer {};

namespace detail {

/// Numbers of C++ that stand for themselves, and names for them: group numbers are mostly enums.
template <class T>
concept Whole = (std::integral<T> && !std::same_as<T, bool>) ||
                (std::is_enum_v<T> && std::convertible_to<T, std::int64_t>);

/// Truth is what comparisons give, `Unsigned` computes modulo 2^64. Devices call constexpr functions
/// of one integer; marked ones they would refuse for packs, which they have no vectors for.
template <class Self, class Lanes, class Unsigned, class Truth>
struct IntegerArithmetic {
    friend constexpr Self operator+(Self a, Self b) {
        return Self(Lanes(Unsigned(a.lanes) + Unsigned(b.lanes)));
    }
    friend constexpr Self operator-(Self a, Self b) {
        return Self(Lanes(Unsigned(a.lanes) - Unsigned(b.lanes)));
    }
    friend constexpr Self operator*(Self a, Self b) {
        return Self(Lanes(Unsigned(a.lanes) * Unsigned(b.lanes)));
    }
    friend constexpr Self operator-(Self a) { return Self(Lanes(-Unsigned(a.lanes))); }
    friend constexpr Self operator&(Self a, Self b) { return Self(Lanes(a.lanes & b.lanes)); }
    friend constexpr Self operator|(Self a, Self b) { return Self(Lanes(a.lanes | b.lanes)); }
    friend constexpr Self operator^(Self a, Self b) { return Self(Lanes(a.lanes ^ b.lanes)); }
    friend constexpr Self operator~(Self a) { return Self(Lanes(~a.lanes)); }
    /// By 0 to 63 bits; to the right the sign follows.
    friend constexpr Self operator<<(Self a, int bits) {
        return Self(Lanes(Unsigned(a.lanes) << bits));
    }
    friend constexpr Self operator>>(Self a, int bits) { return Self(Lanes(a.lanes >> bits)); }

    friend constexpr Truth operator==(Self a, Self b) { return Truth(a.lanes == b.lanes); }
    friend constexpr Truth operator!=(Self a, Self b) { return Truth(a.lanes != b.lanes); }
    friend constexpr Truth operator<(Self a, Self b) { return Truth(a.lanes < b.lanes); }
    friend constexpr Truth operator<=(Self a, Self b) { return Truth(a.lanes <= b.lanes); }
    friend constexpr Truth operator>(Self a, Self b) { return Truth(a.lanes > b.lanes); }
    friend constexpr Truth operator>=(Self a, Self b) { return Truth(a.lanes >= b.lanes); }

    friend constexpr Self& operator+=(Self& a, Self b) { return a = a + b; }
    friend constexpr Self& operator-=(Self& a, Self b) { return a = a - b; }
    friend constexpr Self& operator*=(Self& a, Self b) { return a = a * b; }
    friend constexpr Self& operator/=(Self& a, Self b) { return a = a / b; }
    friend constexpr Self& operator%=(Self& a, Self b) { return a = a % b; }
};

/// Towards zero; 0 where `b` is. A pack has lanes that stand for no element: they must not trap.
HALOCLINE_HD inline std::int64_t quotient(std::int64_t a, std::int64_t b) {
    if (b == -1) {
        return static_cast<std::int64_t>(-static_cast<std::uint64_t>(a));
    }
    return b == 0 ? 0 : a / b;
}
/// What the quotient leaves: it has the sign of `a`.
HALOCLINE_HD inline std::int64_t remainder(std::int64_t a, std::int64_t b) {
    return b == -1 || b == 0 ? (b == 0 ? a : 0) : a % b;
}

}  // namespace detail

template <>
struct Integer<double>
    : detail::IntegerArithmetic<Integer<double>, std::int64_t, std::uint64_t, bool> {
    std::int64_t lanes;

    Integer() = default;
    template <detail::Whole T>
    HALOCLINE_HD constexpr Integer(T value) : lanes(static_cast<std::int64_t>(value)) {}
};

HALOCLINE_HD inline Integer<double> operator/(Integer<double> a, Integer<double> b) {
    return detail::quotient(a.lanes, b.lanes);
}
HALOCLINE_HD inline Integer<double> operator%(Integer<double> a, Integer<double> b) {
    return detail::remainder(a.lanes, b.lanes);
}

/// Whether a kernel's value is an integer: Integer<V> for some V.
template <class T>
inline constexpr bool is_integer_value = false;
template <class V>
inline constexpr bool is_integer_value<Integer<V>> = true;
/// Two operands of which one is Integer<V> and the other may be a whole number of C++.
template <class V, class A, class B>
concept IntegerOperands = (std::same_as<A, Integer<V>> &&
                           (std::same_as<A, B> || detail::Whole<B>)) ||
                          (std::same_as<B, Integer<V>> && detail::Whole<A>);

}  // namespace halocline

namespace halocline::math {

/// The integer as a floating value: rounded to nearest beyond 2^53, which is why a kernel must ask.
HALOCLINE_HD inline double to_real(Integer<double> a) { return static_cast<double>(a.lanes); }

/// Towards zero; what 64 bits do not hold, and NaN, gives the smallest integer.
HALOCLINE_HD inline Integer<double> to_integer(double a) {
    const bool fits = a >= -0x1p63 && a < 0x1p63;
    return fits ? static_cast<std::int64_t>(a) : INT64_MIN;
}

/// `a` where `condition` holds, else `b`.
template <class A, class B>
requires(IntegerOperands<double, A, B>) HALOCLINE_HD
    inline Integer<double> select(bool condition, A a, B b) {
    return condition ? Integer<double>(a) : Integer<double>(b);
}
/// The smaller one.
HALOCLINE_HD inline Integer<double> min(Integer<double> a, Integer<double> b) {
    return b.lanes < a.lanes ? b : a;
}
/// The larger one.
HALOCLINE_HD inline Integer<double> max(Integer<double> a, Integer<double> b) {
    return a.lanes < b.lanes ? b : a;
}
/// Absolute value; the smallest integer stays as it is, since 64 bits do not hold its negative.
HALOCLINE_HD inline Integer<double> abs(Integer<double> a) { return a.lanes < 0 ? -a : a; }

}  // namespace halocline::math

namespace halocline {

using math::abs;
using math::max;
using math::min;
using math::select;
using math::to_integer;
using math::to_real;

}  // namespace halocline
