// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A chain on the device: views, launches around the halo exchange, reductions over ranks, the account.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "halocline/backend/device/emulated/emulated_launch.hpp"
#include "halocline/backend/device/launch/signature.hpp"
#include "halocline/backend/device/views/view_builder.hpp"
#include "halocline/backend/loop_account.hpp"
#include "halocline/backend/reduce.hpp"
#if defined(HALOCLINE_GPU_COMPILER)
#include "halocline/backend/device/gpu/launch.cuh"
#endif

namespace halocline::device {

namespace detail {

/// The loops of a chain as they were handed over.
template <class... Loops>
using LoopPointers = Tuple<const Loops*...>;

template <class Arg>
void note_result(Executor& executor, const Arg& arg) {
    if constexpr (Arg::access == Access::read) {
        return;
    } else if constexpr (Arg::is_global) {
        arg.storage->host_current = false;
        arg.storage->device_current = true;
    } else if (!arg.store->temporary) {
        executor.halos().note_written(*arg.store);
        executor.dats().note_written(*arg.store);
    }
}

/// Joins this rank's part of a reduction with the others'; the result is on the host, and in watched work
/// on the device alone, as where a graph leaves it. Collective.
template <class Arg>
void join_ranks(const Communicator& comm, Executor& executor, const Arg& arg) {
    if constexpr (is_reduction<Arg>) {
        for (int d = 0; d < Arg::size; ++d) {
            const GlobalResult& place = executor.globals().read(arg.storage->place + d);
            if constexpr (Arg::access == Access::inc) {
                ExactSum::State state{place.rank_sum.top, {}, place.rank_sum.not_finite};
                std::copy_n(place.rank_sum.digit, ExactSum::digits, state.digit.begin());
                ExactSum sum(state);
                (*arg.value)[d] = place.before + sum_over_ranks(comm, sum);
            } else {
                constexpr bool smallest = Arg::access == Access::min;
                (*arg.value)[d] = from_extreme_key<smallest>(smallest ? comm.min(place.rank_key)
                                                                      : comm.max(place.rank_key));
            }
        }
        arg.storage->host_current = true;
        arg.storage->device_current = false;
        if (executor.recorder().is_watched()) {
            executor.globals().store(*arg.storage, arg.value->v, Arg::size);
            arg.storage->host_current = false;
        }
    }
}

/// Calls `work` for the arguments of loops that reduce together with other ranks.
template <class... Loops, class Work>
void for_joined_args(const Context& context, const LoopPointers<Loops...>& loops, Work&& work) {
    const auto look_at = [&](const auto& loop) {
        if (context.reducing(*loop.set.part).size() > 1) {
            loop.for_each_arg(work);
        }
    };
    apply_to([&](const auto*... loop) { (look_at(*loop), ...); }, loops);
}

/// Queues the join of all reductions of a chain over the ranks, by their devices. Collective.
template <class... Loops>
void queue_join(Context& context, const LoopName& name, const LoopPointers<Loops...>& loops) {
    Executor& executor = *context.device();
    std::vector<JoinItem> items;
    for_joined_args(context, loops, [&]<class Arg>(const Arg& arg) {
        if constexpr (is_reduction<Arg>) {
            GlobalPlace* const places = executor.globals().places(*arg.storage, Arg::size);
            for (int d = 0; d < Arg::size; ++d) {
                items.push_back({places + d, Arg::access});
            }
        }
    });
    if (!items.empty()) {
        device::join_ranks(executor, name, items);
    }
}

/// Forms without code for GPUs are not called where there is one.
template <class View>
void queue(Executor& executor, Stream& stream, const View& view) {
#if defined(HALOCLINE_GPU_COMPILER)
    if (!executor.device().is_emulated()) {
        launch_on_gpu(view, stream.native());
        return;
    }
#endif
    launch_emulated(executor.device(), stream, view);
}

template <class View>
void submit(Executor& executor, const Launch& launch, const View& view) {
    executor.launch(launch, signature_of(view),
                    [&](Stream& stream) { queue(executor, stream, view); });
}

/// Whether the halos that a loop reads can be exchanged on the device: copies in row order are made
/// from the host's values.
template <class LoopT>
bool exchanges_on_device(const DeviceHalos& halos, const LoopT& loop) {
    bool possible = true;
    loop.for_each_arg([&](const auto& arg) {
        using Arg = std::remove_cvref_t<decltype(arg)>;
        if constexpr (!Arg::is_global) {
            const bool through_host = comes_in_row_order<LoopT, Arg> || !halos.are_on_device();
            possible = possible && (arg.store->halo_valid || !through_host);
        }
    });
    return possible;
}

/// Whether a launch for core elements by itself, while halos travel, can save time. Exchanges that are
/// queued are shorter than what a second launch costs.
inline bool runs_core_first(Context& context, bool travels, LocalIndex core) {
    return travels && core > 0 && context.overlap() == Overlap::on &&
           context.device()->halos().join() == nullptr;
}

/// Launches a chain for all targets; those that need no halo run while halos travel.
template <class View>
void submit_around_exchange(Context& context, const LoopName& name, const SetPart& set, View& view,
                            const std::vector<DatStore*>& halos) {
    Executor& executor = *context.device();
    const bool travels = executor.halos().begin(context, halos);
    const LocalIndex core = set.core / tile * tile;  // blocks read whole tiles
    view.first = 0;
    view.end = core;
    view.is_last = 0;
    const bool overlaps = runs_core_first(context, travels, core);
    if (overlaps) {
        submit(executor, {name, LaunchPart::core}, view);
    }
    if (travels) {
        executor.halos().end(context);
    }
    view.first = overlaps ? core : 0;
    view.end = set.owned;
    view.is_last = 1;
    submit(executor, {name, overlaps ? LaunchPart::rest : LaunchPart::whole}, view);
}

/// One call in the account; seconds come from the device later.
inline void count_call(Context& context, const LoopName& name, const SetPart& set,
                       std::int64_t bytes, const HaloLedger& halo, std::string_view strategy) {
    if (context.device()->recorder().is_preparing()) {
        return;
    }
    LoopStatistics& row = context.loops().row(name);
    if (row.calls++ == 0) {
        row.set = set.name;
        row.on_device = true;
    }
    row.strategy = strategy;
    row.elements += set.owned;
    row.bytes += bytes;
    row.halo += halo;
}

template <class... Loops, std::size_t... l>
void build_views(Context& context, const Tuple<const Loops*...>& loops, ChainView<Loops...>& view,
                 std::index_sequence<l...>) {
    (ViewBuilder<Loops>(context, *get<l>(loops), get<l>(view.loops)).build(), ...);
}

/// The set that a chain's threads stand for: a loop by itself may change another set than its own.
template <class... Loops>
const SetPart& targets_of(const SetPart& set, const LoopPointers<Loops...>& loops) {
    const SetPart* targets = &set;
    const auto look_at = [&](const auto& loop) {
        if constexpr (std::remove_cvref_t<decltype(loop)>::has_indirect_change) {
            targets = loop.target_set();
        }
    };
    apply_to([&](const auto*... loop) { (look_at(*loop), ...); }, loops);
    return *targets;
}

/// Halos that a chain reads; those that cannot be exchanged on the device are brought through the host.
template <class... Loops>
std::vector<DatStore*> prepare_halos(Context& context, const LoopPointers<Loops...>& loops) {
    std::vector<DatStore*> halos;
    bool on_device = true;
    const auto look_at = [&](const auto& loop) {
        halocline::detail::append_halo_reads(loop.uses, halos);
        on_device = on_device && exchanges_on_device(context.device()->halos(), loop);
    };
    apply_to([&](const auto*... loop) { (look_at(*loop), ...); }, loops);
    if (!on_device) {
        context.device()->halos().update_on_host(context, halos);
    }
    return halos;
}

// By an array with a name: nvcc 13.0 loses a pack that is converted within the braces of a call.
template <class... Loops, std::size_t... l>
std::int64_t count_bytes(const LoopPointers<Loops...>& loops, std::index_sequence<l...>) {
    const halocline::detail::ArgUses uses[] = {get<l>(loops)->uses...};
    return halocline::detail::count_bytes(uses);
}

/// After a chain's launches: what changed, reductions over the ranks, the account.
template <class... Loops>
void finish_chain(Context& context, const LoopName& name, const LoopPointers<Loops...>& loops,
                  const HaloLedger& before, std::string_view strategy) {
    Executor& executor = *context.device();
    const auto note_results = [&](const auto& loop) {
        loop.for_each_arg([&](const auto& arg) { note_result(executor, arg); });
    };
    apply_to([&](const auto*... loop) { (note_results(*loop), ...); }, loops);
    if (executor.halos().join() != nullptr) {
        queue_join(context, name, loops);
    } else if (!executor.recorder().is_dry()) {
        for_joined_args(context, loops,
                        [&](const auto& arg) { join_ranks(context.comm(), executor, arg); });
    }
    count_call(context, name, *get<0>(loops)->set.part,
               count_bytes(loops, std::index_sequence_for<Loops...>{}),
               context.halo_ledger().since(before), strategy);
}

/// All loops in one launch, a thread a target.
template <class... Loops>
void run_fused(Context& context, const LoopName& name, const SetPart& set,
               const LoopPointers<Loops...>& loops) {
    const HaloLedger before = context.halo_ledger();
    const std::vector<DatStore*> halos = prepare_halos(context, loops);
    Executor& executor = *context.device();
    ChainView<Loops...> view{};
    view.shares = shares_for(targets_of(set, loops).owned);
    view.ticket = executor.memory().ticket();
    build_views(context, loops, view, std::index_sequence_for<Loops...>{});
    submit_around_exchange(context, name, targets_of(set, loops), view, halos);
    constexpr bool gathers = (Loops::has_indirect_change || ...);
    finish_chain(context, name, loops, before, gathers ? "gather" : "direct");
}

template <class Kernel, class... Args, std::size_t... a>
void run_update(Context& context, const GlobalUpdate<Kernel, Args...>& update,
                std::index_sequence<a...>) {
    Executor& executor = *context.device();
    UpdateView<Kernel, Args...> view{};
    view.kernel = update.kernel;
    const auto fill = [&](const auto& arg, auto& arg_view) {
        using Arg = std::remove_cvref_t<decltype(arg)>;
        ensure_global_on_device(executor, arg);
        arg_view.is_given = Arg::access == Access::read && !arg.storage->device_current ? 1 : 0;
        if (arg_view.is_given != 0) {
            arg_view.given = *arg.value;
        } else {
            arg_view.place = executor.globals().places(*arg.storage, Arg::size);
        }
    };
    (fill(get<a>(update.args), get<a>(view.args)), ...);
    submit(executor, {update.name, LaunchPart::whole}, view);
    (note_result(executor, get<a>(update.args)), ...);
    if (!executor.recorder().is_preparing()) {
        halocline::detail::count_update(context, update.name);
        context.loops().row(update.name).on_device = true;
    }
}

}  // namespace detail

}  // namespace halocline::device
