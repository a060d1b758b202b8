// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A loop as a value: name, set, kernel and arguments, checked once.
#pragma once

#include <array>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "halocline/core/error.hpp"
#include "halocline/core/tuple.hpp"
#include "halocline/loop/args.hpp"
#include "halocline/loop/kernel_fit.hpp"
#include "halocline/loop/spread.hpp"

namespace halocline {

/// What timers and reports call a loop; `level` -1 where there are no grid levels. And the stream of a
/// device that the loop is for: "" is the main one. Loops on different streams run at the same time
/// where neither changes what the other uses; results do not depend on the choice.
struct LoopName {
    const char* name = "";
    int level = -1;
    const char* stream = "";
    LoopName(const char* text) : name(text) {}
    LoopName(const char* text, int grid_level) : name(text), level(grid_level) {}
    /// The same loop for the stream of this name, made at its first use.
    [[nodiscard]] LoopName on_stream(const char* stream_name) const {
        LoopName named = *this;
        named.stream = stream_name;
        return named;
    }
    [[nodiscard]] std::string text() const {
        return level < 0 ? std::string(name) : std::string(name) + ".L" + std::to_string(level);
    }
};

/// A kernel may say `static constexpr bool swap_symmetric = true`: exchanging the two ends of an
/// edge and negating its oriented vectors exchanges the two increments, to the last bit. Then a
/// strategy may compute each end by itself.
template <class Kernel>
inline constexpr bool is_swap_symmetric = requires {
    requires Kernel::swap_symmetric;
};

namespace detail {

// Messages are put together where they are needed only: every call of a loop checks.
[[noreturn]] void refuse_two_target_sets(const LoopName& name);
[[noreturn]] void refuse_swap_symmetric(const LoopName& name);

}  // namespace detail

/// One parallel loop. Made by `make_loop`.
template <class Kernel_, class Tag_, class... Args>
struct Loop {
    using Kernel = Kernel_;
    using Tag = Tag_;
    using ArgTuple = Tuple<Args...>;
    static constexpr std::size_t arg_count = sizeof...(Args);

    template <class Arg>
    static constexpr bool changes_indirectly = !Arg::is_own && Arg::access != Access::read;
    template <class Arg>
    static constexpr bool changes_direct = Arg::is_own&& Arg::access != Access::read;

    static constexpr bool has_indirect_change = (changes_indirectly<Args> || ...);
    static constexpr bool has_shared_change = (detail::is_shared_change<Args> || ...);
    static constexpr bool has_exclusive_change = ((Args::is_exclusive && !Args::is_own) || ...);
    static constexpr bool has_direct_change = (changes_direct<Args> || ...);
    static constexpr bool has_indirect_read =
        ((Args::is_indirect && Args::access == Access::read) || ...);

    LoopName name;
    Set<Tag> set;
    Kernel kernel;
    ArgTuple args;

    /// Calls `function(arg)` for each argument in order.
    template <class Function>
    void for_each_arg(Function&& function) const {
        apply_to([&](const auto&... arg) { (function(arg), ...); }, args);
    }

