// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// e^x, 2^x, tanh x. e^x = 2^k e^r with |r| <= ln 2 / 2, and a polynomial for e^r.
#pragma once

#include "halocline/math/coefficients.hpp"
#include "halocline/math/primitives.hpp"

namespace halocline::math::detail {

/// Beyond these, e^x is infinite or zero; 2^x within them is computed without overflow of k.
inline constexpr double highest_exponent = 710.0;
inline constexpr double lowest_exponent = -746.0;

/// 2^k (1 + r + tail): a power of e before its last addition.
template <class V>
struct Exponential {
    V k;
    V r;
    V tail;
};

/// e^(r + rest) - 1 as r + tail, |r| <= ln 2 / 2.
template <class V>
HALOCLINE_HD inline Exponential<V> exponential_near_zero(V k, Sum<V> r) {
    const V square = r.head * r.head;
    const V series = fused(r.head, polynomial<exp_tail>(r.head), V(0.5));
    return {k, r.head, fused(square, series, fused(r.head, r.rest, r.rest))};
}

/// e^(x.head + x.rest) of lowest_exponent <= x <= highest_exponent. k ln 2 is subtracted exactly: both
/// are multiples of 2^-54 and their difference is below 1.
template <class V>
HALOCLINE_HD inline Exponential<V> exponential(Sum<V> x) {
    const V k = nearest(x.head * V(inverse_ln2));
    const V near = fused(-k, V(ln2), x.head);
    const V small = k * V(ln2_rest);
    const Sum<V> first = add_smaller(near, -small);
    const Sum<V> r = add_smaller(first.head, x.rest);
    return exponential_near_zero(k, Sum<V>{r.head, r.rest + first.rest});
}

template <class V>
HALOCLINE_HD inline V rounded(const Exponential<V>& e) {
    const Sum<V> sum = add_smaller(V(1.0), e.r);
    return scale(sum.head + (sum.rest + e.tail), e.k);
}

/// `x` moved between the limits; NaN stays.
template <class V>
HALOCLINE_HD inline V limited(V x, double low, double high) {
    const V below = select(x > V(high), V(high), x);
    return select(below < V(low), V(low), below);
}

template <class V>
HALOCLINE_HD inline V exp_of(V x) {
    const V inside = limited(x, lowest_exponent, highest_exponent);
    return rounded(exponential(Sum<V>{inside, V(0.0)}));
}

template <class V>
HALOCLINE_HD inline V exp2_of(V x) {
    const V inside = limited(x, -1076.0, 1025.0);
    const V k = nearest(inside);
    const V fraction = inside - k;
    const Sum<V> r = multiply(fraction, V(ln2));
    const Sum<V> whole = add_smaller(r.head, fused(fraction, V(ln2_rest), r.rest));
    return rounded(exponential_near_zero(k, whole));
}

/// -E / (2 + E) with E = e^(-2|x|) - 1, which keeps its bits where x is small.
template <class V>
HALOCLINE_HD inline V tanh_of(V x) {
    const V size = limited(abs(x), 0.0, 20.0);
    const Exponential<V> e = exponential(Sum<V>{V(-2.0) * size, V(0.0)});
    const V power = power_of_two(e.k);
    const Sum<V> first = add_smaller(V(-1.0), power);
    const Sum<V> sum = add_smaller(first.head, power * e.r);
    const Sum<V> less_one = add_smaller(sum.head, fused(power, e.tail, sum.rest + first.rest));
    const Sum<V> below = add_smaller(V(2.0), less_one.head);
    const Sum<V> quotient = divide(Sum<V>{-less_one.head, -less_one.rest},
                                   Sum<V>{below.head, below.rest + less_one.rest});
    const V result = copysign_of(quotient.head + quotient.rest, x);
    return select(abs(x) < V(0x1p-28), x, result);
}

}  // namespace halocline::math::detail
