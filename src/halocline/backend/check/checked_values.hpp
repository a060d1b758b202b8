// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Values as the check back end compares them: poison, equality to the last bit, text that shows it.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "halocline/core/element_type.hpp"

namespace halocline::detail {

/// A NaN no computation makes: what was never written keeps these bits.
inline constexpr std::uint64_t poison_bits = 0x7ff4dead0badf00dULL;

inline double poison() { return std::bit_cast<double>(poison_bits); }
inline bool is_poison(double value) { return std::bit_cast<std::uint64_t>(value) == poison_bits; }
inline bool same_value(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (a != a && b != b);
}

/// Integers have no NaN: these bits stand for what was never written.
inline constexpr std::int64_t integer_poison = 0x5ead0badf00d15eaLL;
inline bool same_value(std::int64_t a, std::int64_t b) { return a == b; }

/// What stands in memory that must not be read.
template <class T>
T stored_poison() {
    if constexpr (IntegerElement<T>) {
        return static_cast<T>(integer_poison);
    } else {
        return static_cast<T>(poison());
    }
}

/// As many digits as distinguish two values.
[[nodiscard]] std::string exact_text(double value);
[[nodiscard]] inline std::string exact_text(std::int64_t value) { return std::to_string(value); }

}  // namespace halocline::detail
