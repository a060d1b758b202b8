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

#include "halocline/backend/context.hpp"
#include "halocline/backend/loop_account.hpp"
#include "halocline/backend/loop_ways.hpp"
#include "halocline/backend/run_loop.hpp"
#include "halocline/loop/chain.hpp"
#include "halocline/mesh/mesh.hpp"

namespace halocline {

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
void par_loop(Context& context, LoopName name, Set<Tag> set, Kernel kernel, const Args&... args) {
    par_loop(context, make_loop(name, set, std::move(kernel), args...));
}

/// The same for the members of a subset.
template <class Tag, class Kernel, class... Args>
void par_loop(Context& context, LoopName name, Subset<Tag> subset, Kernel kernel,
              const Args&... args) {
    par_loop(context, make_loop(name, subset, std::move(kernel), args...));
}

/// The same for a loop that was made before. Collective.
template <class Kernel, class Tag, class... Args>
void par_loop(Context& context, const Loop<Kernel, Tag, Args...>& loop) {
    // Where it does not, make_loop has said why, and back ends would only say it again.
    if constexpr (detail::takes_arguments<Kernel, Args...>) {
        using LoopT = Loop<Kernel, Tag, Args...>;
        const Tuple<const LoopT*> loops{&loop};
        detail::run_loop(context, detail::call_of(loop),
                         device::form_slot<device::ChainKey<Tag, LoopT>>(), &loops);
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
    const detail::LoopCall calls[] = {detail::call_of(loops)...};
    const Tuple<const Loops*...> pointers{&loops...};
    detail::run_loops(context, name, set.in_mesh(), calls,
                      device::form_slot<device::ChainKey<Tag, Loops...>>(), &pointers, [&] {
                          if constexpr (sizeof...(Loops) > 1) {
                              detail::VectorChain<Tag, Loops...>(context, set, loops...).run();
                          }
                      });
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
    using Key = device::ChainKey<device::NoSet, GlobalUpdate<Kernel, Args...>>;
    if (detail::update_on_device(context, update.name, update.uses, device::form_slot<Key>(),
                                 &update)) {
        return;
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
    const MapPart& map = edge_nodes.in_mesh();
    DatStore& store = *detail::store_of(edge_vector.dat);
    if (context.begin_halo({&store})) {
        context.end_halo();
    }
    if (context.backend() != Backend::openmp) {
        return;
    }
    const std::vector<MapColumn> ends{{&map, 0}, {&map, 1}};
    context.plans().prepare_freeze(*edge_nodes.from, *edge_nodes.to, ends);
    // Before the copy is made: a set-up is never larger than here.
    mesh.release_map(map.name);
    mesh.release_ids(edge_nodes.from->name);
    context.plans().freeze(*edge_nodes.from, *edge_nodes.to, ends, store);
    store.end_values();
}

}  // namespace halocline

#endif
