// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A vector register of doubles as one value: what a kernel computes with when a loop runs several
// elements at once.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>

#include "halocline/core/libm.hpp"
#include "halocline/core/math.hpp"
#include "halocline/core/types.hpp"
#include "halocline/loop/vector_instructions.hpp"

namespace halocline {

/// One truth value a lane: all bits set or none.
struct Mask {
    /// a register of truth values
    using Vector = std::int64_t __attribute__((vector_size(8 * pack_lanes)));
    Vector lanes;  ///< all bits set where true

    Mask() = default;
    /// Takes a comparison's lanes.
    Mask(Vector v) : lanes(v) {}
    /// The same in every lane; numbers and pointers are no truth values.
    template <std::same_as<bool> Truth>
    Mask(Truth value) : lanes(Vector{} - std::int64_t{value}) {}

    /// Lanes below `count` are true.
    static Mask first(int count) { return {lane_numbers() < static_cast<std::int64_t>(count)}; }
    /// Lane l is true where bit l is set.
    static Mask from_bits(unsigned bits) {
        return {(((Vector{} + 1) << lane_numbers()) & static_cast<std::int64_t>(bits)) != 0};
    }
    /// Whether any lane is true.
    [[nodiscard]] bool any() const { return detail::any_bit(lanes); }

private:
    static Vector lane_numbers() {
        Vector numbers{};
        for (int lane = 0; lane < pack_lanes; ++lane) {
            numbers[lane] = lane;
        }
        return numbers;
    }
};

inline Mask operator&(Mask a, Mask b) { return {a.lanes & b.lanes}; }
inline Mask operator|(Mask a, Mask b) { return {a.lanes | b.lanes}; }
inline Mask operator!(Mask a) { return {~a.lanes}; }
/// Both sides are computed, as in every branch of a kernel for packs.
inline Mask operator&&(Mask a, Mask b) { return a & b; }
inline Mask operator||(Mask a, Mask b) { return a | b; }
inline Mask operator==(Mask a, Mask b) { return {a.lanes == b.lanes}; }
inline Mask operator!=(Mask a, Mask b) { return {a.lanes != b.lanes}; }

/// `pack_lanes` doubles; arithmetic is lane by lane and rounds like scalar arithmetic.
struct Pack {
    using Vector = double __attribute__((vector_size(8 * pack_lanes)));  ///< a register of doubles
    Vector lanes;                                                        ///< one double an element

    Pack() = default;
    /// Takes a register.
    Pack(Vector v) : lanes(v) {}
    /// Not `Vector{} + value`: that would make +0 of -0.
    Pack(double value) : lanes(value - Vector{}) {}

    /// Through a copy: g++ keeps a register that is indexed itself in memory wherever else it is used.
    [[nodiscard]] double operator[](int lane) const {
        Vector copy[1] = {lanes};
        return static_cast<const double*>(static_cast<const void*>(copy))[lane];
    }
    /// Sets one lane.
    void set(int lane, double value) { lanes[lane] = value; }

    /// From memory aligned to the size of a pack.
    static Pack load(const double* memory) {
        return Pack(*static_cast<const Vector*>(static_cast<const void*>(memory)));
    }
    /// To memory aligned to the size of a pack.
    void store(double* memory) const { *static_cast<Vector*>(static_cast<void*>(memory)) = lanes; }

    /// Past the caches, for memory that nobody reads soon; order it with `fence_streams`.
    void stream(double* memory) const { detail::stream_register(memory, lanes); }

    Pack& operator+=(Pack b) {
        lanes += b.lanes;
        return *this;
    }
    Pack& operator-=(Pack b) {
        lanes -= b.lanes;
        return *this;
    }
    Pack& operator*=(Pack b) {
        lanes *= b.lanes;
        return *this;
    }
    Pack& operator/=(Pack b) {
        lanes /= b.lanes;
        return *this;
    }
};

inline Pack operator+(Pack a, Pack b) { return {a.lanes + b.lanes}; }
inline Pack operator-(Pack a, Pack b) { return {a.lanes - b.lanes}; }
inline Pack operator*(Pack a, Pack b) { return {a.lanes * b.lanes}; }
inline Pack operator/(Pack a, Pack b) { return {a.lanes / b.lanes}; }
inline Pack operator-(Pack a) { return {-a.lanes}; }
inline Pack operator+(Pack a) { return a; }
inline Mask operator==(Pack a, Pack b) { return {a.lanes == b.lanes}; }
inline Mask operator!=(Pack a, Pack b) { return {a.lanes != b.lanes}; }
inline Mask operator<(Pack a, Pack b) { return {a.lanes < b.lanes}; }
inline Mask operator<=(Pack a, Pack b) { return {a.lanes <= b.lanes}; }
inline Mask operator>(Pack a, Pack b) { return {a.lanes > b.lanes}; }
inline Mask operator>=(Pack a, Pack b) { return {a.lanes >= b.lanes}; }

}  // namespace halocline

namespace halocline::math {

/// `a` where `condition` holds, else `b`; the branch that packs and scalars share.
inline Pack select(Mask condition, Pack a, Pack b) { return {condition.lanes ? a.lanes : b.lanes}; }

/// The smaller one lane by lane; the first of equals, and `a` where `b` is NaN.
inline Pack min(Pack a, Pack b) { return select(b < a, b, a); }
/// The larger one lane by lane; the first of equals, and `a` where `b` is NaN.
inline Pack max(Pack a, Pack b) { return select(a < b, b, a); }
/// Square root lane by lane, rounded to nearest (IEEE 754).
inline Pack sqrt(Pack a) { return {halocline::detail::sqrt_lanes(a.lanes)}; }

/// Lane by lane the same as the scalar function of this name.
inline Pack multiply_add(Pack a, Pack b, Pack c) {
    return {halocline::detail::multiply_add_lanes(a.lanes, b.lanes, c.lanes)};
}

/// Absolute value lane by lane, exact.
inline Pack abs(Pack a) {
    const auto bits = reinterpret_cast<Mask::Vector>(a.lanes) & INT64_MAX;
    return {reinterpret_cast<Pack::Vector>(bits)};
}

/// Lane by lane through libm, so that a pack and a scalar agree in every bit.
inline Pack cbrt(Pack a) {
    Pack result;
    for (int lane = 0; lane < pack_lanes; ++lane) {
        result.lanes[lane] = halocline::detail::libm::cbrt(a.lanes[lane]);
    }
    return result;
}

/// True where the value is neither infinite nor NaN.
inline Mask is_finite(Pack a) { return abs(a) <= Pack(std::numeric_limits<double>::max()); }

}  // namespace halocline::math

namespace halocline {

// Again, since a using-declaration brings what was declared before it; here they are found through
// the arguments, too.
using math::abs;
using math::cbrt;
using math::is_finite;
using math::max;
using math::min;
using math::multiply_add;
using math::select;
using math::sqrt;

}  // namespace halocline
