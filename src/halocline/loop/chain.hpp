// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Several loops as one value, and updates of globals as another: what a recipe is made of.
#pragma once

#include <utility>

#include "halocline/loop/loop.hpp"

namespace halocline {

/// Loops that run one after the other over one set, or increment it; see `run_chain`.
template <class Tag_, class... Loops>
struct Chain {
    using Tag = Tag_;       ///< kind of element looped over
    LoopName name;          ///< of the chain; its loops have their own
    Set<Tag> set;           ///< that all loops run over, or increment
    Tuple<Loops...> loops;  ///< in the order in which they run
};

/// Describes a chain without running it.
template <class Tag, class... Loops>
[[nodiscard]] Chain<Tag, Loops...> make_chain(LoopName name, Set<Tag> set, Loops... loops) {
    return {name, set, {std::move(loops)...}};
}

/// A kernel called once, on globals alone: arithmetic between loops that stays where the globals are.
template <class Kernel_, class... Args>
struct GlobalUpdate {
    static_assert((Args::is_global && ...), "an update of globals takes globals only");
    static_assert(((Args::access == Access::read || Args::access == Access::write) && ...),
                  "an update of globals reads and writes; reductions belong to loops");
    using Kernel = Kernel_;           ///< type of the kernel
    using ArgTuple = Tuple<Args...>;  ///< types of the arguments
    LoopName name;                    ///< as timers and records show it
    Kernel kernel;                    ///< called with the arguments' values
    ArgTuple args;                    ///< globals to read and to write
    /// The arguments as data.
    std::array<detail::ArgUse, sizeof...(Args)> uses = detail::uses_of<Kernel>(args);
};

/// Describes an update of globals without running it; `update_globals` runs it.
template <class Kernel, class... Args>
[[nodiscard]] GlobalUpdate<Kernel, Args...> make_global_update(LoopName name, Kernel kernel,
                                                               Args... args) {
    return {name, std::move(kernel), {args...}};
}

}  // namespace halocline
