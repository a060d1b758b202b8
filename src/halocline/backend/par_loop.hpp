// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// par_loop and run_chain: one source for every back end, chosen at run time.
#pragma once

#include "halocline/backend/make_subset.hpp"

#if defined(HALOCLINE_DEVICE_IMAGE)
#include "halocline/backend/device/launch/image.hpp"  // lists loops for devices, runs none
#else

#include <utility>
#include <vector>

#include "halocline/backend/chain_footprint.hpp"
#include "halocline/backend/check/check_run.hpp"
#include "halocline/backend/context.hpp"
#include "halocline/backend/device/launch/dispatch.hpp"
#include "halocline/backend/openmp/by_element.hpp"
#include "halocline/backend/openmp/vector_loop.hpp"
#include "halocline/backend/serial/serial_run.hpp"
#include "halocline/loop/chain.hpp"
#include "halocline/mesh/mesh.hpp"

namespace halocline {

namespace detail {

template <class LoopT>
void run_plain(Context& context, const LoopT& loop) {
    const LoopAccount account(context, loop.name, *loop.set.part, count_bytes(loop.uses));
    if (context.backend() == Backend::check) {
        CheckedKernelOf<LoopT> kernel(loop);
        run_checked(context, loop.name, *loop.set.part, loop.uses, kernel);
    } else {
        SerialRun<LoopT>(context, loop).run();
    }
}

/// The loops of a chain one after the other on the openmp back end.
template <class... Loops>
void run_unfused(Context& context, const Loops&... loops) {
    // All halos at once, as where the chain is fused: other ranks may do so.
    std::vector<DatStore*> halos;
    (append_halo_reads(loops.uses, halos), ...);
    if (context.begin_halo(halos)) {
        context.end_halo();
    }
    (reset_temporaries(loops.uses), ...);
    (static_cast<void>(run_on_cores(context, loops)), ...);
}

/// Loops one after the other and element by element; on a device back end those without device form,
/// on what is brought back for them.
template <class... Loops>
void run_on_host(Context& context, const LoopName& name, const Loops&... loops) {
    if (context.device() != nullptr) {
        if (!device::begin_host_loop(context, name, HALOCLINE_SOURCE)) {
            return;
        }
        (ensure_on_host(loops.uses), ...);
        // All halos at once, as loops that are fused elsewhere: ranks with other back ends wait for it.
        std::vector<DatStore*> halos;
        (append_halo_reads(loops.uses, halos), ...);
        if (context.begin_halo(halos)) {
            context.end_halo();
        }
    }
    (reset_temporaries(loops.uses), ...);
    (run_plain(context, loops), ...);
    if (context.device() != nullptr) {
        (leave_on_host(loops.uses), ...);
    }
}

template <class LoopT>
void run_loop(Context& context, const LoopT& loop) {
    require_mesh(loop.uses);
    require_no_temporaries(loop.uses);
    if (context.backend() != Backend::openmp) {
        recall_values(loop.uses);
        if (context.device() == nullptr ||
            !device::run_on_device(context, loop.name, loop.set, loop)) {
            run_on_host(context, loop.name, loop);
        }
        return;
    }
    LoopAccount account(context, loop.name, *loop.set.part, count_bytes(loop.uses));
    const StrategyChoice choice = run_on_cores(context, loop);
    account.note(strategy_name(choice.strategy), choice.reason);
}

}  // namespace detail

template <class Kernel, class Tag, class... Args>
void par_loop(Context& context, const Loop<Kernel, Tag, Args...>& loop);

/// Runs `kernel` for every element of `set` on the context's back end.
///
/// Increments reach each element in ascending global id of the elements that make them, sums over
/// the set are exact: results have the same bits on every back end, rank and thread count. Halos that
/// an argument needs are exchanged while core elements run.
///
/// @param name    what timers, records and messages show; a literal, with a grid level where there is one
/// @param kernel  a functor whose call operator is a template of its value type (docs/kernels.md)
/// @param args    one for each parameter of the kernel, in its order: `read(q)`, `inc<0>(sum, edge_nodes)`
/// @throws ContractError when a set or map does not belong to the loop
/// @note Collective.
template <class Tag, class Kernel, class... Args>
void par_loop(Context& context, LoopName name, Set<Tag> set, Kernel kernel, Args... args) {
    par_loop(context, make_loop(name, set, std::move(kernel), args...));
}

/// The same for the members of a subset.
template <class Tag, class Kernel, class... Args>
void par_loop(Context& context, LoopName name, Subset<Tag> subset, Kernel kernel, Args... args) {
    par_loop(context, make_loop(name, subset, std::move(kernel), args...));
}

/// The same for a loop that was made before. Collective.
template <class Kernel, class Tag, class... Args>
void par_loop(Context& context, const Loop<Kernel, Tag, Args...>& loop) {
    // Where it does not, make_loop has said why, and back ends would only say it again.
    if constexpr (detail::takes_arguments<Kernel, Args...>) {
        detail::run_loop(context, loop);
    }
}

/// Runs loops one after the other, as if each were a `par_loop`; back ends may fuse them. Each loop
/// runs over `set` or increments it through maps. Temporaries live in registers and cache then.
///
/// @param name   of the fused chain in timers and records, with the elements of its first loop
/// @param loops  made by `make_loop`, in the order in which they run
/// @throws ContractError when a loop neither runs over `set` nor increments it, and when one needs what
///         an earlier one changes: through a map, or a global that it reduces
/// @note Collective.
template <class Tag, class... Loops>
void run_chain(Context& context, LoopName name, Set<Tag> set, const Loops&... loops) {
    (detail::require_mesh(loops.uses), ...);
    detail::ChainFootprint footprint(*set.part);
    (footprint.add(loops.name, *loops.set.part, loops.uses), ...);
    footprint.check(name);
    if (context.backend() != Backend::openmp) {
        (detail::recall_values(loops.uses), ...);
        if (context.device() == nullptr || !device::run_on_device(context, name, set, loops...)) {
            detail::run_on_host(context, name, loops...);
        }
        return;
    }
    const SetPart& counted = *get<0>(Tuple<const Loops&...>{loops...}).set.part;
    const detail::ArgUses uses[] = {loops.uses...};
    detail::LoopAccount account(context, name, counted, detail::count_bytes(uses));
    if constexpr (sizeof...(Loops) == 1) {
        account.note("loop by loop", "it is one loop");
        detail::run_unfused(context, loops...);
    } else if (detail::prefers_loops(context, loops...)) {
        account.note("loop by loop", "one of its loops scatters");
        detail::run_unfused(context, loops...);
    } else {
        const detail::ChainChoice choice = detail::run_fused(context, name, set, loops...);
        account.note(choice.strategy, choice.reason);
    }
}

/// Runs a chain that was made before. Collective.
template <class Tag, class... Loops>
void run_chain(Context& context, const Chain<Tag, Loops...>& chain) {
    apply_to([&](const Loops&... loops) { run_chain(context, chain.name, chain.set, loops...); },
             chain.loops);
}

/// Calls a kernel once, on globals alone, wherever they are: arithmetic between loops without a copy to
/// the host. Every rank computes the same.
template <class Kernel, class... Args>
void update_globals(Context& context, const GlobalUpdate<Kernel, Args...>& update) {
    if (context.device() != nullptr) {
        if (device::run_on_device(context, update) ||
            !device::begin_host_loop(context, update.name, HALOCLINE_SOURCE)) {
            return;
        }
        detail::ensure_on_host(update.uses);
    }
    apply_to(
        [&](const Args&... arg) {
            Tuple values{detail::load_scalar(arg, 0)...};
            apply_to([&](auto&... value) { update.kernel(detail::as_kernel_sees<Args>(value)...); },
                     values);
            apply_to([&](auto&... value) { (detail::store_global(arg, value), ...); }, values);
        },
        update.args);
    detail::leave_on_host(update.uses);
    detail::count_update(context, update.name);
}

/// Builds now what two-ended loops over `edges` that read the constant `edge_vector` will need, then
/// gives the memory of the edge-ordered data back: later loops over these edges may only be such
/// loops. Does nothing on back ends that work on the edge-ordered data. Collective.
template <class Edges, class Nodes, class DatT>
void precompute_edges(Context& context, Mesh& mesh, const Map<Edges, Nodes, 2>& edge_nodes,
                      OrientedOf<DatT> edge_vector) {
    DatStore& store = *detail::store_of(edge_vector.dat);
    if (context.begin_halo({&store})) {
        context.end_halo();
    }
    if (context.backend() != Backend::openmp) {
        return;
    }
    const std::vector<MapColumn> ends{{edge_nodes.part, 0}, {edge_nodes.part, 1}};
    context.plans().prepare_freeze(*edge_nodes.from, *edge_nodes.to, ends);
    // Before the copy is made: a set-up is never larger than here.
    mesh.release_map(edge_nodes.part->name);
    mesh.release_ids(edge_nodes.from->name);
    context.plans().freeze(*edge_nodes.from, *edge_nodes.to, ends, store);
    store.values.release();
}

}  // namespace halocline

#endif
