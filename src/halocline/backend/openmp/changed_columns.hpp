// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The map columns through which a loop changes its targets, and which argument goes through which.
#pragma once

#include <vector>

#include "halocline/loop/arg_use.hpp"
#include "halocline/loop/plan.hpp"

namespace halocline::detail {

/// Contributions to one dat: as rows by column and element.
struct ContributionGroup {
    const DatStore* store;
    std::size_t first_arg;     ///< adds for all of them
    std::vector<int> columns;  ///< of its arguments; what comes through others is neutral
    int room;                  ///< doubles of a row
    /// Doubles that all columns of earlier groups take for an element.
    std::size_t doubles_before;

    /// Whether an argument changes the dat through this column.
    [[nodiscard]] bool has(int column) const;
};

/// Columns in the order of arguments. An argument shares the column of an earlier one but of those
/// that change the same dat, so that a dat gets at most one contribution through each.
class ChangedColumns {
public:
    /// `by_both_ends`: of a swap-symmetric kernel, whose columns are both ends in their order.
    ChangedColumns(ArgUses uses, bool by_both_ends);

    [[nodiscard]] const std::vector<MapColumn>& columns() const { return columns_; }
    [[nodiscard]] const std::vector<ContributionGroup>& groups() const { return groups_; }
    /// -1 for arguments that change nothing through a map.
    [[nodiscard]] int column_of(std::size_t arg) const { return place(arg).column; }
    [[nodiscard]] int group_of(std::size_t arg) const { return place(arg).group; }
    /// Doubles that all contributions of an element take, through every column.
    [[nodiscard]] std::size_t contributed_doubles() const;

private:
    struct Place {
        int column = -1;
        int group = -1;
    };
    [[nodiscard]] Place place(std::size_t arg) const {
        return places_.empty() ? Place{} : places_[arg];
    }
    int group_for(const ArgUse& use, std::size_t arg);
    int column_for(const MapColumn& column, const std::vector<int>& taken);
    void place_groups();

    std::vector<MapColumn> columns_;
    std::vector<ContributionGroup> groups_;
    std::vector<Place> places_;  ///< of the arguments; empty where none changes what is shared
};

}  // namespace halocline::detail
