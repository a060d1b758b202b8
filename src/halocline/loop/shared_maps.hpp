// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Which arguments of a loop share maps and dats, as far as types show.
#pragma once

#include <type_traits>
#include <utility>

#include "halocline/loop/args.hpp"

namespace halocline::detail {

template <class LoopT, std::size_t i>
using ArgOf = TupleElement<i, typename LoopT::ArgTuple>;

/// Type of the map an argument goes through; void without one.
template <class ArgT>
struct MapOf {
    using type = void;
};
template <class ArgT>
requires(!ArgT::is_global && ArgT::is_indirect) struct MapOf<ArgT> {
    using type = typename ArgT::MapT;
};

/// The first argument that goes through a map of the same type as argument `i`.
template <class LoopT, std::size_t i, std::size_t candidate = 0>
constexpr std::size_t first_through_map() {
    using Own = typename MapOf<ArgOf<LoopT, i>>::type;
    if constexpr (std::is_same_v<typename MapOf<ArgOf<LoopT, candidate>>::type, Own>) {
        return candidate;
    } else {
        return first_through_map<LoopT, i, candidate + 1>();
    }
}

/// Whether arguments `a` and `b` may be one dat through columns of one map.
template <class LoopT, std::size_t a, std::size_t b>
constexpr bool are_alike() {
    using A = ArgOf<LoopT, a>;
    using B = ArgOf<LoopT, b>;
    if constexpr (std::is_void_v<typename MapOf<A>::type> ||
                  !std::is_same_v<typename MapOf<A>::type, typename MapOf<B>::type>) {
        return false;
    } else {
        return A::access == B::access && std::is_same_v<typename A::DatT, typename B::DatT>;
    }
}
/// The same, and through one column: then they are two dats.
template <class LoopT, std::size_t a, std::size_t b>
constexpr bool are_rivals() {
    if constexpr (a != b && are_alike<LoopT, a, b>()) {
        return ArgOf<LoopT, a>::slot == ArgOf<LoopT, b>::slot;
    } else {
        return false;
    }
}

/// Whether two of the arguments that are like argument `i` are rivals: types cannot tell whose dat it has.
template <class LoopT, std::size_t i>
constexpr bool has_rivals() {
    constexpr std::size_t count = LoopT::arg_count;
    return []<std::size_t... k>(std::index_sequence<k...>) {
        return ((are_alike<LoopT, i, k / count>() && are_rivals<LoopT, k / count, k % count>()) ||
                ...);
    }
    (std::make_index_sequence<count * count>{});
}

/// The first argument that has the dat of argument `i`, as far as types show: they read or change it alike
/// through different columns of one map. `i` where types cannot tell.
template <class LoopT, std::size_t i, std::size_t candidate = 0>
constexpr std::size_t first_of_dat() {
    if constexpr (candidate == i || (are_alike<LoopT, i, candidate>() && !has_rivals<LoopT, i>())) {
        return candidate;
    } else {
        return first_of_dat<LoopT, i, candidate + 1>();
    }
}

/// Whether arguments `a` and `b` change elements of different kinds through maps.
template <class LoopT, std::size_t a, std::size_t b>
constexpr bool changes_two_kinds() {
    if constexpr (is_shared_change<ArgOf<LoopT, a>> && is_shared_change<ArgOf<LoopT, b>>) {
        return !std::is_same_v<typename ArgOf<LoopT, a>::DatT::Tag,
                               typename ArgOf<LoopT, b>::DatT::Tag>;
    } else {
        return false;
    }
}

/// Whether a loop changes elements of several kinds through maps.
template <class LoopT>
constexpr bool has_several_target_kinds() {
    constexpr std::size_t count = LoopT::arg_count;
    return []<std::size_t... k>(std::index_sequence<k...>) {
        return (changes_two_kinds<LoopT, k / count, k % count>() || ...);
    }
    (std::make_index_sequence<count * count>{});
}

/// Whether arguments `a` and `b` change targets through different columns, as far as types show.
template <class LoopT, std::size_t a, std::size_t b>
constexpr bool changes_two_columns() {
    if constexpr (is_shared_change<ArgOf<LoopT, a>> && is_shared_change<ArgOf<LoopT, b>>) {
        using A = ArgOf<LoopT, a>;
        using B = ArgOf<LoopT, b>;
        return A::slot != B::slot || !std::is_same_v<typename A::MapT, typename B::MapT>;
    } else {
        return false;
    }
}

/// Arguments through which a loop changes targets: it has no more columns than these.
template <class LoopT>
constexpr int changing_arguments() {
    return []<std::size_t... i>(std::index_sequence<i...>) {
        return (0 + ... + int{is_shared_change<ArgOf<LoopT, i>>});
    }
    (std::make_index_sequence<LoopT::arg_count>{});
}

/// Whether a loop has several columns for sure. What has is not compiled to gather, and what changes
/// targets by one argument only is not compiled to compute once.
template <class LoopT>
constexpr bool has_several_columns() {
    constexpr std::size_t count = LoopT::arg_count;
    return []<std::size_t... k>(std::index_sequence<k...>) {
        return (changes_two_columns<LoopT, k / count, k % count>() || ...);
    }
    (std::make_index_sequence<count * count>{});
}

/// Whether arguments that go through maps of one type go through one map: only then is a row theirs
/// together.
template <class LoopT>
bool has_one_map_a_type(const LoopT& loop) {
    const auto is_first_map = [&]<std::size_t i>(std::integral_constant<std::size_t, i>) {
        if constexpr (std::is_void_v<typename MapOf<ArgOf<LoopT, i>>::type>) {
            return true;
        } else {
            return get<i>(loop.args).map == get<first_through_map<LoopT, i>()>(loop.args).map;
        }
    };
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
        return (is_first_map(std::integral_constant<std::size_t, i>{}) && ...);
    }
    (std::make_index_sequence<LoopT::arg_count>{});
}

/// Whether arguments share all that `Sharing::by_type` takes them to share.
template <class LoopT>
bool shares_by_type(const LoopT& loop) {
    const auto has_dat_of_first = [&]<std::size_t i>(std::integral_constant<std::size_t, i>) {
        if constexpr (first_of_dat<LoopT, i>() == i) {
            return true;
        } else {
            return get<i>(loop.args).store == get<first_of_dat<LoopT, i>()>(loop.args).store;
        }
    };
    return has_one_map_a_type(loop)&& [&]<std::size_t... i>(std::index_sequence<i...>) {
        return (has_dat_of_first(std::integral_constant<std::size_t, i>{}) && ...);
    }
    (std::make_index_sequence<LoopT::arg_count>{});
}

}  // namespace halocline::detail
