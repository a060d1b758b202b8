// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A loop as a value: name, set, kernel and arguments, checked once.
#pragma once

#include <array>
#include <type_traits>
#include <utility>

#include "halocline/core/tuple.hpp"
#include "halocline/loop/arg_use.hpp"
#include "halocline/loop/args.hpp"
#include "halocline/loop/expanded_args.hpp"
#include "halocline/loop/kernel_fit.hpp"

namespace halocline {

/// A kernel may say `static constexpr bool swap_symmetric = true`: exchanging the two ends of an
/// edge and negating its oriented vectors exchanges the two increments, to the last bit. Then a
/// strategy may compute each end by itself.
template <class Kernel>
inline constexpr bool is_swap_symmetric = requires {
    requires Kernel::swap_symmetric;
};

namespace detail {

/// What the types of a loop's arguments say.
template <class Kernel, class... Args>
inline constexpr std::array<ArgUse, sizeof...(Args)> uses_by_type = [
]<std::size_t... i>(std::index_sequence<i...>) {
    return std::array<ArgUse, sizeof...(Args)>{use_by_type<Args>(argument_place<Kernel>(i))...};
}
(std::index_sequence_for<Args...>{});

/// The arguments of a loop as data: a copy of what their types say, and pointers.
template <class Kernel, class... Args>
[[nodiscard]] std::array<ArgUse, sizeof...(Args)> uses_of(const Tuple<Args...>& args) {
    std::array<ArgUse, sizeof...(Args)> uses = uses_by_type<Kernel, Args...>;
    [&]<std::size_t... i>(std::index_sequence<i...>) { (point_to(get<i>(args), uses[i]), ...); }
    (std::index_sequence_for<Args...>{});
    return uses;
}

}  // namespace detail

/// One parallel loop. Made by `make_loop`.
template <class Kernel_, class Tag_, class... Args>
struct Loop {
    using Kernel = Kernel_;                                    ///< type of the kernel
    using Tag = Tag_;                                          ///< kind of element looped over
    using ArgTuple = Tuple<Args...>;                           ///< types of the arguments
    static constexpr std::size_t arg_count = sizeof...(Args);  ///< number of arguments
    /// What the types of the arguments say.
    static constexpr const std::array<detail::ArgUse, arg_count>& by_type =
        detail::uses_by_type<Kernel, Args...>;

    /// Whether an argument changes elements through a map.
    template <class Arg>
    static constexpr bool changes_indirectly = !Arg::is_own && Arg::access != Access::read;
    /// Whether an argument changes the loop's own element or a global.
    template <class Arg>
    static constexpr bool changes_direct = Arg::is_own&& Arg::access != Access::read;

    /// whether any argument changes through a map
    static constexpr bool has_indirect_change = (changes_indirectly<Args> || ...);
    /// whether elements may change the same target
    static constexpr bool has_shared_change = (detail::is_shared_change<Args> || ...);
    /// whether any argument changes through a one-to-one map
    static constexpr bool has_exclusive_change = ((Args::is_exclusive && !Args::is_own) || ...);
    /// whether any argument changes the loop's own element or a global
    static constexpr bool has_direct_change = (changes_direct<Args> || ...);
    /// Whether any argument reads through a map.
    static constexpr bool has_indirect_read =
        ((Args::is_indirect && Args::access == Access::read) || ...);

    LoopName name;  ///< as timers and records show it
    Set<Tag> set;   ///< looped over
    Kernel kernel;  ///< called once an element
    ArgTuple args;  ///< in the order of the kernel's parameters
    /// The arguments as data.
    std::array<detail::ArgUse, arg_count> uses = detail::uses_of<Kernel>(args);

    /// Calls `function(arg)` for each argument in order.
    template <class Function>
    void for_each_arg(Function&& function) const {
        apply_to([&](const auto&... arg) { (function(arg), ...); }, args);
    }

