// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// sin, cos, tan of every double, and the angle of a point.
#pragma once

#include "halocline/math/angle.hpp"
#include "halocline/math/coefficients.hpp"
#include "halocline/math/power.hpp"
#include "halocline/math/primitives.hpp"

namespace halocline::math::detail {

/// sin(r + rest), |r| <= pi/4, before its last addition. r^3/6 is a twelfth of r: it is not rounded.
template <class V>
HALOCLINE_HD inline Sum<V> sine_near_zero(V r, V rest, Sum<V> z) {
    const Sum<V> cube = multiply(r, z.head);
    const Sum<V> term = multiply(cube.head, V(-sixth));
    const Sum<V> sum = add_smaller(r, term.head);
    const V cube_rest = fused(r, z.rest, cube.rest);
    const V linear = fused(V(-0.5) * z.head, rest, rest) + (sum.rest + term.rest);
    const V small = fused(cube.head, V(-sixth_rest), fused(cube_rest, V(-sixth), linear));
    return {sum.head, fused(cube.head * z.head, polynomial<sin_tail>(z.head), small)};
}

/// cos(r + rest), |r| <= pi/4, before its last addition.
template <class V>
HALOCLINE_HD inline Sum<V> cosine_near_zero(V r, V rest, Sum<V> z) {
    const V tail = fused(z.head * z.head, polynomial<cos_tail>(z.head), -(r * rest));
    const Sum<V> sum = add_smaller(V(1.0), V(-0.5) * z.head);
    return {sum.head, sum.rest + fused(V(-0.5), z.rest, tail)};
}

/// Sine and cosine of the reduced angle, each before its last addition.
template <class V>
struct SineAndCosine {
    Sum<V> sine;
    Sum<V> cosine;
};

template <class V>
HALOCLINE_HD inline SineAndCosine<V> sine_and_cosine(V r, V rest) {
    const Sum<V> z = multiply(r, r);
    return {sine_near_zero(r, rest, z), cosine_near_zero(r, rest, z)};
}

/// sin of the angle and `quarters` quarter turns.
template <class V>
HALOCLINE_HD inline V sine_after(const Angle<V>& angle, std::uint64_t quarters) {
    const Bits<V> quarter = angle.quarter + quarters;
    const auto [sine, cosine] = sine_and_cosine(angle.head, angle.rest);
    const V size = select(Primitives<V>::are_set(quarter, 1), cosine.head + cosine.rest,
                          sine.head + sine.rest);
    return select(Primitives<V>::are_set(quarter, 2), -size, size);
}

template <class V>
HALOCLINE_HD inline V sin_of(V x) {
    return select(abs(x) < V(0x1p-27), x, sine_after(reduce_angle(x), 0));
}

template <class V>
HALOCLINE_HD inline V cos_of(V x) {
    return sine_after(reduce_angle(x), 1);
}

template <class V>
HALOCLINE_HD inline V tan_of(V x) {
    const Angle<V> angle = reduce_angle(x);
    const auto [sine, cosine] = sine_and_cosine(angle.head, angle.rest);
    const auto turned = Primitives<V>::are_set(angle.quarter, 1);
    const Sum<V> above = add_smaller(select(turned, -cosine.head, sine.head),
                                     select(turned, -cosine.rest, sine.rest));
    const Sum<V> below =
        add_smaller(select(turned, sine.head, cosine.head), select(turned, sine.rest, cosine.rest));
    const Sum<V> quotient = divide(above, below);
    return select(abs(x) < V(0x1p-27), x, quotient.head + quotient.rest);
}

/// atan(t) - t of |t| <= sqrt 2 - 1; the derivative of atan carries the rest of t.
template <class V>
HALOCLINE_HD inline V arc_tail(Sum<V> t) {
    const V z = t.head * t.head;
    const V of_rest = fused(-z, fused(-z, t.rest, t.rest), t.rest);
    return fused(t.head * z, polynomial<atan_tail>(z), of_rest);
}

/// The angle of slope short_side / long_side, of 0 <= short_side <= long_side, turned into another
/// octant: eighths pi/4 +- (atan(slope) - [slope > sqrt 2 - 1] pi/4).
template <class V, class Condition>
HALOCLINE_HD inline V arc_in_octant(V short_side, V long_side, Condition swapped,
                                    Condition behind) {
    const auto steep = short_side > V(0.41421356237309503) * long_side;
    const Sum<V> difference = add_smaller(-long_side, short_side);
    const Sum<V> total = add_smaller(long_side, short_side);
    const V nothing(0.0);
    const Sum<V> t = divide(
        Sum<V>{select(steep, difference.head, short_side), select(steep, difference.rest, nothing)},
        Sum<V>{select(steep, total.head, long_side), select(steep, total.rest, nothing)});
    const V tail = arc_tail(t);
    // Mirrored at the diagonal the angle is pi/2 less it, at the axis pi less it.
    const V first = select(steep, V(1.0), V(0.0));
    const V second = select(swapped, V(2.0) - first, first);
    const V eighths = select(behind, V(4.0) - second, second);
    const V turn = select(swapped, V(-1.0), V(1.0));
    const V side = select(behind, -turn, turn);
    const Sum<V> start = multiply(eighths, V(quarter_pi));
    const Sum<V> sum = add_smaller(start.head, side * t.head);
    return sum.head +
           (sum.rest + fused(side, tail, fused(eighths, V(quarter_pi_rest), start.rest)));
}

template <class V>
HALOCLINE_HD inline V atan2_of(V y, V x) {
    const auto swapped = abs(y) > abs(x);
    const auto behind = is_negative(x);
    const V longer = max(abs(x), abs(y));
    const V shorter = min(abs(x), abs(y));
    // Infinite and zero sides become finite ones of the same angle.
    const auto infinite = longer == V(infinity);
    const V short_side = select(infinite, select(shorter == V(infinity), V(1.0), V(0.0)), shorter);
    const V long_side = select(infinite, V(1.0), select(longer > V(0.0), longer, V(1.0)));
    const V factor = scale_for_squares(long_side);
    const V arc = arc_in_octant(short_side * factor, long_side * factor, swapped, behind);
    // Small slopes are their angles; the quotient is rounded once, subnormal ones too.
    const V slope = short_side / long_side;
    const V near_axis = select(behind, arc, slope);
    const V size = select(slope < V(0x1p-28), select(swapped, arc, near_axis), arc);
    const V result = copysign_of(size, y);
    return select(x == x, select(y == y, result, y), x);
}

template <class V>
HALOCLINE_HD inline V atan_of(V x) {
    return atan2_of(x, V(1.0));
}

}  // namespace halocline::math::detail
