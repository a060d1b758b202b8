// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The map columns through which a loop changes its targets, and which argument goes through which.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "halocline/backend/openmp/block_access.hpp"
#include "halocline/loop/plan.hpp"

namespace halocline::detail {

/// Contributions to one dat: as rows by column and element.
struct ContributionGroup {
    const DatStore* store;
    std::size_t first_arg;     ///< adds for all of them
    std::vector<int> columns;  ///< of its arguments; what comes through others is neutral
    int room;                  ///< doubles of a row
};

/// Columns in the order of arguments. An argument shares the column of an earlier one but of those
/// that change the same dat, so that a dat gets at most one contribution through each.
template <class LoopT>
class ChangedColumns {
    static constexpr std::size_t places = LoopT::arg_count > 0 ? LoopT::arg_count : 1;

public:
    explicit ChangedColumns(const LoopT& loop) {
        std::size_t i = 0;
        loop.for_each_arg([&](const auto& arg) { add(arg, i++); });
    }

    [[nodiscard]] const std::vector<MapColumn>& columns() const { return columns_; }
    [[nodiscard]] const std::vector<ContributionGroup>& groups() const { return groups_; }
    /// -1 for arguments that change nothing through a map.
    [[nodiscard]] int column_of(std::size_t arg) const { return column_of_[arg]; }
    [[nodiscard]] int group_of(std::size_t arg) const { return group_of_[arg]; }

private:
    template <class ArgT>
    void add(const ArgT& argument, std::size_t i) {
        column_of_[i] = -1;
        group_of_[i] = -1;
        if constexpr (is_shared_change<ArgT>) {
            const MapColumn column{argument.map, ArgT::slot};
            if (is_swap_symmetric<typename LoopT::Kernel> && columns_.empty()) {
                columns_ = {{argument.map, 0}, {argument.map, 1}};  // orientation goes by column
            }
            group_of_[i] = group_for(argument.store, i, row_room<ArgT::size>);
            std::vector<int>& taken = groups_[static_cast<std::size_t>(group_of_[i])].columns;
            column_of_[i] = column_for(column, taken);
            taken.push_back(column_of_[i]);
        }
    }

    int group_for(const DatStore* store, std::size_t arg, int room) {
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            if (groups_[g].store == store) {
                return static_cast<int>(g);
            }
        }
        groups_.push_back({store, arg, {}, room});
        return static_cast<int>(groups_.size()) - 1;
    }

    int column_for(const MapColumn& column, const std::vector<int>& taken) {
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

    std::vector<MapColumn> columns_;
    std::vector<ContributionGroup> groups_;
    int column_of_[places] = {};
    int group_of_[places] = {};
};

}  // namespace halocline::detail
