// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Sentences for chains that cannot be one.
#include "halocline/backend/chain_footprint.hpp"

#include <algorithm>
#include <string>

#include "halocline/core/error.hpp"

namespace halocline::detail {

void check_footprint(const LoopName& name, const ChainFootprint& footprint) {
    if (footprint.reads_changed_global) {
        throw ContractError("chain '" + name.text() +
                            "' reads a global that an earlier loop of it reduces (its value is "
                            "known after the chain only). End the chain between them.");
    }
    if (footprint.changes_global_twice) {
        throw ContractError("chain '" + name.text() +
                            "' reduces one global in two loops (one would be lost). Use a "
                            "second global or end the chain between them.");
    }
    for (const DatStore* store : footprint.read_through_map) {
        const auto& changed = footprint.changed;
        if (std::find(changed.begin(), changed.end(), store) != changed.end()) {
            throw ContractError("chain '" + name.text() + "' changes dat '" + store->name +
                                "' and reads it through a map (blocks would see each other's new "
                                "values). Write to a second dat and swap.");
        }
    }
}

void refuse_in_chain(const LoopName& loop, const SetPart& chain_set) {
    throw ContractError("loop '" + loop.text() + "' cannot be in a chain over set '" +
                        chain_set.name + "' (it must run over that set or increment it only).");
}

void refuse_outside_chain(const DatStore& temporary) {
    throw ContractError("dat '" + temporary.name +
                        "' is temporary: it exists within a chain only.");
}

}  // namespace halocline::detail
