// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a loop's call finds before it runs, as far as it is the same for all kernels: strategy, plan, and
// where each argument's values are.
#pragma once

#include <cstddef>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/backend/openmp/block_access.hpp"
#include "halocline/backend/openmp/changed_columns.hpp"
#include "halocline/backend/openmp/strategy.hpp"
#include "halocline/loop/arg_use.hpp"

namespace halocline::detail {

/// Dats beyond the size of a private cache are written past the caches: they would not stay until the
/// next loop, and reading each line before it is overwritten costs as much as writing it. Where the last
/// cache is large and memory slow, they had better not.
enum class LargeWrites { past_caches, through_caches };

/// What an argument's type says of how it is bound, beside `ArgUse`.
struct ArgBinding {
    bool fills_lines;  ///< a block that is written fills whole lines of a cache
    bool reads_slots;  ///< read in the order of the plan
};

/// Whether a loop writes a dat that is beyond the size of a private cache, whole lines at a time.
[[nodiscard]] bool has_large_write(ArgUses uses, const ArgBinding* bindings);

/// Resolved once a loop call; then any thread may run any block.
class LoopBinding {
public:
    /// Chooses the strategy, and makes the plan of those that need no range.
    LoopBinding(Context& context, const LoopData& loop, LoopUse use);

    /// Blocks of targets that are worked on together; 1 where each block stands by itself.
    [[nodiscard]] LocalIndex preferred_grain(Context& context) const;
    /// Makes the plan of a loop that computes its elements once a range of `grain` blocks.
    void take_grain(Context& context, LocalIndex grain);
    /// Makes the plan of a loop that scatters.
    void take_chunks(Context& context);

    [[nodiscard]] const SetPart& set() const { return loop_.set; }
    /// Set that shared changes go to; null without, and where they go to several.
    [[nodiscard]] const SetPart* targets() const { return targets_; }
    [[nodiscard]] const StrategyChoice& choice() const { return choice_; }
    [[nodiscard]] Strategy strategy() const { return choice_.strategy; }
    [[nodiscard]] const ChangedColumns& changed() const { return changed_; }
    [[nodiscard]] const GatherPlan& plan() const { return *plan_; }
    [[nodiscard]] const OncePlan& once() const { return *once_; }
    [[nodiscard]] const ScatterPlan& scatter() const { return *scatter_; }
    [[nodiscard]] LoopUse use() const { return use_; }

    /// Whether rows that a later block reads are worth asking for: on meshes in a good order hardware
    /// has them, and asking twice costs a quarter of a loop that computes little.
    [[nodiscard]] bool fetches_ahead() const { return !reads_through_maps_ || leads_far_; }

protected:
    /// Finds the values of all arguments, but for what is derived or lies in the order of the plan.
    void bind(Context& context, const ArgBinding* bindings, LargeWrites large_writes,
              BoundDat* views);
    /// Brings those in the order of the plan. Collective.
    void bind_slots(Context& context, const ArgBinding* bindings, BoundDat* views) const;

private:
    [[nodiscard]] bool lies_in_target_block(const ArgUse& use) const;
    void note_map(Context& context, const MapPart& map);

    LoopData loop_;
    LoopUse use_;
    const SetPart* targets_;
    ChangedColumns changed_;
    StrategyChoice choice_;
    const GatherPlan* plan_ = nullptr;
    const OncePlan* once_ = nullptr;
    const ScatterPlan* scatter_ = nullptr;
    const MapPart* noted_ = nullptr;
    bool reads_through_maps_ = false;
    bool leads_far_ = false;
};

}  // namespace halocline::detail
