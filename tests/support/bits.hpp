// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Comparison of doubles by their bits: what "the same on every back end" means.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace halocline::test {

[[nodiscard]] inline bool same_bits(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// Equal bits, or both NaN: which NaN an operation makes is the processor's choice.
[[nodiscard]] inline bool same_number(double a, double b) {
    return same_bits(a, b) || (a != a && b != b);
}

/// Success, or the first place where two lists of numbers differ and how many do.
[[nodiscard]] inline ::testing::AssertionResult same_numbers(std::span<const double> actual,
                                                             std::span<const double> expected) {
    if (actual.size() != expected.size()) {
        return ::testing::AssertionFailure()
               << actual.size() << " numbers instead of " << expected.size();
    }
    std::size_t first = actual.size();
    std::size_t differing = 0;
    for (std::size_t i = actual.size(); i-- > 0;) {
        if (!same_number(actual[i], expected[i])) {
            first = i;
            ++differing;
        }
    }
    if (differing == 0) {
        return ::testing::AssertionSuccess();
    }
    return ::testing::AssertionFailure()
           << differing << " of " << actual.size() << " numbers differ, the first is number "
           << first << ": " << std::hexfloat << actual[first] << " instead of " << expected[first]
           << std::defaultfloat;
}

}  // namespace halocline::test
