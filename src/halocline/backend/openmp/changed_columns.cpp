// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/backend/openmp/changed_columns.hpp"

#include <algorithm>

#include "halocline/loop/rows.hpp"

namespace halocline::detail {

bool ContributionGroup::has(int column) const {
    return std::find(columns.begin(), columns.end(), column) != columns.end();
}

ChangedColumns::ChangedColumns(ArgUses uses, bool by_both_ends) {
    const auto shared = static_cast<std::size_t>(std::count_if(
        uses.begin(), uses.end(), [](const ArgUse& use) { return use.is_shared_change(); }));
    if (shared == 0) {
        return;
    }
    // At once: every call of a loop makes these lists.
    columns_.reserve(shared);
    groups_.reserve(shared);
    places_.resize(uses.size());
    for (std::size_t i = 0; i < uses.size(); ++i) {
        const ArgUse& use = uses[i];
        if (!use.is_shared_change()) {
            continue;
        }
        if (by_both_ends && columns_.empty()) {
            columns_ = {{use.map, 0}, {use.map, 1}};  // orientation goes by column
        }
        Place& place = places_[i];
        place.group = group_for(use, i);
        std::vector<int>& taken = groups_[static_cast<std::size_t>(place.group)].columns;
        place.column = column_for({use.map, use.slot}, taken);
        taken.push_back(place.column);
    }
    place_groups();
}

void ChangedColumns::place_groups() {
    std::size_t before = 0;
    for (ContributionGroup& group : groups_) {
        group.doubles_before = before;
        before += columns_.size() * static_cast<std::size_t>(group.room);
    }
}

std::size_t ChangedColumns::contributed_doubles() const {
    return groups_.empty() ? 0
                           : groups_.back().doubles_before +
                                 columns_.size() * static_cast<std::size_t>(groups_.back().room);
}

int ChangedColumns::group_for(const ArgUse& use, std::size_t arg) {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        if (groups_[g].store == use.store) {
            return static_cast<int>(g);
        }
    }
    groups_.push_back({use.store, arg, {}, room_of_row(use.size), 0});
    groups_.back().columns.reserve(columns_.capacity());
    return static_cast<int>(groups_.size()) - 1;
}

int ChangedColumns::column_for(const MapColumn& column, const std::vector<int>& taken) {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        const bool is_taken =
            std::find(taken.begin(), taken.end(), static_cast<int>(c)) != taken.end();
        if (columns_[c] == column && !is_taken) {
            return static_cast<int>(c);
        }
    }
    columns_.push_back(column);
    return static_cast<int>(columns_.size()) - 1;
}

}  // namespace halocline::detail
