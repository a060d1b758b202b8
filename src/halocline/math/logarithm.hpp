// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// ln x, log2 x, log10 x. x = 2^k m with sqrt(1/2) <= m < sqrt 2, ln m = 2 atanh((m - 1) / (m + 1)).
#pragma once

#include "halocline/math/coefficients.hpp"
#include "halocline/math/primitives.hpp"

namespace halocline::math::detail {

/// x = 2^k m.
template <class V>
struct Split {
    V k;
    V m;
};

/// The parts of a finite x > 0, subnormal ones too.
template <class V>
HALOCLINE_HD inline Split<V> split(V x) {
    constexpr std::uint64_t one = 0x3ff0000000000000;
    constexpr std::uint64_t sqrt_half = 0x3fe6a09e667f3bcd;
    constexpr std::uint64_t big = 0x4330000000000000;  // 2^52: small integers are its low bits
    const auto tiny = x < V(0x1p-1022);
    const Bits<V> moved = bits(select(tiny, x * V(0x1p54), x)) + (one - sqrt_half);
    const V biased = from_bits<V>((moved >> 52) | big);
    return {biased - select(tiny, V(0x1p52 + 1023.0 + 54.0), V(0x1p52 + 1023.0)),
            from_bits<V>((moved & fraction_bits) + sqrt_half)};
}

/// (m - 1) / (m + 1).
template <class V>
HALOCLINE_HD inline Sum<V> atanh_argument(V m) {
    const V above = m + V(1.0);
    return divide(Sum<V>{m - V(1.0), V(0.0)}, Sum<V>{above, m - (above - V(1.0))});
}

/// NaN, infinities, zeros and negative numbers put right in a logarithm of positive finite ones.
template <class V>
HALOCLINE_HD inline V with_special_logarithms(V x, V logarithm) {
    const V finite = select(x < V(infinity), logarithm, x);
    const V positive = select(x < V(0.0), V(not_a_number), finite);
    return select(abs(x) <= V(0.0), V(-infinity), positive);
}

template <class V>
HALOCLINE_HD inline V log_of(V x) {
    const Split<V> parts = split(x);
    const Sum<V> s = atanh_argument(parts.m);
    const V z = s.head * s.head;
    const V tail = fused(s.head * z, polynomial<log_tail>(z), V(2.0) * s.rest);
    const Sum<V> sum = add_smaller(parts.k * V(short_ln2), V(2.0) * s.head);
    const V rest = sum.rest + fused(parts.k, V(short_ln2_rest), tail);
    return with_special_logarithms(x, sum.head + rest);
}

/// 2 atanh s - 2 s with an error below 2^-71 of 2 s.
template <class V>
HALOCLINE_HD inline Sum<V> atanh_tail(Sum<V> s) {
    const Sum<V> z = multiply(s, s);
    const V far = z.head * polynomial<log_far_tail>(z.head);
    const Sum<V> second = add_smaller(V(two_fifths), far);
    const Sum<V> inner = multiply(z, Sum<V>{second.head, second.rest + V(two_fifths_rest)});
    const Sum<V> first = add_smaller(V(two_thirds), inner.head);
    const V rest = first.rest + (inner.rest + V(two_thirds_rest));
    return multiply(multiply(s, z), Sum<V>{first.head, rest});
}

/// ln x of a finite x > 0 with an error below 2^-68 of it, for the functions that multiply it.
template <class V>
HALOCLINE_HD inline Sum<V> long_logarithm(V x) {
    const Split<V> parts = split(x);
    const Sum<V> s = atanh_argument(parts.m);
    const Sum<V> tail = atanh_tail(s);
    const Sum<V> first = add_smaller(parts.k * V(short_ln2), V(2.0) * s.head);
    const Sum<V> second = add_smaller(first.head, tail.head);
    const V small = fused(V(2.0), s.rest, tail.rest);
    const V rest = fused(parts.k, V(short_ln2_rest), small) + (first.rest + second.rest);
    return add_smaller(second.head, rest);
}

template <class V>
HALOCLINE_HD inline V logarithm_to(V x, Sum<V> factor) {
    const Sum<V> product = multiply(long_logarithm(x), factor);
    return with_special_logarithms(x, product.head + product.rest);
}

template <class V>
HALOCLINE_HD inline V log2_of(V x) {
    return logarithm_to(x, Sum<V>{V(log2_e), V(log2_e_rest)});
}

template <class V>
HALOCLINE_HD inline V log10_of(V x) {
    return logarithm_to(x, Sum<V>{V(log10_e), V(log10_e_rest)});
}

}  // namespace halocline::math::detail
