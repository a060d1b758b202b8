// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// How a loop's changes reach their elements, and why so.
#pragma once

#include "halocline/backend/context.hpp"
#include "halocline/backend/openmp/block_access.hpp"
#include "halocline/backend/openmp/changed_columns.hpp"
#include "halocline/backend/openmp/derived_writes.hpp"
#include "halocline/loop/shared_maps.hpp"

namespace halocline::detail {

/// How a loop's changes reach their elements.
enum class Strategy {
    direct,     ///< changes its own elements only
    two_ended,  ///< nodes walk their edges and compute their own end
    gather,     ///< targets of one column run the elements that reach them
    scatter,    ///< elements add to their targets in the order of the file, range by range
    once,       ///< ranges of targets: each element computed once, then added up in global order
};

[[nodiscard]] const char* strategy_name(Strategy strategy);

/// Whether a loop runs by itself, is fused with others, block by block, or is one of the parts of a loop
/// that changes sets of several kinds.
enum class LoopUse { alone, in_chain, in_parts };

/// A strategy and its reason; both stand in the loop table.
struct StrategyChoice {
    Strategy strategy;
    const char* reason;
};

/// What a loop says about its changes.
struct LoopTraits {
    bool has_shared_change;
    bool has_exclusive_change;
    bool has_several_target_kinds;
    bool is_swap_symmetric;
};

template <class LoopT>
inline constexpr LoopTraits traits_of{LoopT::has_shared_change, LoopT::has_exclusive_change,
                                      has_several_target_kinds<LoopT>(),
                                      is_swap_symmetric<typename LoopT::Kernel>};

/// A loop for code that is compiled once.
struct LoopData {
    LoopName name;
    const SetPart& set;
    ArgUses uses;
    const LoopTraits& traits;
    Lifetime::Watch set_alive;  ///< expires with the mesh
};
template <class LoopT>
[[nodiscard]] LoopData data_of(const LoopT& loop) {
    return {loop.name, *loop.set.part, loop.uses, traits_of<LoopT>, loop.set.alive};
}

/// Chooses by what is counted: scattering computes each element once, or once for each thread at its
/// border, but pays where the order of the file does not walk memory. One column needs no help but from
/// a single thread: there no element has two targets.
[[nodiscard]] StrategyChoice choose_strategy(Context& context, const LoopData& loop,
                                             const ChangedColumns& changed, LoopUse use);

/// How a loop runs by itself.
[[nodiscard]] Strategy strategy_alone(Context& context, const LoopData& loop);
/// Whether it had better run by itself than in a chain: it scatters then, and so computes each element
/// once, which saves more than temporaries in memory cost.
[[nodiscard]] bool prefers_to_run_alone(Context& context, const LoopData& loop);

}  // namespace halocline::detail
