// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops that change sets of several kinds through maps, as one loop for each kind.
#pragma once

#include <type_traits>
#include <utility>

#include "halocline/backend/openmp/strategy.hpp"

namespace halocline::detail {

/// Stands for an argument that a loop's kernel changes and another loop of the same kernel keeps.
template <int size_, class T>
struct UnkeptArg {
    using Stored = T;
    static constexpr Access access = Access::inc;
    static constexpr bool is_global = true;
    static constexpr bool is_indirect = false;
    static constexpr bool is_own = true;
    static constexpr bool is_exclusive = false;
    static constexpr bool is_oriented = false;
    static constexpr bool has_device_form = false;
    static constexpr int size = size_;
    // For code that reads globals; never set.
    Values<T, size_>* value = nullptr;
    GlobalStorage* storage = nullptr;
};

/// The argument, unless it changes elements of another kind than `Kind` through a map.
template <class Kind, class Arg>
auto kept_for_kind(const Arg& arg) {
    if constexpr (is_shared_change<Arg>) {
        if constexpr (std::is_same_v<typename Arg::DatT::Tag, Kind>) {
            return arg;
        } else {
            return UnkeptArg<Arg::size, typename Arg::Stored>{};
        }
    } else {
        return arg;
    }
}

/// The loop, but of its shared changes only those of elements of kind `Kind`; void: none.
template <class Kind, class Kernel, class Tag, class... Args>
auto part_for_kind(const Loop<Kernel, Tag, Args...>& loop) {
    return apply_to(
        [&](const Args&... arg) {
            return Loop<Kernel, Tag, decltype(kept_for_kind<Kind>(arg))...>{
                loop.name, loop.set, loop.kernel, {kept_for_kind<Kind>(arg)...}};
        },
        loop.args);
}

/// Whether no earlier argument changes elements of the same kind through a map.
[[nodiscard]] constexpr bool is_first_of_its_kind(ArgUses uses, std::size_t i) {
    for (std::size_t before = 0; before < i; ++before) {
        if (uses[before].is_shared_change() && uses[before].kind == uses[i].kind) {
            return false;
        }
    }
    return true;
}

/// Calls `work(std::type_identity<Kind>)` for each kind of element that a loop changes through maps.
template <class LoopT, class Work>
void for_each_target_kind(const LoopT&, Work&& work) {
    const auto visit = [&]<std::size_t i>(std::integral_constant<std::size_t, i>) {
        if constexpr (is_shared_change<ArgOf<LoopT, i>>) {
            if constexpr (is_first_of_its_kind(LoopT::by_type, i)) {
                work(std::type_identity<typename ArgOf<LoopT, i>::DatT::Tag>{});
            }
        }
    };
    [&]<std::size_t... i>(std::index_sequence<i...>) {
        (visit(std::integral_constant<std::size_t, i>{}), ...);
    }
    (std::make_index_sequence<LoopT::arg_count>{});
}

/// Whether a thread alone may run such a loop element by element.
template <class LoopT>
bool scatters_at_once(const Context& context, const LoopT& loop) {
    return context.threads() == 1 && context.shared_targets() != SharedTargets::once &&
           !completes_rows(loop.name, loop.uses) && has_one_map_a_type(loop.uses);
}

}  // namespace halocline::detail
