// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Whole numbers near a value: exact, for doubles and packs from one source.
#pragma once

#include "halocline/math/primitives.hpp"

namespace halocline::math::detail {

/// From here on every double is a whole number.
inline constexpr double whole_from = 0x1p52;

/// The nearest whole number of `x`, ties to even, with its sign.
template <class V>
HALOCLINE_HD inline V nearest_whole(V x) {
    const V size = abs(x);
    const V whole = (size + V(whole_from)) - V(whole_from);
    return select(size < V(whole_from), copysign_of(whole, x), x);
}

template <class V>
HALOCLINE_HD inline V floor_of(V x) {
    const V whole = nearest_whole(x);
    return copysign_of(select(whole > x, whole - V(1.0), whole), x);
}

template <class V>
HALOCLINE_HD inline V ceil_of(V x) {
    return -floor_of(-x);
}

template <class V>
HALOCLINE_HD inline V trunc_of(V x) {
    return copysign_of(floor_of(abs(x)), x);
}

/// Ties away from zero.
template <class V>
HALOCLINE_HD inline V round_of(V x) {
    const V below = floor_of(abs(x));
    return copysign_of(select(abs(x) - below >= V(0.5), below + V(1.0), below), x);
}

}  // namespace halocline::math::detail
