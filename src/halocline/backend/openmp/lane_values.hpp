// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a kernel gets for eight elements: values of each argument, a lane an element.
#pragma once

#include <algorithm>
#include <utility>

#include "halocline/backend/openmp/resolved_loop.hpp"
#include "halocline/backend/scalar.hpp"

namespace halocline::detail {

template <class LoopT, std::size_t i>
using ArgOf = std::tuple_element_t<i, typename LoopT::ArgTuple>;

/// Elements of block `b` that exist.
inline int lanes_of(const DatView& view, LocalIndex b) {
    return std::min(simd_lanes, view.owned - b * simd_lanes);
}

/// Targets of eight elements through the argument's map.
template <class ArgT>
[[gnu::always_inline]] inline void load_targets(const DatView& view, const LocalIndex* element,
                                                LocalIndex (&target)[simd_lanes]) {
    for (int lane = 0; lane < simd_lanes; ++lane) {
        target[lane] =
            view.map[static_cast<std::int64_t>(element[lane]) * ArgT::MapT::arity + ArgT::slot];
    }
}

template <class ArgT>
[[gnu::always_inline]] inline Values<Pack, ArgT::size> load_global(const ArgT& argument) {
    Values<Pack, ArgT::size> values;
    for (int d = 0; d < ArgT::size; ++d) {
        values[d] = Pack(ArgT::access == Access::inc ? no_increment : (*argument.value)[d]);
    }
    return values;
}

/// What increments start from.
template <class ArgT>
[[gnu::always_inline]] inline Values<Pack, ArgT::size> no_increments() {
    Values<Pack, ArgT::size> values;
    for (int d = 0; d < ArgT::size; ++d) {
        values[d] = Pack(no_increment);
    }
    return values;
}

/// Argument `i` of eight elements; `whole_block`: they are block `b` of the loop's own set.
template <std::size_t i, class LoopT>
[[gnu::always_inline]] inline auto load_values(const ResolvedLoop<LoopT>& run, LocalIndex b,
                                               const LocalIndex* element, double* tiles,
                                               bool whole_block) {
    using ArgT = ArgOf<LoopT, i>;
    if constexpr (ArgT::is_global) {
        return load_global(run.template arg<i>());
    } else if constexpr (ArgT::access == Access::inc || ArgT::access == Access::write) {
        return no_increments<ArgT>();
    } else if constexpr (!ArgT::is_indirect) {
        const DatView& view = run.template view<i>();
        return whole_block ? load_block<ArgT>(view.block(b, tiles))
                           : load_at<ArgT>(view.base, element);
    } else {
        const DatView& view = run.template view<i>();
        LocalIndex target[simd_lanes];
        load_targets<ArgT>(view, element, target);
        return load_at<ArgT>(view.base, target);
    }
}

/// Kernels cannot change what they only read.
template <class ArgT>
decltype(auto) as_kernel_sees(Values<Pack, ArgT::size>& values) {
    if constexpr (ArgT::access == Access::read) {
        return std::as_const(values);
    } else {
        return (values);
    }
}

}  // namespace halocline::detail