    /// Set that shared changes go to; all of them go to one. Null when there are none.
    [[nodiscard]] const SetPart* target_set() const { return detail::target_set(name, uses); }
};

namespace detail {

template <class Arg, class Tag>
constexpr bool fits_set() {
    if constexpr (Arg::is_global) {
        return true;
    } else if constexpr (!Arg::is_indirect) {
        return std::is_same_v<typename Arg::DatT::Tag, Tag>;
    } else {
        return std::is_base_of_v<Map<Tag, typename Arg::DatT::Tag, Arg::MapT::arity>,
                                 typename Arg::MapT>;
    }
}

/// A loop of plain arguments.
template <class Tag, class Kernel, class... Args>
[[nodiscard]] Loop<Kernel, Tag, Args...> make_plain_loop(LoopName name, Set<Tag> set, Kernel kernel,
                                                         Args... args) {
    static_assert((fits_set<Args, Tag>() && ...),
                  "an argument's dat or map does not belong to the kind of element looped over");
    static_assert((!Args::is_oriented && ...) || is_swap_symmetric<Kernel>,
                  "oriented arguments need a kernel that is swap_symmetric");
    Loop<Kernel, Tag, Args...> loop{name, set, std::move(kernel), {args...}};
    check_uses(loop.name, set.in_mesh(), loop.uses);
    if constexpr (is_swap_symmetric<Kernel>) {
        check_two_ended(loop.name, loop.uses);
    }
    return loop;
}

}  // namespace detail

/// Describes a loop without running it. Throws ContractError when a set or map does not belong.
template <class Tag, class Kernel, class... Args>
[[nodiscard]] auto make_loop(LoopName name, Set<Tag> set, Kernel kernel, const Args&... args) {
    detail::require_fitting_kernel<Kernel, Args...>();
    if constexpr (!(detail::is_argument<Args> && ...)) {
        return;  // that did not compile
    } else if constexpr ((detail::has_rows<Args> || ...)) {
        return apply_to(
            [&](const auto&... part) {
                return detail::make_plain_loop(
                    name, set, detail::ExpandedKernel<Kernel, Args...>{std::move(kernel)}, part...);
            },
            concatenate(detail::parts_of(args)...));
    } else {
        return detail::make_plain_loop(name, set, std::move(kernel), args...);
    }
}

namespace detail {

/// A swap_symmetric kernel where the ends of edges do not matter: strategies by both ends want all edges.
template <class Kernel>
struct OneSidedKernel {
    Kernel kernel;
    template <class... Given>
    requires(std::is_invocable_v<const Kernel&, Given&...>) HALOCLINE_HD void operator()(
        Given&... given) const {
        kernel(given...);
    }
};

template <class Tag, class MapT>
struct MapFromMembers;
template <class Tag, class From, class To, int arity>
struct MapFromMembers<Tag, Map<From, To, arity>> {
    static_assert(std::is_same_v<From, Tag>,
                  "an argument's dat or map does not belong to the kind of element looped over");
    using type = Map<Members<Tag>, To, arity>;
};

/// An argument of a loop over a set, for one over a subset.
template <class Tag, class Arg>
auto on_members(const LoopName& name, Subset<Tag> subset, const Arg& arg) {
    const SetPart& parent = subset.store->parent();
    const SetPart* members = &subset.store->set();
    if constexpr (has_rows<Arg>) {
        using MapT = typename MapFromMembers<Tag, typename Arg::MapT>::type;
        check_sets(name, parent, *arg.store, {arg.map.from, arg.map.to});
        return RowsArg<Arg::access, typename Arg::DatT, MapT, Arg::is_derived>{
            arg.store, MapT{&subset.store->rows_of(*arg.map.part), members, arg.map.to}};
    } else if constexpr (Arg::is_global) {
        return arg;
    } else if constexpr (Arg::is_indirect) {
        using MapT = typename MapFromMembers<Tag, typename Arg::MapT>::type;
        check_sets(name, parent, *arg.store, {arg.from, arg.to});
        return DatArg<Arg::access, typename Arg::DatT, MapT, Arg::slot, Arg::is_derived, false>{
            arg.store, &subset.store->rows_of(*arg.map), members, arg.to};
    } else if constexpr (std::is_same_v<typename Arg::DatT::Tag, Members<Tag>>) {
        return DatArg<Arg::access, typename Arg::DatT, typename Arg::MapT, Arg::slot,
                      Arg::is_derived, false>{arg.store, arg.map, arg.from, arg.to};
    } else {
        check_sets(name, parent, *arg.store, {&parent, &parent});
        return DatArg<Arg::access, typename Arg::DatT, Membership<Tag>, 0, Arg::is_derived, false>{
            arg.store, &subset.store->membership(), members, &parent};
    }
}

}  // namespace detail

/// A loop over the members of a subset, with arguments as over the whole set.
template <class Tag, class Kernel, class... Args>
[[nodiscard]] auto make_loop(LoopName name, Subset<Tag> subset, Kernel kernel,
                             const Args&... args) {
    detail::require_fitting_kernel<Kernel, Args...>();
    const Set<Members<Tag>> members = subset.members();
    if constexpr (!(detail::is_argument<Args> && ...)) {
        return;  // that did not compile
    } else if constexpr (is_swap_symmetric<Kernel>) {
        return make_loop(name, members, detail::OneSidedKernel<Kernel>{std::move(kernel)},
                         detail::on_members(name, subset, args)...);
    } else {
        return make_loop(name, members, std::move(kernel),
                         detail::on_members(name, subset, args)...);
    }
}

}  // namespace halocline
