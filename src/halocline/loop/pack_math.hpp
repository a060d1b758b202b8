// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The functions of `halocline::math` for packs: the formulae of math/ in every lane.
#pragma once

#include "halocline/core/libm.hpp"
#include "halocline/loop/pack.hpp"
#include "halocline/math/functions.hpp"

// Compilers of GPU code would compile the formulae for packs as device code, too, which knows no vectors.
#if !defined(HALOCLINE_GPU_COMPILER)

namespace halocline::math {

namespace detail {

template <>
struct Primitives<Pack> {
    using Bits = std::uint64_t __attribute__((vector_size(8 * pack_lanes)));
    static constexpr int lanes = pack_lanes;

    static Bits bits(Pack x) { return reinterpret_cast<Bits>(x.lanes); }
    static Pack from_bits(Bits bits) { return {reinterpret_cast<Pack::Vector>(bits)}; }
    static Mask are_set(Bits bits, std::uint64_t wanted) { return {(bits & wanted) != 0}; }
    static bool any(Mask condition) { return condition.any(); }
    static Pack fused(Pack a, Pack b, Pack c) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
        return multiply_add(a, b, c);
#else
        Pack result;
        for (int i = 0; i < pack_lanes; ++i) {
            result.set(i, halocline::detail::libm::fma(a[i], b[i], c[i]));
        }
        return result;
#endif
    }
    static double lane(Pack x, int i) { return x[i]; }
    static void set_lane(Pack& x, int i, double value) { x.set(i, value); }
    static void set_lane(Bits& x, int i, std::uint64_t value) { x[i] = value; }
};

}  // namespace detail

/// e^x lane by lane: the bits of the scalar function, as all that follows.
inline Pack exp(Pack x) { return detail::exp_of(x); }
/// 2^x lane by lane.
inline Pack exp2(Pack x) { return detail::exp2_of(x); }
/// Natural logarithm lane by lane.
inline Pack log(Pack x) { return detail::log_of(x); }
/// Logarithm to base 2 lane by lane.
inline Pack log2(Pack x) { return detail::log2_of(x); }
/// Logarithm to base 10 lane by lane.
inline Pack log10(Pack x) { return detail::log10_of(x); }
/// x^y lane by lane.
inline Pack pow(Pack x, Pack y) { return detail::pow_of(x, y); }
/// sqrt(x^2 + y^2) lane by lane, without overflow on the way.
inline Pack hypot(Pack x, Pack y) { return detail::hypot_of(x, y); }
/// Sine lane by lane [rad].
inline Pack sin(Pack x) { return detail::sin_of(x); }
/// Cosine lane by lane [rad].
inline Pack cos(Pack x) { return detail::cos_of(x); }
/// Tangent lane by lane [rad].
inline Pack tan(Pack x) { return detail::tan_of(x); }
/// Arc tangent lane by lane, in [-pi/2, pi/2].
inline Pack atan(Pack x) { return detail::atan_of(x); }
/// Angle of (x, y) lane by lane, in [-pi, pi].
inline Pack atan2(Pack y, Pack x) { return detail::atan2_of(y, x); }
/// Hyperbolic tangent lane by lane.
inline Pack tanh(Pack x) { return detail::tanh_of(x); }
/// Largest integer not above x, lane by lane.
inline Pack floor(Pack x) { return detail::floor_of(x); }
/// Smallest integer not below x, lane by lane.
inline Pack ceil(Pack x) { return detail::ceil_of(x); }
/// Towards zero, lane by lane.
inline Pack trunc(Pack x) { return detail::trunc_of(x); }
/// Ties away from zero.
inline Pack round(Pack x) { return detail::round_of(x); }
/// The size of `x` with the sign of `sign`, lane by lane.
inline Pack copysign(Pack x, Pack sign) { return detail::copysign_of(x, sign); }

}  // namespace halocline::math

#endif
