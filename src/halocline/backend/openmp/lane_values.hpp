// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a kernel gets for several elements: values of each argument, a lane an element.
#pragma once

#include <utility>

#include "halocline/backend/openmp/bound_loop.hpp"
#include "halocline/backend/scalar.hpp"
#include "halocline/core/smaller.hpp"
#include "halocline/loop/shared_maps.hpp"

namespace halocline::detail {

/// Elements of a pack that exist.
inline int lanes_of(const BoundDat& view, PackPlace place) {
    return smaller(pack_lanes, view.owned - place.element());
}

/// Slots of a block.
struct BlockSlots {
    LocalIndex begin;
    LocalIndex end;
};
/// Those of block `b`; asks for what the plan says of later blocks.
[[gnu::always_inline]] inline BlockSlots slots_of_block(const GatherPlan& plan, LocalIndex b) {
    const auto block = static_cast<std::size_t>(b);
    __builtin_prefetch(plan.begin.data() + block + 256);
    return {plan.begin[block], plan.begin[block + 1]};
}

/// One bit for each lane of a pack that has an element in `slot`.
inline unsigned used_lanes(const GatherPlan& plan, LocalIndex slot, PackPlace place) {
    constexpr unsigned all = (1U << pack_lanes) - 1U;
    return unsigned{plan.used[static_cast<std::size_t>(slot)]} >> place.lane() & all;
}

/// Targets of a pack's elements through the argument's map.
template <class ArgT>
[[gnu::always_inline]] inline void load_targets(const BoundDat& view, const LocalIndex* element,
                                                LocalIndex (&target)[pack_lanes]) {
    for (int lane = 0; lane < pack_lanes; ++lane) {
        target[lane] =
            view.map[static_cast<std::int64_t>(element[lane]) * ArgT::MapT::arity + ArgT::slot];
    }
}

template <class ArgT>
[[gnu::always_inline]] inline ArgValues<ArgT, Pack> load_global(const ArgT& argument) {
    using Value = ValueOf<typename ArgT::Stored, Pack>;
    return make_values<Value, ArgT::size>([&](int d) {
        if constexpr (ArgT::access == Access::inc) {
            return neutral_increment<Value>();
        } else {
            return Value((*argument.value)[d]);
        }
    });
}

/// What increments start from.
template <class ArgT>
[[gnu::always_inline]] inline ArgValues<ArgT, Pack> no_increments() {
    using Value = ValueOf<typename ArgT::Stored, Pack>;
    return make_values<Value, ArgT::size>([](int) { return neutral_increment<Value>(); });
}

/// Argument `i` of elements anywhere.
template <std::size_t i, class LoopT>
[[gnu::always_inline]] inline auto load_values(const BoundLoop<LoopT>& run,
                                               const LocalIndex* element) {
    using ArgT = ArgOf<LoopT, i>;
    if constexpr (ArgT::is_global) {
        return load_global(run.template arg<i>());
    } else if constexpr (ArgT::access == Access::inc || ArgT::access == Access::write) {
        return no_increments<ArgT>();
    } else if constexpr (!ArgT::is_indirect) {
        return load_at<ArgT>(base_of<ArgT>(run.template view<i>()), element);
    } else {
        const BoundDat& view = run.template view<i>();
        LocalIndex target[pack_lanes];
        load_targets<ArgT>(view, element, target);
        return load_at<ArgT>(base_of<ArgT>(view), target);
    }
}

}  // namespace halocline::detail
