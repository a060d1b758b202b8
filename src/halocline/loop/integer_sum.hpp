// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Sums of integers that no order of terms can make overflow on the way.
#pragma once

#include <cstdint>
#include <optional>

#include "halocline/loop/integer_pack.hpp"

namespace halocline {

/// Exact for up to 2^31 terms on a rank: upper and lower halves of the terms are added apart.
class IntegerSum {
public:
    /// Adds one term.
    void add(std::int64_t term) {
        high_ += term >> 32;
        low_ += term & half;
    }
    /// Adds the terms of those lanes that are `active`.
    void add(IntegerPack terms, Mask active) {
        terms = terms & IntegerPack(active.lanes);
        high_lanes_ += terms >> 32;
        low_lanes_ += terms & IntegerPack(half);
    }
    /// Adds another sum.
    void merge(const IntegerSum& other) {
        high_ += other.high();
        low_ += other.low();
        carry();
    }

    /// The sum is 2^32 high + low.
    [[nodiscard]] std::int64_t high() const { return high_ + sum_of(high_lanes_); }
    /// The lower part of the sum; see `high`.
    [[nodiscard]] std::int64_t low() const { return low_ + sum_of(low_lanes_); }

    /// 2^32 high + low; nothing where 64 bits do not hold it.
    [[nodiscard]] static std::optional<std::int64_t> value_of(std::int64_t high, std::int64_t low) {
        high += low >> 32;
        if (high != static_cast<std::int32_t>(high)) {
            return std::nullopt;
        }
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(high) << 32) | (low & half);
    }

private:
    static constexpr std::int64_t half = 0xffffffff;

    static std::int64_t sum_of(const IntegerPack& lanes) {
        std::int64_t sum = 0;
        for (int lane = 0; lane < pack_lanes; ++lane) {
            sum += lanes[lane];
        }
        return sum;
    }
    void carry() {
        high_ += low_ >> 32;
        low_ &= half;
    }

    std::int64_t high_ = 0;
    std::int64_t low_ = 0;
    IntegerPack high_lanes_ = 0;
    IntegerPack low_lanes_ = 0;
};

}  // namespace halocline
