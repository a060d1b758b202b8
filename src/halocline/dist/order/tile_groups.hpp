// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The order within a tile: halved by planes, too, with neighbours as bits.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "halocline/core/types.hpp"

namespace halocline::dist {

/// Elements that a device stages together.
inline constexpr std::size_t tile_elements = 128;
/// Elements whose values lie together in lane storage.
inline constexpr std::size_t group_elements = 8;

/// How many of `count` elements form the lower half: a multiple of `unit`, less than `count`.
[[nodiscard]] constexpr std::size_t bisected(std::size_t count, std::size_t unit) noexcept {
    const std::size_t half = (count / 2 + unit - 1) / unit;
    const std::size_t most = (count - 1) / unit;
    return (half < most ? half : most) * unit;
}

/// A subset of a tile.
class TileMask {
public:
    void add(std::size_t member) noexcept {
        words_[member / 64] |= std::uint64_t{1} << (member % 64);
    }
    [[nodiscard]] bool contains(std::size_t member) const noexcept {
        return ((words_[member / 64] >> (member % 64)) & 1U) != 0;
    }
    [[nodiscard]] bool meets(const TileMask& other) const noexcept {
        return ((words_[0] & other.words_[0]) | (words_[1] & other.words_[1])) != 0;
    }

private:
    std::array<std::uint64_t, tile_elements / 64> words_{};
};

/// Orders the members of one tile after another; keeps its memory.
class TileGroups {
public:
    /// A tile of `count` members (at most tile_elements) without neighbours.
    void begin(std::size_t count);
    /// `b` is a neighbour of `a`.
    void add_neighbour(std::size_t a, std::size_t b) noexcept { neighbours_[a].add(b); }
    /// Its members by ascending `keys` (one a member) are one of the ways to halve it.
    void add_direction(std::span<const double> keys);

    /// Members by place: halves of halves, down to groups.
    [[nodiscard]] std::span<const std::uint8_t> order();

private:
    using List = std::array<std::uint8_t, tile_elements>;

    void halve(std::size_t first, std::size_t count);
    [[nodiscard]] std::size_t count_parted(std::span<const std::uint8_t> low,
                                           std::span<const std::uint8_t> high) const;
    void split(List& list, std::size_t first, std::size_t count, const TileMask& high) const;

    std::size_t count_ = 0;
    std::array<TileMask, tile_elements> neighbours_{};
    std::vector<List> sorted_;  ///< by direction: members by ascending key, within each part
    List order_{};
};

}  // namespace halocline::dist
