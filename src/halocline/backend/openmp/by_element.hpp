// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops of one thread whose dats lie in rows: where packs gain less than they cost, elements run one
// after the other.
#pragma once

#include "halocline/backend/faster_way.hpp"
#include "halocline/backend/openmp/vector_loop.hpp"
#include "halocline/backend/serial/serial_run.hpp"
#include "halocline/core/clock.hpp"

namespace halocline::detail {

/// Whether an argument lies as on the serial back end.
template <class Arg>
constexpr bool lies_plain() {
    if constexpr (Arg::is_global) {
        return true;
    } else {
        return std::is_same_v<typename Arg::DatT::Storage, RowStorage>;
    }
}

/// Two-ended kernels gain from packs, and their maps may be gone (`precompute_edges`).
template <class LoopT>
inline constexpr bool can_run_by_element = false;
template <class Kernel, class Tag, class... Args>
inline constexpr bool can_run_by_element<Loop<Kernel, Tag, Args...>> =
    !is_swap_symmetric<Kernel> && (lies_plain<Args>() && ...);

template <class LoopT>
StrategyChoice run_one_way(Context& context, const LoopT& loop, FasterWay::Way way) {
    if (way == FasterWay::Way::packs) {
        return run_vector_loop(context, loop);
    }
    recall_values(loop.uses);
    SerialRun<LoopT>(context, loop).run();
    return {LoopT::has_shared_change ? Strategy::scatter : Strategy::direct,
            "element by element, which is faster here"};
}

/// Not where several threads share the elements, nor where messages could be hidden behind packs.
template <class LoopT>
bool may_run_by_element(const Context& context, const LoopT& loop) {
    if (context.threads() != 1 || context.shared_targets() != SharedTargets::automatic) {
        return false;
    }
    std::vector<DatStore*> halo_reads;
    append_halo_reads(loop.uses, halo_reads);
    return context.comm().size() == 1 || halo_reads.empty();
}

/// A loop by itself on this rank's threads; returns how it ran, and why so.
template <class LoopT>
StrategyChoice run_on_cores(Context& context, const LoopT& loop) {
    if constexpr (can_run_by_element<LoopT>) {
        if (may_run_by_element(context, loop)) {
            FasterWay& faster = context.faster_way(loop.name);
            const FasterWay::Way way = faster.turn();
            if (faster.decided()) {
                return run_one_way(context, loop, way);
            }
            const double start_s = wall_seconds();
            const StrategyChoice choice = run_one_way(context, loop, way);
            faster.note(wall_seconds() - start_s);
            return choice;
        }
    }
    return run_vector_loop(context, loop);
}

}  // namespace halocline::detail
