// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Values of different types, by number, for hosts and devices.
#pragma once

#include <cstddef>
#include <utility>

#include "halocline/core/types.hpp"

namespace halocline {

namespace detail {

template <std::size_t i, class T>
struct TupleLeaf {
    T value;
};

template <class Indices, class... Ts>
struct TupleLeaves;
template <std::size_t... i, class... Ts>
struct TupleLeaves<std::index_sequence<i...>, Ts...> : TupleLeaf<i, Ts>... {};

template <std::size_t i, class T>
TupleLeaf<i, T> leaf_at(const TupleLeaf<i, T>*);

}  // namespace detail

/// An aggregate without constructors: every loop makes dozens of tuples, and finding out which
/// constructors of std::tuple take part is a good part of what a loop takes to compile.
template <class... Ts>
struct Tuple : detail::TupleLeaves<std::index_sequence_for<Ts...>, Ts...> {
    static constexpr std::size_t size = sizeof...(Ts);  ///< number of values
};
/// A tuple of the types that it is made from.
template <class... Ts>
Tuple(Ts...) -> Tuple<Ts...>;

/// Type of value `i` of a tuple.
template <std::size_t i, class TupleT>
using TupleElement =
    decltype(decltype(detail::leaf_at<i>(static_cast<const TupleT*>(nullptr)))::value);

/// Value `i` of a tuple.
template <std::size_t i, class T>
[[gnu::always_inline]] HALOCLINE_HD constexpr T& get(detail::TupleLeaf<i, T>& leaf) {
    return leaf.value;
}
/// Value `i` of a constant tuple.
template <std::size_t i, class T>
[[gnu::always_inline]] HALOCLINE_HD constexpr const T& get(const detail::TupleLeaf<i, T>& leaf) {
    return leaf.value;
}

namespace detail {

template <class Function, std::size_t... i, class... Ts>
constexpr decltype(auto) apply_leaves(Function&& function,
                                      TupleLeaves<std::index_sequence<i...>, Ts...>& leaves) {
    return function(get<i>(leaves)...);
}
template <class Function, std::size_t... i, class... Ts>
constexpr decltype(auto) apply_leaves(Function&& function,
                                      const TupleLeaves<std::index_sequence<i...>, Ts...>& leaves) {
    return function(get<i>(leaves)...);
}

template <std::size_t... i, class... Ts, std::size_t... k, class... Us>
constexpr Tuple<Ts..., Us...> join(const TupleLeaves<std::index_sequence<i...>, Ts...>& first,
                                   const TupleLeaves<std::index_sequence<k...>, Us...>& second) {
    return {get<i>(first)..., get<k>(second)...};
}

}  // namespace detail

/// The values of all tuples in one.
template <class First, class... Rest>
constexpr auto concatenate(const First& first, const Rest&... rest) {
    if constexpr (sizeof...(Rest) == 0) {
        return first;
    } else {
        return detail::join(first, concatenate(rest...));
    }
}

/// Calls `function` with all values of a tuple.
template <class Function, class TupleT>
constexpr decltype(auto) apply_to(Function&& function, TupleT&& tuple) {
    return detail::apply_leaves(function, tuple);
}

}  // namespace halocline
