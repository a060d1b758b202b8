// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// par_loop and run_chain: one source for every back end, chosen at run time.
#pragma once

#include <utility>
#include <vector>

#include "halocline/backend/check/check_run.hpp"
#include "halocline/backend/context.hpp"
#include "halocline/backend/openmp/vector_loop.hpp"
#include "halocline/backend/serial/serial_run.hpp"
#include "halocline/loop/loop.hpp"

namespace halocline {

namespace detail {

template <class LoopT>
void run_plain(Context& context, const LoopT& loop) {
    const LoopAccount account(context, loop.name, *loop.set.part, count_bytes(loop));
    if (context.backend() == Backend::check) {
        CheckRun<LoopT>(context, loop).run();
    } else {
        SerialRun<LoopT>(context, loop).run();
    }
}

/// Temporaries start at zero; plain back ends keep them in memory.
template <class LoopT>
void reset_temporaries(const LoopT& loop) {
    loop.for_each_arg([](const auto& arg) {
        using Arg = std::remove_cvref_t<decltype(arg)>;
        if constexpr (!Arg::is_global) {
            if (arg.store->temporary) {
                if (arg.store->values.empty()) {
                    arg.store->allocate();
                }
                std::fill(arg.store->values.begin(), arg.store->values.end(), 0.0);
            }
        }
    });
}

/// What a chain's loops change directly and read through maps.
struct ChainFootprint {
    std::vector<const DatStore*> changed;
    std::vector<const DatStore*> read_through_map;
};

template <class LoopT>
void append_footprint(const LoopT& loop, const SetPart* chain_set, ChainFootprint& footprint) {
    const bool on_set = LoopT::has_indirect_change
                            ? loop.target_set() == chain_set && !LoopT::has_direct_change
                            : loop.set.part == chain_set;
    validate<ContractError>(on_set, "loop '" + loop.name.text() +
                                        "' cannot be in a chain over set '" + chain_set->name +
                                        "' (it must run over that set or increment it only).");
    loop.for_each_arg([&](const auto& arg) {
        using Arg = std::remove_cvref_t<decltype(arg)>;
        if constexpr (!Arg::is_global) {
            if constexpr (Arg::access != Access::read) {
                footprint.changed.push_back(arg.store);
            } else if constexpr (Arg::is_indirect || LoopT::has_indirect_change) {
                footprint.read_through_map.push_back(arg.store);
            }
        }
    });
}

inline void check_footprint(const LoopName& name, const ChainFootprint& footprint) {
    for (const DatStore* store : footprint.read_through_map) {
        const auto& changed = footprint.changed;
        validate<ContractError>(
            std::find(changed.begin(), changed.end(), store) == changed.end(),
            "chain '" + name.text() + "' changes dat '" + store->name +
                "' and reads it through a map (blocks would see each other's new values). Write to "
                "a second dat and swap.");
    }
}

}  // namespace detail

/// Runs `kernel` for every element of `set` on the context's back end. Collective.
///
/// Increments reach each element in ascending global id of the elements that make them, sums over
/// the set are exact: results have the same bits on every back end, rank and thread count.
template <class Tag, class Kernel, class... Args>
void par_loop(Context& context, LoopName name, Set<Tag> set, Kernel kernel, Args... args) {
    const auto loop = make_loop(name, set, std::move(kernel), args...);
    if (context.backend() != Backend::openmp) {
        detail::run_plain(context, loop);
        return;
    }
    loop.for_each_arg([&](const auto& arg) {
        using Arg = std::remove_cvref_t<decltype(arg)>;
        if constexpr (!Arg::is_global) {
            validate<ContractError>(!arg.store->temporary,
                                    "dat '" + arg.store->name +
                                        "' is temporary: it exists within a chain only.");
        }
    });
    const detail::LoopAccount account(context, name, *set.part, detail::count_bytes(loop));
    detail::run_vector_loop(context, loop);
}

/// Runs loops one after the other, as if each were a `par_loop`; back ends may fuse them. Each loop
/// runs over `set` or increments it through maps. Temporaries live in registers and cache then.
/// The fused chain is accounted under `name`, with the elements of its first loop. Collective.
template <class Tag, class... Loops>
void run_chain(Context& context, LoopName name, Set<Tag> set, const Loops&... loops) {
    detail::ChainFootprint footprint;
    (detail::append_footprint(loops, set.part, footprint), ...);
    detail::check_footprint(name, footprint);
    if (context.backend() != Backend::openmp) {
        (detail::reset_temporaries(loops), ...);
        (detail::run_plain(context, loops), ...);
        return;
    }
    const SetPart& counted = *std::get<0>(std::tie(loops...)).set.part;
    const detail::LoopAccount account(context, name, counted, detail::count_bytes(loops...));
    detail::VectorChain<Tag, Loops...>(context, set, loops...).run();
}

}  // namespace halocline
