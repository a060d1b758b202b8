// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What two-ended loops read at each end: an element seen from its second end has the ends swapped.
#pragma once

#include "halocline/backend/device/views/views.hpp"

namespace halocline::device {

/// Whether a loop's rows are walked tile by tile.
template <class LoopT>
inline constexpr bool is_staged =
    LoopT::has_indirect_change&& is_swap_symmetric<typename LoopT::Kernel>;

namespace detail {

template <class Arg, int slot>
constexpr bool reads_end() {
    if constexpr (Arg::is_global) {
        return false;
    } else {
        return Arg::slot == slot && Arg::access == Access::read;
    }
}

}  // namespace detail

/// The arguments of a two-ended loop, by number.
template <class LoopT>
class TwoEndedArgs {
    using Indices = typename LoopView<LoopT>::Indices;
    template <std::size_t a>
    using Arg = typename LoopView<LoopT>::template Arg<a>;

public:
    static constexpr std::size_t none = Indices::size();

    /// The argument that reads at the second end what `a` reads at the first.
    template <std::size_t a>
    static constexpr std::size_t other_end() {
        return find_other_end<a>(Indices{});
    }
    /// The first argument that reads dats of type `DatT` at the second end, else `none`.
    template <class DatT>
    static constexpr std::size_t second_end_of() {
        return find_second_end<DatT>(Indices{});
    }

private:
    template <std::size_t a, std::size_t... b>
    static constexpr std::size_t find_other_end(std::index_sequence<b...>) {
        const int number = (0 + ... + (b < a && detail::reads_end<Arg<b>, 0>() ? 1 : 0));
        constexpr bool reads_second[] = {detail::reads_end<Arg<b>, 1>()...};
        int seen = 0;
        std::size_t found = 0;
        while (!reads_second[found] || seen++ < number) {
            ++found;
        }
        return found;
    }
    template <class DatT, std::size_t a>
    static constexpr bool reads_type() {
        if constexpr (detail::reads_end<Arg<a>, 1>()) {
            return std::is_same_v<typename Arg<a>::DatT, DatT>;
        } else {
            return false;
        }
    }
    template <class DatT, std::size_t... a>
    static constexpr std::size_t find_second_end(std::index_sequence<a...>) {
        constexpr bool reads_it[] = {reads_type<DatT, a>()...};
        std::size_t found = 0;
        while (found < none && !reads_it[found]) {
            ++found;
        }
        return found;
    }
};

}  // namespace halocline::device
