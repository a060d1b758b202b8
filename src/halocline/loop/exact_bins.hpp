// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of ExactSum for many threads at once: digits at fixed places, added as integers. The
// same terms give the same sum as `ExactSum`, bit for bit.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "halocline/core/types.hpp"

namespace halocline::exact {

inline constexpr int digit_bits = 26;   ///< bits of a digit
inline constexpr int digits = 4;        ///< digits that count, from the leading one
inline constexpr int lowest_top = -35;  ///< lowest grid position of a leading digit
inline constexpr int highest_top = 37;  ///< of the largest term, below 2^980
inline constexpr int lowest_place = lowest_top - digits + 1;  ///< lowest grid position of any digit
inline constexpr int places = highest_top - lowest_place + 1;  ///< grid positions in all
inline constexpr double largest_term = 0x1p980;                ///< larger terms count as infinite

/// 2^n for -1022 <= n <= 1023.
HALOCLINE_HD inline double power_of_two(int n) {
    return std::bit_cast<double>(static_cast<std::int64_t>(n + 1023) << 52);
}

/// Whether a term can be added at all; others make the sum a NaN.
HALOCLINE_HD inline bool is_addable(double term) {
    return (term < 0.0 ? -term : term) < largest_term;  // false for NaN
}

/// Smallest grid position of the leading digit for an addable term: its size is below
/// 2^(26 top + 25).
HALOCLINE_HD inline int top_for(double term) {
    const auto bits = std::bit_cast<std::int64_t>(term);
    const int shifted = static_cast<int>((bits >> 52) & 0x7ff) - 1022;
    const int top =
        shifted >= 0 ? shifted / digit_bits : -((-shifted + digit_bits - 1) / digit_bits);
    return top < lowest_top ? lowest_top : top;
}

/// Digit `k` of a term on the grid that begins at `top`, in units of 2^(26 (top - k)); takes it off
/// the term. An integer of at most 26 bits.
HALOCLINE_HD inline double take_digit(double& term, int top, int k) {
    const int exponent = digit_bits * (top - k);
    const double anchor = 1.5 * power_of_two(exponent + 52);
    const double piece = (anchor + term) - anchor;
    term -= piece;
    return piece * power_of_two(-exponent);
}

/// A sum as whole numbers, which can be sent: its leading digits as `ExactSum` keeps them.
struct PartialSum {
    std::int64_t top;            ///< grid position of the leading digit
    std::int64_t not_finite;     ///< a term was infinite or NaN
    std::int64_t digit[digits];  ///< from the leading one

    /// Adds another sum, exactly.
    HALOCLINE_HD void merge(const PartialSum& other) {
        not_finite |= other.not_finite;
        if (other.top > top) {
            const std::int64_t shift = other.top - top;
            for (int k = digits - 1; k >= 0; --k) {
                digit[k] = k >= shift ? digit[k - shift] : 0;
            }
            top = other.top;
        }
        for (int k = 0; k < digits; ++k) {
            const std::int64_t place = k + (top - other.top);
            if (place < digits) {
                digit[place] += other.digit[k];
            }
        }
    }

    /// The sum as a double; NaN where a term was not finite.
    [[nodiscard]] HALOCLINE_HD double value() const {
        if (not_finite != 0) {
            return std::numeric_limits<double>::quiet_NaN();
        }
        double result = 0.0;
        for (int k = digits - 1; k >= 0; --k) {
            const int exponent = digit_bits * (static_cast<int>(top) - k);
            result += static_cast<double>(digit[k]) * power_of_two(exponent);
        }
        return result;
    }
};

/// Digits of a sum by place, and the highest place that a term reached.
struct Bins {
    std::int64_t top;          ///< highest grid position of a term so far
    std::int64_t not_finite;   ///< 1 where a term was infinite or NaN
    std::int64_t bin[places];  ///< by grid position, from `lowest_place`

    /// Begins a sum.
    HALOCLINE_HD void clear() {
        top = lowest_top;
        not_finite = 0;
        for (int i = 0; i < places; ++i) {
            bin[i] = 0;
        }
    }
    /// By one thread; terms that are not addable make the sum a NaN.
    HALOCLINE_HD void add(double term) {
        if (!is_addable(term)) {
            not_finite = 1;
            return;
        }
        const int of_term = top_for(term);
        top = of_term > top ? of_term : top;
        for (int k = 0; k < digits; ++k) {
            bin[of_term - k - lowest_place] +=
                static_cast<std::int64_t>(take_digit(term, of_term, k));
        }
    }
    /// The leading digits: those that count.
    [[nodiscard]] HALOCLINE_HD PartialSum sum() const {
        PartialSum result{top, not_finite, {}};
        for (int k = 0; k < digits; ++k) {
            result.digit[k] = bin[top - k - lowest_place];
        }
        return result;
    }
};

}  // namespace halocline::exact
