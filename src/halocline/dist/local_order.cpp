// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Classifies owned elements by their distance from the halo and orders each region.
#include "halocline/dist/local_order.hpp"

#include <algorithm>

#include "halocline/dist/sparse_exchange.hpp"

namespace halocline::dist {

namespace {

using Flags = std::vector<std::vector<std::uint8_t>>;

const LocalIds& set_ids(const std::vector<LocalIds>& ids, int set) {
    return ids[static_cast<std::size_t>(set)];
}

/// Owned and exec elements that are halo themselves or map to a halo element.
Flags find_touching(const std::vector<MapPart>& maps, const std::vector<LocalIds>& ids) {
    Flags touching;
    for (const LocalIds& set : ids) {
        touching.emplace_back(static_cast<std::size_t>(set.exec_end()), std::uint8_t{0});
        std::fill(touching.back().begin() + set.owned_end(), touching.back().end(),
                  std::uint8_t{1});
    }
    for (const MapPart& map : maps) {
        auto& flags = touching[static_cast<std::size_t>(map.from)];
        const LocalIndex owned = set_ids(ids, map.to).owned_end();
        const auto arity = static_cast<std::size_t>(map.arity);
        for (std::size_t i = 0; i < map.targets.size(); ++i) {
            flags[i / arity] |= static_cast<std::uint8_t>(map.targets[i] >= owned);
        }
    }
    return touching;
}

/// Appends one halo region, grouped by owner; `first` is its first provisional index.
LocalIndex* append_halo(LocalIndex* out, const std::vector<int>& owners, LocalIndex first,
                        int ranks) {
    for (const LocalIndex row : group_by_rank(owners, ranks).rows) {
        *out++ = first + row;
    }
    return out;
}

}  // namespace

Flags find_near_halo(const std::vector<MapPart>& maps, const std::vector<LocalIds>& ids) {
    const Flags touching = find_touching(maps, ids);
    Flags near_halo;
    for (std::size_t set = 0; set < ids.size(); ++set) {
        near_halo.emplace_back(touching[set].begin(), touching[set].begin() + ids[set].owned_end());
    }
    for (const MapPart& map : maps) {
        const auto& from = touching[static_cast<std::size_t>(map.from)];
        auto& to = near_halo[static_cast<std::size_t>(map.to)];
        const LocalIndex owned = set_ids(ids, map.to).owned_end();
        const auto arity = static_cast<std::size_t>(map.arity);
        for (std::size_t i = 0; i < map.targets.size(); ++i) {
            if (from[i / arity] != 0 && map.targets[i] < owned) {
                to[static_cast<std::size_t>(map.targets[i])] = 1;
            }
        }
    }
    return near_halo;
}

LocalOrder order_locally(const LocalIds& ids, const HaloOwners& halo,
                         const std::vector<std::uint8_t>& near_halo, int ranks,
                         const Buffer<LocalIndex>& owned) {
    LocalOrder result{Buffer<LocalIndex>(static_cast<std::size_t>(ids.total())), 0};
    LocalIndex* out = result.provisional.data();
    const auto is_core = [&](LocalIndex i) { return near_halo[static_cast<std::size_t>(i)] == 0; };
    out = std::copy_if(owned.begin(), owned.end(), out, is_core);
    result.core = static_cast<LocalIndex>(out - result.provisional.data());
    out = std::copy_if(owned.begin(), owned.end(), out, [&](LocalIndex i) { return !is_core(i); });
    out = append_halo(out, halo.exec, ids.owned_end(), ranks);
    append_halo(out, halo.nonexec, ids.exec_end(), ranks);
    return result;
}

}  // namespace halocline::dist
