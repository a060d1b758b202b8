// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A gather plan that a cache keeps, and the lists in it that only copies of edge data are made by.
#pragma once

#include <vector>

#include "halocline/loop/gather_plan.hpp"

namespace halocline {

/// Two-ended loops need the lists `element` and `column` of their plan for no more than slot copies, so
/// they go when no copy was made for a while, and come again for the next one. The sets and maps live
/// as long as there are loops over them.
struct CachedGather {
    const SetPart* from;                 ///< set that the loops run over
    const SetPart* to;                   ///< set of the targets
    std::vector<MapColumn> columns;      ///< of the plan
    std::uint64_t from_id;               ///< identity of `from`
    std::uint64_t to_id;                 ///< identity of `to`
    std::vector<std::uint64_t> map_ids;  ///< of the columns
    GatherPlan plan;                     ///< the plan itself
    bool is_frozen = false;              ///< there will be no further copies
    bool keeps_lists = false;            ///< the lists stay: they were needed twice
    int uses = 0;                        ///< by loops, since lists were needed

    /// Whether this is the plan of loops over `loop_set` that change `targets` through these
    /// columns.
    [[nodiscard]] bool is_of(const SetPart& loop_set, const SetPart& targets,
                             const std::vector<MapColumn>& through) const;
    /// A loop takes the plan.
    void note_use();
    /// Makes the lists again where they are gone. `again`: for a copy that was made before, so that
    /// they had better stay. Throws ContractError for plans that were precomputed.
    void require_lists(bool again);
    /// Gives the memory of the lists back.
    void drop_lists();
};

}  // namespace halocline
