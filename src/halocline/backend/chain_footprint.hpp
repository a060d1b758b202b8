// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What the loops of a chain touch, and what keeps them from being one chain.
#pragma once

#include <vector>

#include "halocline/loop/loop.hpp"

namespace halocline::detail {

/// What a chain's loops change directly and read through maps.
struct ChainFootprint {
    std::vector<const DatStore*> changed;
    std::vector<const DatStore*> read_through_map;
    std::vector<const void*> changed_globals;
    bool reads_changed_global = false;
    bool changes_global_twice = false;
};

/// Throws ContractError when the loops of the chain of that name cannot run block by block.
void check_footprint(const LoopName& name, const ChainFootprint& footprint);

// Messages are put together where they are needed only: every call of a loop checks.
[[noreturn]] void refuse_in_chain(const LoopName& loop, const SetPart& chain_set);
[[noreturn]] void refuse_outside_chain(const DatStore& temporary);

}  // namespace halocline::detail
