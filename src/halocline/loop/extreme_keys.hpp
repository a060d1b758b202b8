// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Integers that sort like doubles in a total order: NaN beyond everything, -0 below +0.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "halocline/core/types.hpp"

namespace halocline {

/// An integer that sorts like the value in that order.
template <bool smallest>
HALOCLINE_HD std::int64_t extreme_key(double value) {
    if (value != value) {
        return smallest ? std::numeric_limits<std::int64_t>::min()
                        : std::numeric_limits<std::int64_t>::max();
    }
    const auto bits = std::bit_cast<std::int64_t>(value);
    return bits >= 0 ? bits : bits ^ std::numeric_limits<std::int64_t>::max();
}

/// The value of such a key.
template <bool smallest>
HALOCLINE_HD double from_extreme_key(std::int64_t key) {
    if (key == (smallest ? std::numeric_limits<std::int64_t>::min()
                         : std::numeric_limits<std::int64_t>::max())) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    return std::bit_cast<double>(key >= 0 ? key : key ^ std::numeric_limits<std::int64_t>::max());
}

}  // namespace halocline
