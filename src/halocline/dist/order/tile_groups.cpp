// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Members are sorted once for each direction; a split keeps these lists sorted.
#include "halocline/dist/order/tile_groups.hpp"

#include <algorithm>
#include <numeric>

namespace halocline::dist {

void TileGroups::begin(std::size_t count) {
    count_ = count;
    std::fill_n(neighbours_.begin(), count, TileMask());
    sorted_.clear();
}

void TileGroups::add_direction(std::span<const double> keys) {
    // Ranks by counting: no branch to mispredict, and vectorised.
    std::array<std::int32_t, tile_elements> rank{};
    for (std::size_t other = 0; other < count_; ++other) {
        const double key = keys[other];
        for (std::size_t i = 0; i < other; ++i) {
            rank[i] += key < keys[i] ? 1 : 0;
        }
        for (std::size_t i = other + 1; i < count_; ++i) {
            rank[i] += key <= keys[i] ? 1 : 0;
        }
    }
    List& list = sorted_.emplace_back();
    for (std::size_t i = 0; i < count_; ++i) {
        list[static_cast<std::size_t>(rank[i])] = static_cast<std::uint8_t>(i);
    }
}

std::span<const std::uint8_t> TileGroups::order() {
    std::iota(order_.begin(), order_.begin() + static_cast<long>(count_), std::uint8_t{0});
    halve(0, count_);
    return {order_.data(), count_};
}

void TileGroups::halve(std::size_t first, std::size_t count) {
    if (count <= group_elements) {
        return;
    }
    const std::size_t low = bisected(count, group_elements);
    const List* best = nullptr;
    std::size_t fewest = count + 1;
    for (const List& list : sorted_) {
        const std::span<const std::uint8_t> part(list.data() + first, count);
        const std::size_t parted = count_parted(part.first(low), part.subspan(low));
        if (parted < fewest) {
            fewest = parted;
            best = &list;
        }
    }
    TileMask high;
    for (std::size_t i = first + low; i < first + count; ++i) {
        high.add((*best)[i]);
    }
    for (List& list : sorted_) {
        split(list, first, count, high);
    }
    split(order_, first, count, high);
    halve(first, low);
    halve(first + low, count - low);
}

std::size_t TileGroups::count_parted(std::span<const std::uint8_t> low,
                                     std::span<const std::uint8_t> high) const {
    TileMask in_low;
    TileMask in_high;
    for (const std::uint8_t member : low) {
        in_low.add(member);
    }
    for (const std::uint8_t member : high) {
        in_high.add(member);
    }
    std::size_t parted = 0;
    for (const std::uint8_t member : low) {
        parted += neighbours_[member].meets(in_high) ? 1 : 0;
    }
    for (const std::uint8_t member : high) {
        parted += neighbours_[member].meets(in_low) ? 1 : 0;
    }
    return parted;
}

/// Stable on both sides.
void TileGroups::split(List& list, std::size_t first, std::size_t count,
                       const TileMask& high) const {
    List above;
    std::size_t lows = first;
    std::size_t highs = 0;
    for (std::size_t i = first; i < first + count; ++i) {
        const std::uint8_t member = list[i];
        const bool is_high = high.contains(member);
        list[lows] = member;
        above[highs] = member;
        lows += is_high ? 0 : 1;
        highs += is_high ? 1 : 0;
    }
    std::copy_n(above.begin(), highs, list.begin() + static_cast<long>(lows));
}

}  // namespace halocline::dist
