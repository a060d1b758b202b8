// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Stored values of any type as device kernels compute with them, and back.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "halocline/core/values.hpp"
#include "halocline/loop/extreme_keys.hpp"

namespace halocline::device {

/// What a kernel computes with for stored values of type T: doubles or 64-bit integers.
template <class T>
using Computed = ValueOf<T, double>;

template <class T>
HALOCLINE_HD Computed<T> widened(T value) {
    if constexpr (IntegerElement<T>) {
        return Integer<double>(value);
    } else {
        return static_cast<double>(value);
    }
}
/// Rounded to nearest, or the low bits.
template <class T>
HALOCLINE_HD T narrowed(Computed<T> value) {
    if constexpr (IntegerElement<T>) {
        return static_cast<T>(value.lanes);
    } else {
        return static_cast<T>(value);
    }
}

/// As it waits among the changes of a loop, and back: eight bytes, not rounded.
HALOCLINE_HD inline double as_change(double value) { return value; }
HALOCLINE_HD inline double as_change(Integer<double> value) {
    return std::bit_cast<double>(value.lanes);
}
template <class T>
HALOCLINE_HD Computed<T> from_change(double change) {
    if constexpr (IntegerElement<T>) {
        return Integer<double>(std::bit_cast<std::int64_t>(change));
    } else {
        return change;
    }
}

/// What every value of type T is smaller (larger) than, or equal to.
template <class T, bool smallest>
HALOCLINE_HD Computed<T> neutral_extreme() {
    if constexpr (IntegerElement<T>) {
        using Limits = std::numeric_limits<std::int64_t>;
        return Integer<double>(smallest ? Limits::max() : Limits::min());
    } else {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        return smallest ? infinity : -infinity;
    }
}

/// The smaller (larger) of two values, of doubles in the order of `extreme_key`.
template <bool smallest>
HALOCLINE_HD double more_extreme(double a, double b) {
    const std::int64_t mine = extreme_key<smallest>(a);
    const std::int64_t theirs = extreme_key<smallest>(b);
    return (smallest ? theirs < mine : theirs > mine) ? b : a;
}
template <bool smallest>
HALOCLINE_HD Integer<double> more_extreme(Integer<double> a, Integer<double> b) {
    return (smallest ? b.lanes < a.lanes : b.lanes > a.lanes) ? b : a;
}

}  // namespace halocline::device
