// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Which of two edges of equal weight is preferred: a strict order by global ids.
#pragma once

#include <cstdint>

#include "halocline/core/types.hpp"

namespace halocline::linalg::setup {

/// An edge's rank among those of its weight; smaller is preferred.
///
/// Where a mesh is numbered along lines, a neighbour in a direction lies a fixed number of places away.
/// Edges from an even multiple of their stride to the next one never meet each other, so all pairs of a
/// direction are found at once and coarse nodes lie in rows again. The shortest stride goes first. For
/// other numberings this is as good as a hash, which decides last.
struct TieRank {
    std::uint64_t stride;  ///< with the parity as highest bit
    std::uint64_t hash;
    GlobalIndex low;

    TieRank(GlobalIndex a, GlobalIndex b) : low(a < b ? a : b) {
        const GlobalIndex distance = a < b ? b - a : a - b;
        const auto odd = static_cast<std::uint64_t>((low / distance) & 1);
        stride = odd << 63 | static_cast<std::uint64_t>(distance);
        hash = mixed(static_cast<std::uint64_t>(low));
    }

    [[nodiscard]] bool operator<(const TieRank& other) const {
        if (stride != other.stride) {
            return stride < other.stride;
        }
        return hash != other.hash ? hash < other.hash : low < other.low;
    }

private:
    /// The finaliser of SplitMix64 (Steele et al. 2014, doi:10.1145/2660193.2660195).
    static std::uint64_t mixed(std::uint64_t bits) {
        bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
        bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
        return bits ^ (bits >> 31);
    }
};

}  // namespace halocline::linalg::setup
