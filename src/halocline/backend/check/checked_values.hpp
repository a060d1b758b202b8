// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Values as the check back end looks at them: poison, equality to the last bit, text that shows it.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

namespace halocline::detail {

/// A NaN no computation makes: what was never written keeps these bits.
inline constexpr std::uint64_t poison_bits = 0x7ff4dead0badf00dULL;

inline double poison() { return std::bit_cast<double>(poison_bits); }
inline bool is_poison(double value) { return std::bit_cast<std::uint64_t>(value) == poison_bits; }
inline bool same_value(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (a != a && b != b);
}

/// As many digits as tell two doubles apart.
[[nodiscard]] std::string exact_text(double value);

}  // namespace halocline::detail
