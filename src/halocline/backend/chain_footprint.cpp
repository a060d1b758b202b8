// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Sentences for chains that cannot be one.
#include "halocline/backend/chain_footprint.hpp"

#include <algorithm>
#include <string>

#include "halocline/core/error.hpp"

namespace halocline::detail {

void ChainFootprint::add(const LoopName& loop, const SetPart& set, ArgUses uses) {
    const bool changes_through_maps = changes_others(uses);
    const bool changes_more = std::any_of(uses.begin(), uses.end(), [](const ArgUse& use) {
        return use.is_changed() && (use.is_own || use.is_exclusive);
    });
    const bool on_set = changes_through_maps
                            ? !changes_more && target_set(loop, uses) == &chain_set_
                            : &set == &chain_set_;
    if (!on_set) {
        throw ContractError("loop '" + loop.text() + "' cannot be in a chain over set '" +
                            chain_set_.name +
                            "' (it must run over that set or increment it only).");
    }
    for (const ArgUse& use : uses) {
        if (use.is_global()) {
            add_global(use);
        } else if (use.is_changed()) {
            changed_.push_back(use.store);
        } else if (use.is_indirect() || changes_through_maps) {
            read_through_map_.push_back(use.store);
        }
    }
}

void ChainFootprint::add_global(const ArgUse& use) {
    const bool is_changed = std::find(changed_globals_.begin(), changed_globals_.end(),
                                      use.storage) != changed_globals_.end();
    if (use.access == Access::read) {
        reads_changed_global_ |= is_changed;
    } else {
        changes_global_twice_ |= is_changed;
        changed_globals_.push_back(use.storage);
    }
}

void ChainFootprint::check(const LoopName& name) const {
    if (reads_changed_global_) {
        throw ContractError("chain '" + name.text() +
                            "' reads a global that an earlier loop of it reduces (its value is "
                            "known after the chain only). End the chain between them.");
    }
    if (changes_global_twice_) {
        throw ContractError("chain '" + name.text() +
                            "' reduces one global in two loops (one would be lost). Use a "
                            "second global or end the chain between them.");
    }
    for (const DatStore* store : read_through_map_) {
        if (std::find(changed_.begin(), changed_.end(), store) != changed_.end()) {
            throw ContractError("chain '" + name.text() + "' changes dat '" + store->name +
                                "' and reads it through a map (blocks would see each other's new "
                                "values). Write to a second dat and swap.");
        }
    }
}

}  // namespace halocline::detail