    /// Set that shared changes go to; all of them go to one. Null when there are none.
    [[nodiscard]] const SetPart* target_set() const {
        const SetPart* target = nullptr;
        for_each_arg([&](const auto& arg) {
            using Arg = std::remove_cvref_t<decltype(arg)>;
            if constexpr (!Arg::is_global) {
                if constexpr (detail::is_shared_change<Arg>) {
                    if (target != nullptr && target != arg.to) {
                        detail::refuse_two_target_sets(name);
                    }
                    target = arg.to;
                }
            }
        });
        return target;
    }
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

/// Sets that an argument leads from and to; a direct one stays on the loop's.
struct ArgSets {
    const SetPart* from;
    const SetPart* to;
};

/// Throws ContractError when a dat or its map does not belong to a loop over `loop_set`.
void check_sets(const LoopName& name, const SetPart& loop_set, const DatStore& dat, ArgSets sets);
[[noreturn]] void refuse_absent(const LoopName& name, const DatStore& dat, const MapPart& map);

template <class LoopT, class Arg>
void check_arg(const LoopT& loop, const Arg& arg) {
    if constexpr (Arg::is_indirect) {
        check_sets(loop.name, *loop.set.part, *arg.store, {arg.from, arg.to});
        if constexpr (Arg::access == Access::read || Arg::access == Access::read_write) {
            if (arg.map->may_be_absent && !arg.store->absent_stated) {
                refuse_absent(loop.name, *arg.store, *arg.map);
            }
        }
    } else if constexpr (!Arg::is_global) {
        check_sets(loop.name, *loop.set.part, *arg.store, {loop.set.part, loop.set.part});
    }
}

/// How one argument touches its dat or global.
struct ArgUse {
    int number;  ///< of the argument
    const DatStore* store;
    const void* global;
    Access access;
    const MapPart* map;  ///< null for those of the own element
    int slot;
    bool is_exclusive;
    const void* kind;  ///< of element
};

/// Its address stands for a kind of element.
template <class Tag>
inline constexpr char kind_mark = 0;

/// Throws ContractError when one loop uses a dat or a global in two ways that do not go together.
/// Results must not depend on which element runs first: who changes a dat through a map may not look
/// at it in the same loop, and who changes it directly may not read it through a map. Of two arguments
/// that change the own element, the one stored last would undo the other, unless both add; the same
/// holds for two that write through maps, unless through two columns of one. A global has one reduction
/// under way. Sets that are changed through maps are told apart by kind.
void check_uses(const LoopName& name, const std::vector<ArgUse>& uses);

template <class LoopT>
void check_aliases(const LoopT& loop) {
    std::vector<ArgUse> uses;
    loop.for_each_arg([&](const auto& arg) {
        using Arg = std::remove_cvref_t<decltype(arg)>;
        const int number = argument_place<typename LoopT::Kernel>(uses.size()).argument;
        if constexpr (Arg::is_global) {
            uses.push_back({number, nullptr, arg.value, Arg::access, nullptr, -1, false, nullptr});
        } else {
            uses.push_back({number, arg.store, nullptr, Arg::access,
                            Arg::is_own ? nullptr : arg.map, Arg::slot, Arg::is_exclusive,
                            &kind_mark<typename Arg::DatT::Tag>});
        }
    });
    check_uses(loop.name, uses);
}

/// A swap-symmetric kernel stands for both ends of an edge: one map of arity 2, direct arguments only
/// read, and every increment at one end has its twin at the other.
template <class LoopT>
void check_two_ended(const LoopT& loop) {
    const MapPart* map = nullptr;
    std::vector<const DatStore*> ends[2];
    bool fits = true;
    loop.for_each_arg([&](const auto& arg) {
        using Arg = std::remove_cvref_t<decltype(arg)>;
        if constexpr (!Arg::is_indirect) {
            fits = fits && Arg::access == Access::read;
        } else {
            fits = fits && Arg::MapT::arity == 2 && (map == nullptr || map == arg.map);
            map = arg.map;
            if constexpr (Arg::access == Access::inc && Arg::MapT::arity == 2) {
                ends[Arg::slot].push_back(arg.store);
                fits = fits && ends[0].size() >= ends[1].size();
            } else {
                fits = fits && Arg::access == Access::read;
            }
        }
    });
    if (!fits || ends[0].empty() || ends[0] != ends[1]) {
        refuse_swap_symmetric(loop.name);
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
    loop.for_each_arg([&](const auto& arg) { check_arg(loop, arg); });
    check_aliases(loop);
    if constexpr (is_swap_symmetric<Kernel>) {
        check_two_ended(loop);
    }
    return loop;
}

}  // namespace detail

/// Describes a loop without running it. Throws ContractError when a set or map does not belong.
template <class Tag, class Kernel, class... Args>
[[nodiscard]] auto make_loop(LoopName name, Set<Tag> set, Kernel kernel, Args... args) {
    detail::require_fitting_kernel<Kernel, Args...>();
    if constexpr ((detail::has_rows<Args> || ...)) {
        return apply_to(
            [&](const auto&... part) {
                return detail::make_plain_loop(
                    name, set, detail::SpreadKernel<Kernel, Args...>{std::move(kernel)}, part...);
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
    } else {
        check_sets(name, parent, *arg.store, {&parent, &parent});
        return DatArg<Arg::access, typename Arg::DatT, Membership<Tag>, 0, Arg::is_derived, false>{
            arg.store, &subset.store->membership(), members, &parent};
    }
}

}  // namespace detail

/// A loop over the members of a subset, with arguments as over the whole set.
template <class Tag, class Kernel, class... Args>
[[nodiscard]] auto make_loop(LoopName name, Subset<Tag> subset, Kernel kernel, Args... args) {
    detail::require_fitting_kernel<Kernel, Args...>();
    const Set<Members<Tag>> members{&subset.store->set()};
    if constexpr (is_swap_symmetric<Kernel>) {
        return make_loop(name, members, detail::OneSidedKernel<Kernel>{std::move(kernel)},
                         detail::on_members(name, subset, args)...);
    } else {
        return make_loop(name, members, std::move(kernel),
                         detail::on_members(name, subset, args)...);
    }
}

}  // namespace halocline
