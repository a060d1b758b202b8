// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The functions of `halocline::math` for doubles; those for packs are in loop/pack_math.hpp. Same bits
// on every machine, host and device; bounds and special values: docs/kernels.md.
#pragma once

#include "halocline/math/exponential.hpp"
#include "halocline/math/logarithm.hpp"
#include "halocline/math/power.hpp"
#include "halocline/math/rounding.hpp"
#include "halocline/math/trigonometry.hpp"

/// Makes all names of `halocline::math` usable unqualified, in a block or in a namespace of your own:
/// they hide the functions of `<cmath>` there. `using namespace` would not: calls become ambiguous.
#define HALOCLINE_USE_MATH                                                                         \
    using halocline::math::abs, halocline::math::atan, halocline::math::atan2,                     \
        halocline::math::cbrt, halocline::math::ceil, halocline::math::copysign,                   \
        halocline::math::cos, halocline::math::exp, halocline::math::exp2, halocline::math::floor, \
        halocline::math::hypot, halocline::math::is_finite, halocline::math::log,                  \
        halocline::math::log10, halocline::math::log2, halocline::math::max, halocline::math::min, \
        halocline::math::multiply_add, halocline::math::pow, halocline::math::round,               \
        halocline::math::select, halocline::math::sin, halocline::math::sqrt,                      \
        halocline::math::tan, halocline::math::tanh, halocline::math::trunc

namespace halocline::math {

/// e^x. Within 0.67 ulp; bounds and special values of all: docs/kernels.md.
HALOCLINE_HD inline double exp(double x) { return detail::exp_of(x); }
/// 2^x.
HALOCLINE_HD inline double exp2(double x) { return detail::exp2_of(x); }
/// Natural logarithm.
HALOCLINE_HD inline double log(double x) { return detail::log_of(x); }
/// Logarithm to base 2.
HALOCLINE_HD inline double log2(double x) { return detail::log2_of(x); }
/// Logarithm to base 10.
HALOCLINE_HD inline double log10(double x) { return detail::log10_of(x); }
/// x^y.
HALOCLINE_HD inline double pow(double x, double y) { return detail::pow_of(x, y); }
/// sqrt(x^2 + y^2), without overflow on the way.
HALOCLINE_HD inline double hypot(double x, double y) { return detail::hypot_of(x, y); }
/// Sine of an angle [rad] of any size.
HALOCLINE_HD inline double sin(double x) { return detail::sin_of(x); }
/// Cosine of an angle [rad] of any size.
HALOCLINE_HD inline double cos(double x) { return detail::cos_of(x); }
/// Tangent of an angle [rad] of any size.
HALOCLINE_HD inline double tan(double x) { return detail::tan_of(x); }
/// Arc tangent [rad], in [-pi/2, pi/2].
HALOCLINE_HD inline double atan(double x) { return detail::atan_of(x); }
/// Angle of the vector (x, y) [rad], in [-pi, pi].
HALOCLINE_HD inline double atan2(double y, double x) { return detail::atan2_of(y, x); }
/// Hyperbolic tangent.
HALOCLINE_HD inline double tanh(double x) { return detail::tanh_of(x); }
/// Largest integer not above x.
HALOCLINE_HD inline double floor(double x) { return detail::floor_of(x); }
/// Smallest integer not below x.
HALOCLINE_HD inline double ceil(double x) { return detail::ceil_of(x); }
/// Towards zero.
HALOCLINE_HD inline double trunc(double x) { return detail::trunc_of(x); }
/// Ties away from zero.
HALOCLINE_HD inline double round(double x) { return detail::round_of(x); }
/// The size of `x` with the sign of `sign`.
HALOCLINE_HD inline double copysign(double x, double sign) { return detail::copysign_of(x, sign); }

}  // namespace halocline::math
