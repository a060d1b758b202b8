// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What doubles need to be used like packs in one kernel source; the longer functions are in `math/`.
#pragma once

#include "halocline/core/libm.hpp"
#include "halocline/core/types.hpp"

namespace halocline::math {

/// `a` where `condition` holds, else `b`: kernels say this instead of `if`.
HALOCLINE_HD inline double select(bool condition, double a, double b) { return condition ? a : b; }
/// The smaller one; the first of equals, and `a` where `b` is NaN.
HALOCLINE_HD inline double min(double a, double b) { return b < a ? b : a; }
/// The larger one; the first of equals, and `a` where `b` is NaN.
HALOCLINE_HD inline double max(double a, double b) { return a < b ? b : a; }
/// Square root, rounded to nearest (IEEE 754).
HALOCLINE_HD inline double sqrt(double a) { return halocline::detail::libm::sqrt(a); }
/// Absolute value, exact.
HALOCLINE_HD inline double abs(double a) { return halocline::detail::libm::fabs(a); }
/// The one function that is libm's: its bits are those of the machine's C library.
HALOCLINE_HD inline double cbrt(double a) { return halocline::detail::libm::cbrt(a); }
/// a b + c, rounded once where the instruction set has a fused multiply-add, twice where it has not.
/// Kernels say it instead of leaving the choice to the compiler, which would depend on loop shape.
HALOCLINE_HD inline double multiply_add(double a, double b, double c) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) || defined(HALOCLINE_ON_GPU)
    return halocline::detail::libm::fma(a, b, c);
#else
    return a * b + c;
#endif
}
/// Whether `a` is neither infinite nor NaN.
HALOCLINE_HD inline bool is_finite(double a) { return abs(a) <= 1.7976931348623157e308; }

}  // namespace halocline::math

namespace halocline {

// The names that kernels of this namespace use unqualified.
using math::abs;
using math::cbrt;
using math::is_finite;
using math::max;
using math::min;
using math::multiply_add;
using math::select;
using math::sqrt;

}  // namespace halocline
