// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Smallest and largest values in an order that is total: the same answer for any grouping.
#pragma once

#include <bit>
#include <cstdint>

#include "halocline/loop/extreme_keys.hpp"
#include "halocline/loop/pack.hpp"

namespace halocline {

/// The smaller (or larger) of two values; NaN wins over everything, -0 lies below +0.
template <bool smallest>
inline Pack extreme(Pack a, Pack b) {
    const Mask beyond = smallest ? b < a : b > a;
    const Mask is_nan{b.lanes != b.lanes};
    const auto sign = reinterpret_cast<Mask::Vector>(b.lanes) < 0;
    const Mask zero{(a.lanes == b.lanes) & (smallest ? sign : ~sign)};
    return select(beyond | is_nan | zero, b, a);
}

/// The same for scalars.
template <bool smallest>
inline double extreme(double a, double b) {
    const bool negative = std::bit_cast<std::int64_t>(b) < 0;
    const bool beyond = smallest ? b < a : b > a;
    return beyond || b != b || (a == b && negative == smallest) ? b : a;
}

}  // namespace halocline
