// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Classifies owned elements by their distance from the halo and orders each region.
#include "halocline/dist/order/local_order.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

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

/// Appends one halo region; its halo elements are `first`, `first` + 1, …
LocalIndex* append_region(LocalIndex* out, LocalIndex owned, const std::vector<int>& owners,
                          LocalIndex first, const std::vector<LocalIndex>& places) {
    std::vector<LocalIndex> rows(owners.size());
    std::iota(rows.begin(), rows.end(), 0);
    const auto key = [&](LocalIndex row) {
        return std::pair(owners[static_cast<std::size_t>(row)],
                         places[static_cast<std::size_t>(first + row)]);
    };
    std::sort(rows.begin(), rows.end(),
              [&](LocalIndex a, LocalIndex b) { return key(a) < key(b); });
    return std::transform(rows.begin(), rows.end(), out,
                          [=](LocalIndex row) { return owned + first + row; });
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
            if (from[i / arity] != 0 && map.targets[i] >= 0 && map.targets[i] < owned) {
                to[static_cast<std::size_t>(map.targets[i])] = 1;
            }
        }
    }
    return near_halo;
}

OwnedOrder order_owned_elements(const Buffer<LocalIndex>& sequence,
                                const std::vector<std::uint8_t>& near_halo,
                                const std::vector<int>& takers) {
    OwnedOrder order{Buffer<LocalIndex>(sequence.size()), 0};
    LocalIndex* out = order.provisional.data();
    const auto is_core = [&](LocalIndex i) { return near_halo[static_cast<std::size_t>(i)] == 0; };
    out = std::copy_if(sequence.begin(), sequence.end(), out, is_core);
    order.core = static_cast<LocalIndex>(out - order.provisional.data());
    LocalIndex* const others = out;
    out = std::copy_if(sequence.begin(), sequence.end(), out,
                       [&](LocalIndex i) { return !is_core(i); });
    if (!takers.empty()) {
        std::stable_sort(others, out, [&](LocalIndex a, LocalIndex b) {
            return takers[static_cast<std::size_t>(a)] < takers[static_cast<std::size_t>(b)];
        });
    }
    return order;
}

Buffer<LocalIndex> append_halo(const Buffer<LocalIndex>& owned, const HaloOwners& halo,
                               const std::vector<LocalIndex>& places_at_owners) {
    Buffer<LocalIndex> order(owned.size() + places_at_owners.size());
    LocalIndex* out = std::copy(owned.begin(), owned.end(), order.data());
    const auto owned_end = static_cast<LocalIndex>(owned.size());
    out = append_region(out, owned_end, halo.exec, 0, places_at_owners);
    append_region(out, owned_end, halo.nonexec, static_cast<LocalIndex>(halo.exec.size()),
                  places_at_owners);
    return order;
}

}  // namespace halocline::dist
