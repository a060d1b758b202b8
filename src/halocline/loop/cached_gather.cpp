// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Lists are built again with the whole plan: that is rare.
#include "halocline/loop/cached_gather.hpp"

#include <utility>

#include "halocline/core/error.hpp"
#include "halocline/memory/memory_account.hpp"

namespace halocline {

bool CachedGather::is_of(const SetPart& loop_set, const SetPart& targets,
                         const std::vector<MapColumn>& through) const {
    if (from_id != loop_set.id || to_id != targets.id || columns.size() != through.size()) {
        return false;
    }
    for (std::size_t c = 0; c < through.size(); ++c) {
        if (map_ids[c] != through[c].map->id || columns[c].slot != through[c].slot) {
            return false;
        }
    }
    return true;
}

void CachedGather::note_use() {
    constexpr int quiet_uses = 16;
    const bool is_two_ended = !plan.run.empty();
    if (is_two_ended && !keeps_lists && ++uses == quiet_uses) {
        drop_lists();
    }
}

void CachedGather::require_lists(bool again) {
    uses = 0;
    if (!plan.element.empty() || plan.slots() == 0) {
        return;
    }
    validate<ContractError>(
        !is_frozen,
        "a loop reads a new or changed constant on edges that were precomputed. "
        "Call precompute_edges after the change.");
    const MemoryScope scope(MemoryUse::plans);
    GatherPlan fresh = build_gather_plan(*from, *to, columns);
    plan.element = std::move(fresh.element);
    plan.column = std::move(fresh.column);
    keeps_lists = again;
}

void CachedGather::drop_lists() {
    plan.element.release();
    plan.column.release();
}

}  // namespace halocline
