// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The functions of the C library that kernels rest on. <cmath> declares some hundred more, a twentieth of
// what a small program takes to compile: g++ and clang are asked for the built-in functions that its
// declarations stand for. Compilers of GPU code know them by <cmath>.
#pragma once

#include "halocline/core/types.hpp"

#if defined(HALOCLINE_GPU_COMPILER)

#include <cmath>

namespace halocline::detail::libm {

using std::cbrt;
using std::fabs;
using std::fma;
using std::sqrt;

}  // namespace halocline::detail::libm

#else

namespace halocline::detail::libm {

inline double cbrt(double a) { return __builtin_cbrt(a); }
inline double fabs(double a) { return __builtin_fabs(a); }
inline double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline double sqrt(double a) { return __builtin_sqrt(a); }

}  // namespace halocline::detail::libm

#endif
