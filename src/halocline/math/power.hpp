// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// x^y = e^(y ln x), and sqrt(x^2 + y^2).
#pragma once

#include "halocline/math/exponential.hpp"
#include "halocline/math/logarithm.hpp"
#include "halocline/math/rounding.hpp"

namespace halocline::math::detail {

/// size^y of size >= 0, neither of them NaN (ISO C, F.9.4.4, without its signs).
template <class V>
HALOCLINE_HD inline V power_of_size(V size, V y) {
    // Beyond 2^65 the result is 0, 1 or infinite already; products stay finite.
    const V bounded = limited(y, -0x1p65, 0x1p65);
    const V ordinary = select(size < V(infinity), max(size, V(0x1p-1074)), V(1.0));
    const Sum<V> logarithm = long_logarithm(ordinary);
    const V head = bounded * logarithm.head;
    const V rest = fused(bounded, logarithm.head, -head) + bounded * logarithm.rest;
    const V inside = limited(head, lowest_exponent, highest_exponent);
    const V inside_rest = select(inside == head, rest, V(0.0));
    const V result = rounded(exponential(Sum<V>{inside, inside_rest}));
    const V at_end = select(size > V(1.0), V(infinity), V(0.0));
    const V at_other_end = select(size > V(1.0), V(0.0), V(infinity));
    const V extreme = select(y < V(0.0), at_other_end, at_end);
    const V whole = select(abs(size - V(0.5)) < V(infinity), result, extreme);
    return select(size > V(0.0), whole, extreme);
}

template <class V>
HALOCLINE_HD inline V pow_of(V x, V y) {
    const V size = power_of_size(abs(x), y);
    const V half = y * V(0.5);
    const V whole_y = nearest_whole(y);
    const auto negative = is_negative(x);
    const V signed_size = select(nearest_whole(half) == half, size, -size);
    const V of_whole = select(negative, signed_size, size);
    const auto finite = abs(x) < V(infinity);
    const V of_fraction = select(finite, select(x < V(0.0), V(not_a_number), size), size);
    const V number = select(whole_y == y, of_whole, of_fraction);
    const V ordered = select(x == x, select(y == y, number, y), x);
    return select(y == V(0.0), V(1.0), select(x == V(1.0), V(1.0), ordered));
}

/// 2^-600 of large numbers, 2^600 of small ones: their squares and quotients stay normal.
template <class V>
HALOCLINE_HD inline V scale_for_squares(V size) {
    return select(size > V(0x1p500), V(0x1p-600), select(size < V(0x1p-500), V(0x1p600), V(1.0)));
}

template <class V>
HALOCLINE_HD inline V hypot_of(V x, V y) {
    const V long_side = max(abs(x), abs(y));
    const V factor = scale_for_squares(long_side);
    const Sum<V> a = multiply(long_side * factor, long_side * factor);
    const V short_side = min(abs(x), abs(y)) * factor;
    const Sum<V> b = multiply(short_side, short_side);
    const Sum<V> square = add_smaller(a.head, b.head);
    const V root = sqrt(square.head);
    const V error = fused(-root, root, square.head) + (square.rest + (a.rest + b.rest));
    const V result = (root + error / (V(2.0) * root)) / factor;
    const V length = select(long_side == V(0.0), V(0.0), result);
    const V number = select(x == x, select(y == y, length, y), x);
    const V infinite = select(abs(y) == V(infinity), V(infinity), number);
    return select(abs(x) == V(infinity), V(infinity), infinite);
}

}  // namespace halocline::math::detail
