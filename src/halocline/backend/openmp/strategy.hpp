// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// How a loop's changes reach their elements, and why so.
#pragma once


#include "halocline/backend/context.hpp"
#include "halocline/backend/openmp/changed_columns.hpp"
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

[[nodiscard]] inline const char* strategy_name(Strategy strategy) {
    switch (strategy) {
        case Strategy::direct:
            return "direct";
        case Strategy::two_ended:
            return "two-ended";
        case Strategy::gather:
            return "gather";
        case Strategy::scatter:
            return "scatter";
        case Strategy::once:
            return "once";
    }
    return "";
}

/// Whether a loop runs by itself, is fused with others, block by block, or is one of the parts of a loop
/// that changes sets of several kinds.
enum class LoopUse { alone, in_chain, in_parts };

/// A strategy and its reason; both stand in the loop table.
struct StrategyChoice {
    Strategy strategy;
    const char* reason;
};

/// Derived values follow their dat a block at a time, not an element at a time.
template <class Arg>
constexpr bool changes_derived() {
    if constexpr (Arg::is_global) {
        return false;
    } else {
        return Arg::access != Access::read && uses_derived<typename Arg::DatT>;
    }
}

template <class ArgTuple>
inline constexpr bool any_changes_derived = false;
template <class... Args>
inline constexpr bool any_changes_derived<Tuple<Args...>> = (changes_derived<Args>() || ...);

/// Chooses by what is counted: scattering computes each element once, or once for each thread at its
/// border, but pays where the order of the file does not walk memory. One column needs no help but from
/// a single thread: there no element has two targets.
template <class LoopT>
StrategyChoice choose_strategy(Context& context, const LoopT& loop,
                               const ChangedColumns<LoopT>& changed, LoopUse use) {
    if constexpr (!LoopT::has_shared_change) {
        return {Strategy::direct, LoopT::has_exclusive_change ? "nobody else changes its targets"
                                                              : "changes its own elements only"};
    } else if constexpr (has_several_target_kinds<LoopT>()) {
        return {Strategy::scatter, "changes several sets: each element once"};
    } else if constexpr (is_swap_symmetric<typename LoopT::Kernel>) {
        return {Strategy::two_ended, "its kernel is the same from both ends"};
    } else {
        const bool one_column = changed.columns().size() == 1;
        const Strategy otherwise = one_column ? Strategy::gather : Strategy::once;
        const bool asked = context.shared_targets() != SharedTargets::automatic;
        if (use == LoopUse::in_parts && one_column) {
            return {otherwise, "changes several sets, one after the other"};
        }
        if (one_column && context.threads() > 1) {
            return {otherwise, "no element has two targets"};
        }
        if (use == LoopUse::in_chain) {
            return {otherwise, "is fused with the loops around it"};
        }
        if (any_changes_derived<typename LoopT::ArgTuple>) {
            return {otherwise, "derived values follow block by block"};
        }
        if (!has_one_map_a_type(loop)) {
            return {otherwise, "two maps are of one type"};
        }
        if (asked) {
            const bool scatters = context.shared_targets() == SharedTargets::scatter;
            return {scatters ? Strategy::scatter : otherwise, "asked for"};
        }
        return context.plans().has_local_order(*loop.set.part)
                   ? StrategyChoice{Strategy::scatter, "its elements lie in the order of the file"}
                   : StrategyChoice{otherwise,
                                    "its elements lie in another order than in the file"};
    }
}

}  // namespace halocline::detail
