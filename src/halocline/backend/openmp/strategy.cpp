// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/backend/openmp/strategy.hpp"

namespace halocline::detail {

const char* strategy_name(Strategy strategy) {
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

StrategyChoice choose_strategy(Context& context, const LoopData& loop,
                               const ChangedColumns& changed, LoopUse use) {
    if (!loop.traits.has_shared_change) {
        return {Strategy::direct, loop.traits.has_exclusive_change
                                      ? "no other element changes its targets"
                                      : "changes its own elements only"};
    }
    if (loop.traits.has_several_target_kinds) {
        return {Strategy::scatter, "changes several sets: each element once"};
    }
    if (loop.traits.is_swap_symmetric) {
        return {Strategy::two_ended, "its kernel is the same from both ends"};
    }
    const bool one_column = changed.columns().size() == 1;
    const Strategy otherwise = one_column ? Strategy::gather : Strategy::once;
    if (use == LoopUse::in_parts && one_column) {
        return {otherwise, "changes several sets, one after the other"};
    }
    if (one_column && context.threads() > 1) {
        return {otherwise, "no element has two targets"};
    }
    if (use == LoopUse::in_chain) {
        return {otherwise, "is fused with the loops around it"};
    }
    if (completes_rows(loop.name, loop.uses)) {
        return {otherwise, "derived values follow block by block"};
    }
    if (!has_one_map_a_type(loop.uses)) {
        return {otherwise, "two maps are of one type"};
    }
    if (context.shared_targets() != SharedTargets::automatic) {
        const bool scatters = context.shared_targets() == SharedTargets::scatter;
        return {scatters ? Strategy::scatter : otherwise, "asked for"};
    }
    return context.plans().has_local_order(loop.set)
               ? StrategyChoice{Strategy::scatter, "its elements lie in the order of the file"}
               : StrategyChoice{otherwise, "its elements lie in another order than in the file"};
}
Strategy strategy_alone(Context& context, const LoopData& loop) {
    const ChangedColumns changed(loop.uses, loop.traits.is_swap_symmetric);
    return choose_strategy(context, loop, changed, LoopUse::alone).strategy;
}

bool prefers_to_run_alone(Context& context, const LoopData& loop) {
    const ChangedColumns changed(loop.uses, loop.traits.is_swap_symmetric);
    return changed.columns().size() > 1 &&
           choose_strategy(context, loop, changed, LoopUse::alone).strategy == Strategy::scatter;
}

}  // namespace halocline::detail
