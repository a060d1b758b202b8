// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Which of two edges is preferred: a strict order by weights and global ids.
#pragma once

#include <bit>
#include <cstdint>

#include "halocline/core/types.hpp"

namespace halocline::linalg::setup {

/// A weight to 24 bits, to nearest: what differs by rounding only counts as equal. Not positive: 0.
[[nodiscard]] inline double rounded_weight(double weight) {
    if (!(weight > 0.0)) {
        return 0.0;
    }
    constexpr int dropped = 29;
    const auto bits = std::bit_cast<std::uint64_t>(weight) + (std::uint64_t{1} << (dropped - 1));
    return std::bit_cast<double>(bits >> dropped << dropped);
}

/// An edge's rank among those of equal weight; smaller is preferred.
struct TieRank {
    std::uint64_t hash;  ///< of both ends; decides
    GlobalIndex low;     ///< the smaller end; decides where hashes are equal
    GlobalIndex high;    ///< the larger end

    /// The rank of the edge between nodes a and b, whichever comes first.
    TieRank(GlobalIndex a, GlobalIndex b) : low(a < b ? a : b), high(a < b ? b : a) {
        hash = mixed(mixed(static_cast<std::uint64_t>(low)) + static_cast<std::uint64_t>(high));
    }

    [[nodiscard]] bool operator<(const TieRank& other) const {
        if (hash != other.hash) {
            return hash < other.hash;
        }
        return low != other.low ? low < other.low : high < other.high;
    }

private:
    /// SplitMix64 (Steele, Lea & Flood 2014, doi:10.1145/2660193.2660195).
    static std::uint64_t mixed(std::uint64_t bits) {
        bits += 0x9e3779b97f4a7c15U;
        bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
        bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
        return bits ^ (bits >> 31);
    }
};

}  // namespace halocline::linalg::setup
