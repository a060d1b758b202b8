// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Elements one by one, with the code of the serial back end: for loops whose packs would gain less than
// they cost.
#pragma once

#include <utility>

#include "halocline/backend/openmp/element_traits.hpp"

namespace halocline::detail {

/// Runs a loop's kernel for single elements; who calls does with the results what its strategy asks for.
template <class LoopT, class Indices = std::make_index_sequence<LoopT::arg_count>>
class SingleElements;
template <class LoopT, std::size_t... i>
class SingleElements<LoopT, std::index_sequence<i...>> {
    template <std::size_t k>
    using Arg = ArgOf<LoopT, k>;

public:
    explicit SingleElements(const LoopT& loop)
        : loop_(loop), views_{View<i>(get<i>(loop.args))...} {}

    /// Calls `use(number, view, target, values)` for each argument after the kernel; `target`: the element
    /// that it means, `number`: an integral constant.
    template <class Use>
    [[gnu::always_inline]] void run(LocalIndex element, Use&& use) const {
        const LocalIndex targets[] = {
            target_of_arg<LoopT, sharing_of_elements<LoopT>, i>(views_, element)...};
        Tuple values{load_element_of<Arg<i>>(view_of<i>(), targets[i])...};
        loop_.kernel(as_kernel_sees<Arg<i>>(get<i>(values))...);
        (use(std::integral_constant<std::size_t, i>{}, view_of<i>(), targets[i], get<i>(values)),
         ...);
    }

    /// Asks for the rows of its own that a later element reads.
    [[gnu::always_inline]] void prefetch(LocalIndex element) const {
        (prefetch_own_row<Arg<i>>(get<i>(views_), element), ...);
    }

private:
    template <std::size_t k>
    using View = ElementView<layout_of_elements<LoopT>, Arg<k>>;
    template <std::size_t k>
    [[gnu::always_inline]] const auto& view_of() const {
        return view_of_arg<LoopT, sharing_of_elements<LoopT>, k>(views_);
    }

    const LoopT& loop_;
    Tuple<View<i>...> views_;
};

}  // namespace halocline::detail
