// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/mesh/subset.hpp"

#include <algorithm>
#include <utility>

#include "halocline/core/error.hpp"

namespace halocline::detail {

namespace {

LocalIndex count_below(const std::vector<LocalIndex>& members, LocalIndex end) {
    return static_cast<LocalIndex>(std::lower_bound(members.begin(), members.end(), end) -
                                   members.begin());
}

/// What of an exchange is about members. Both ranks of a pair have the same ones, in the same order.
void restrict_to(const std::vector<LocalIndex>& members, const std::vector<LocalIndex>& offsets,
                 const std::vector<LocalIndex>& indices, std::vector<LocalIndex>& kept_offsets,
                 std::vector<LocalIndex>& kept) {
    kept_offsets.assign(1, 0);
    for (std::size_t n = 0; n + 1 < offsets.size(); ++n) {
        for (LocalIndex k = offsets[n]; k < offsets[n + 1]; ++k) {
            const auto found = std::lower_bound(members.begin(), members.end(),
                                                indices[static_cast<std::size_t>(k)]);
            if (found != members.end() && *found == indices[static_cast<std::size_t>(k)]) {
                kept.push_back(static_cast<LocalIndex>(found - members.begin()));
            }
        }
        kept_offsets.push_back(static_cast<LocalIndex>(kept.size()));
    }
}

HaloPattern halo_of(const HaloPattern& parent, const std::vector<LocalIndex>& members) {
    HaloPattern halo;
    halo.neighbours = parent.neighbours;
    restrict_to(members, parent.send_offsets, parent.send_indices, halo.send_offsets,
                halo.send_indices);
    restrict_to(members, parent.recv_offsets, parent.recv_indices, halo.recv_offsets,
                halo.recv_indices);
    return halo;
}

SetPart set_of(const SetPart& parent, std::string_view name,
               const std::vector<LocalIndex>& members) {
    SetPart set;
    set.name = name;
    set.global_size = parent.global_size;
    set.is_replicated = parent.is_replicated;
    set.core = count_below(members, parent.core);
    set.owned = count_below(members, parent.owned);
    set.exec = count_below(members, parent.exec);
    set.total = static_cast<LocalIndex>(members.size());
    set.halo = halo_of(parent.halo, members);
    for (const LocalIndex member : members) {
        set.global_ids.push_back(parent.global_id(member));
    }
    return set;
}

}  // namespace

SubsetStore::SubsetStore(const SetPart& parent, std::string_view name,
                         const std::vector<LocalIndex>& members)
    : parent_(parent), set_(set_of(parent, name, members)) {
    membership_.name = set_.name;
    membership_.targets = Buffer<LocalIndex>(static_cast<std::size_t>(set_.exec));
    std::copy_n(members.begin(), set_.exec, membership_.targets.begin());
}

const MapPart& SubsetStore::rows_of(const MapPart& map) {
    for (const auto& taken : member_maps_) {
        if (taken->of == map.id) {
            return taken->rows;
        }
    }
    map.require_rows();
    const auto arity = static_cast<std::size_t>(map.arity);
    MapPart rows;
    rows.name = map.name;
    rows.arity = map.arity;
    rows.may_be_absent = map.may_be_absent;
    rows.targets = Buffer<LocalIndex>(membership_.targets.size() * arity);
    for (std::size_t k = 0; k < membership_.targets.size(); ++k) {
        const LocalIndex* row =
            map.targets.data() + static_cast<std::size_t>(membership_.targets[k]) * arity;
        std::copy(row, row + arity, rows.targets.data() + k * arity);
    }
    member_maps_.push_back(std::make_unique<MemberMap>(map.id, std::move(rows)));
    return member_maps_.back()->rows;
}

void require_ids_of(const SetPart& set, std::string_view subset,
                    const std::vector<GlobalIndex>& ids) {
    for (const GlobalIndex id : ids) {
        validate<ContractError>(id >= 0 && id < set.global_size,
                                "subset '" + std::string(subset) + "' lists element " +
                                    std::to_string(id) + ", but set '" + set.name +
                                    "' has elements 0 to " + std::to_string(set.global_size - 1) +
                                    ". List ids of the file's order.");
    }
}

std::vector<bool> elements_with(const SetPart& set, std::vector<GlobalIndex> ids) {
    std::sort(ids.begin(), ids.end());
    std::vector<bool> has(static_cast<std::size_t>(set.owned));
    for (LocalIndex i = 0; i < set.owned; ++i) {
        has[static_cast<std::size_t>(i)] =
            std::binary_search(ids.begin(), ids.end(), set.global_id(i));
    }
    return has;
}

}  // namespace halocline::detail
