// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// How a loop's elements run one after the other: how its dats lie then, and what arguments share.
#pragma once

#include <type_traits>
#include <utility>

#include "halocline/backend/serial/serial_run.hpp"

namespace halocline::detail {

/// Whether an argument lies as on the serial back end.
template <class Arg>
constexpr bool lies_plain() {
    if constexpr (Arg::is_global) {
        return true;
    } else {
        return std::is_same_v<typename Arg::DatT::Storage, RowStorage>;
    }
}

/// Where all arguments do, elements run by the very code of the serial back end.
template <class LoopT>
inline constexpr LayoutMode layout_of_elements = LayoutMode::vector;
template <class Kernel, class Tag, class... Args>
inline constexpr LayoutMode layout_of_elements<Loop<Kernel, Tag, Args...>> =
    (lies_plain<Args>() && ...) ? LayoutMode::plain : LayoutMode::vector;

/// Arguments share the rows of their map, if there are any to share.
template <class LoopT>
inline constexpr Sharing sharing_of_elements = [] {
    for (std::size_t i = 0; i < LoopT::arg_count; ++i) {
        if (LoopT::by_type[i].is_indirect() && first_through_map(LoopT::by_type, i) != i) {
            return Sharing::by_type;
        }
    }
    return Sharing::nothing;
}();

/// Values that an argument moves through its map for an element; none if it has no map.
template <class Arg>
constexpr int values_through_map() {
    if constexpr (Arg::is_global) {
        return 0;
    } else {
        return Arg::is_indirect ? Arg::size : 0;
    }
}

/// Whether an argument changes its target only by adding to it, if at all.
template <class Arg>
constexpr bool adds_at_most() {
    if constexpr (Arg::is_global || !Arg::is_indirect) {
        return true;
    } else {
        return Arg::access == Access::read || Arg::access == Access::inc;
    }
}

/// Whether ranges of targets may take their elements one by one: where rows are this narrow, a pack's
/// lanes are collected and spread one by one, which can cost more than its arithmetic saves.
template <class LoopT>
inline constexpr bool may_take_one_by_one = false;
template <class Kernel, class Tag, class... Args>
inline constexpr bool may_take_one_by_one<Loop<Kernel, Tag, Args...>> =
    Loop<Kernel, Tag, Args...>::has_shared_change && !is_swap_symmetric<Kernel> &&
    (adds_at_most<Args>() && ...) && ((values_through_map<Args>() <= 2) && ...);

}  // namespace halocline::detail
