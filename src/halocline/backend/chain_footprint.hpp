// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What the loops of a chain touch, and what keeps them from being one chain.
#pragma once

#include <vector>

#include "halocline/loop/arg_use.hpp"

namespace halocline::detail {

/// What a chain's loops change directly and read through maps.
class ChainFootprint {
public:
    /// Of a chain over `chain_set`.
    explicit ChainFootprint(const SetPart& chain_set) : chain_set_(chain_set) {}

    /// Adds a loop over `set`. Throws ContractError when it neither runs over the chain's set nor
    /// increments that only.
    void add(const LoopName& loop, const SetPart& set, ArgUses uses);

    /// Throws ContractError when the loops of the chain of that name cannot run block by block.
    void check(const LoopName& name) const;

private:
    void add_global(const ArgUse& use);

    const SetPart& chain_set_;
    std::vector<const DatStore*> changed_;
    std::vector<const DatStore*> read_through_map_;
    std::vector<const GlobalStorage*> changed_globals_;
    bool reads_changed_global_ = false;
    bool changes_global_twice_ = false;
};

}  // namespace halocline::detail
