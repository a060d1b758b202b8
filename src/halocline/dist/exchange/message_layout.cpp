// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Collects by neighbour what each item sends or receives.
#include "halocline/dist/exchange/message_layout.hpp"

#include <limits>
#include <map>
#include <string>

#include "halocline/core/error.hpp"

namespace halocline::dist {

namespace {

/// Elements of one neighbour in a pattern, to send or to receive.
using List = std::span<const LocalIndex> (*)(const HaloPattern& halo, std::size_t neighbour);

std::span<const LocalIndex> listed(const std::vector<LocalIndex>& offsets,
                                   const std::vector<LocalIndex>& indices, std::size_t k) {
    return std::span<const LocalIndex>(indices).subspan(
        static_cast<std::size_t>(offsets[k]),
        static_cast<std::size_t>(offsets[k + 1] - offsets[k]));
}

struct Draft {
    std::size_t count = 0;
    std::size_t bytes = 0;
    std::vector<Segment> segments;
};

Direction lay_out(std::span<const HaloItem> items, List list, std::size_t stamp) {
    std::map<int, Draft> by_rank;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const HaloPattern& halo = items[i].set->halo;
        for (std::size_t k = 0; k < halo.neighbours.size(); ++k) {
            const std::size_t values =
                list(halo, k).size() * static_cast<std::size_t>(items[i].dat.dim);
            if (values > 0) {
                const std::size_t value_bytes = bytes_of(items[i].dat.type);
                const std::size_t count = words_for(values, value_bytes);
                Draft& draft = by_rank[halo.neighbours[k]];
                draft.segments.push_back({i, k, draft.count, count});
                draft.count += count;
                draft.bytes += values * value_bytes;
            }
        }
    }
    Direction direction;
    for (auto& [rank, draft] : by_rank) {
        for (Segment& segment : draft.segments) {
            segment.offset += direction.size;
        }
        const std::size_t count = draft.count + stamp;
        validate<ContractError>(count <= std::numeric_limits<int>::max(),
                                "a halo message is too long (more than 2147483647 values to rank " +
                                    std::to_string(rank) + "). Use more ranks.");
        direction.messages.push_back({rank, direction.size, count});
        direction.bytes.push_back(draft.bytes);
        direction.segments.push_back(std::move(draft.segments));
        direction.size += count;
    }
    return direction;
}

}  // namespace

std::span<const LocalIndex> sent_elements(const HaloPattern& halo, std::size_t k) {
    return listed(halo.send_offsets, halo.send_indices, k);
}

std::span<const LocalIndex> received_elements(const HaloPattern& halo, std::size_t k) {
    return listed(halo.recv_offsets, halo.recv_indices, k);
}

Direction lay_out_sends(std::span<const HaloItem> items, std::size_t stamp) {
    return lay_out(items, sent_elements, stamp);
}

Direction lay_out_receives(std::span<const HaloItem> items, std::size_t stamp) {
    return lay_out(items, received_elements, stamp);
}

}  // namespace halocline::dist
