// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Which arguments of a loop share maps and dats, as far as types show. Functions of data, not of types:
// templates would be instantiated for each pair of arguments.
#pragma once

#include <cstddef>
#include <type_traits>

#include "halocline/core/tuple.hpp"
#include "halocline/loop/arg_use.hpp"
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
[[nodiscard]] constexpr std::size_t first_through_map(ArgUses uses, std::size_t i) {
    std::size_t first = 0;
    while (uses[first].map_type != uses[i].map_type) {
        ++first;
    }
    return first;
}

/// Whether two arguments may be one dat through columns of one map.
[[nodiscard]] constexpr bool are_alike(const ArgUse& a, const ArgUse& b) {
    return a.is_indirect() && a.map_type == b.map_type && a.access == b.access &&
           a.dat_type == b.dat_type;
}

/// The first argument that is like argument `i`, or `i` itself.
[[nodiscard]] constexpr std::size_t first_alike(ArgUses uses, std::size_t i) {
    std::size_t first = 0;
    while (first != i && !are_alike(uses[i], uses[first])) {
        ++first;
    }
    return first;
}

/// Whether two of the arguments that are like argument `i` go through one column, so that they are two dats:
/// types cannot tell whose dat it has.
[[nodiscard]] constexpr bool has_rivals(ArgUses uses, std::size_t i) {
    for (std::size_t a = 0; a < uses.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            if (are_alike(uses[i], uses[a]) && are_alike(uses[a], uses[b]) &&
                uses[a].slot == uses[b].slot) {
                return true;
            }
        }
    }
    return false;
}

/// The first argument that has the dat of argument `i`, as far as types show: they read or change it alike
/// through different columns of one map. `i` where types cannot tell.
[[nodiscard]] constexpr std::size_t first_of_dat(ArgUses uses, std::size_t i) {
    return has_rivals(uses, i) ? i : first_alike(uses, i);
}

/// Whether two arguments change elements of different kinds through maps.
[[nodiscard]] constexpr bool change_two_kinds(const ArgUse& a, const ArgUse& b) {
    return a.is_shared_change() && b.is_shared_change() && a.kind != b.kind;
}

/// Whether two arguments change targets through different columns, as far as types show.
[[nodiscard]] constexpr bool change_two_columns(const ArgUse& a, const ArgUse& b) {
    return a.is_shared_change() && b.is_shared_change() &&
           (a.slot != b.slot || a.map_type != b.map_type);
}

/// Whether `holds(a, b)` for any two arguments.
template <class Relation>
[[nodiscard]] constexpr bool any_pair(ArgUses uses, Relation holds) {
    for (const ArgUse& a : uses) {
        for (const ArgUse& b : uses) {
            if (holds(a, b)) {
                return true;
            }
        }
    }
    return false;
}

template <class LoopT, std::size_t i>
constexpr std::size_t first_through_map() {
    return std::integral_constant<std::size_t, first_through_map(LoopT::by_type, i)>::value;
}
template <class LoopT, std::size_t i>
constexpr std::size_t first_of_dat() {
    return std::integral_constant<std::size_t, first_of_dat(LoopT::by_type, i)>::value;
}

/// Whether a loop changes elements of several kinds through maps.
template <class LoopT>
constexpr bool has_several_target_kinds() {
    return std::bool_constant<any_pair(LoopT::by_type, change_two_kinds)>::value;
}

/// Whether a loop has several columns for sure. What has is not compiled to gather, and what changes
/// targets by one argument only is not compiled to compute once.
template <class LoopT>
constexpr bool has_several_columns() {
    return std::bool_constant<any_pair(LoopT::by_type, change_two_columns)>::value;
}

/// Arguments through which a loop changes targets: it has no more columns than these.
template <class LoopT>
constexpr int changing_arguments() {
    int count = 0;
    for (const ArgUse& use : LoopT::by_type) {
        count += use.is_shared_change() ? 1 : 0;
    }
    return count;
}

/// Whether arguments that go through maps of one type go through one map: only then is a row theirs
/// together.
[[nodiscard]] bool has_one_map_a_type(ArgUses uses);

/// Whether arguments share all that types let expect: maps, and the dats of `first_of_dat`.
[[nodiscard]] bool shares_by_type(ArgUses uses);

}  // namespace halocline::detail
