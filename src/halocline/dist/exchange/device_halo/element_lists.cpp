// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Copied once; patterns do not change.
#include "halocline/dist/exchange/device_halo/element_lists.hpp"

#include <utility>

namespace halocline::dist {

ElementLists::ElementLists(Device& device, Way way, std::span<const HaloItem> items) : way_(way) {
    for (const HaloItem& item : items) {
        const HaloPattern& halo = item.set->halo;
        const auto& indices = way == Way::send ? halo.send_indices : halo.recv_indices;
        if (!indices.empty() && !lists_.contains(item.set->id)) {
            const std::size_t bytes = indices.size() * sizeof(LocalIndex);
            SpaceBuffer list(MemoryKind::device, bytes, &device);
            copy_now(device, list.data(), indices.data(), bytes, CopyDirection::to_device);
            lists_.emplace(item.set->id, std::move(list));
        }
    }
}

const LocalIndex* ElementLists::of(const Segment& segment, std::span<const HaloItem> items) const {
    const SetPart& set = *items[segment.item].set;
    const auto& offsets = way_ == Way::send ? set.halo.send_offsets : set.halo.recv_offsets;
    return reinterpret_cast<const LocalIndex*>(lists_.at(set.id).data()) +
           offsets[segment.neighbour];
}

LocalIndex ElementLists::count(const Segment& segment, std::span<const HaloItem> items) const {
    const HaloPattern& halo = items[segment.item].set->halo;
    const auto& offsets = way_ == Way::send ? halo.send_offsets : halo.recv_offsets;
    return offsets[segment.neighbour + 1] - offsets[segment.neighbour];
}

}  // namespace halocline::dist
