// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Changes through one column of a map: a pack of targets at a time runs the elements that reach them.
#pragma once

#include <utility>

#include "halocline/backend/openmp/lane_values.hpp"
#include "halocline/backend/openmp/prefetch.hpp"
#include "halocline/core/smaller.hpp"

namespace halocline::detail {

template <class LoopT>
class ColumnGather {
    using Run = BoundLoop<LoopT>;
    using Indices = typename Run::Indices;
    template <std::size_t i>
    using Arg = ArgOf<LoopT, i>;

    /// How many slots ahead the elements' own values are fetched.
    static constexpr LocalIndex prefetch_slots = 18;

public:
    /// Runs what changes the targets of blocks.
    static void blocks(const Run& run, LocalIndex begin, LocalIndex end, Tiles tiles) {
        const GatherPlan& plan = run.plan();
        for (LocalIndex b = begin; b < end; ++b) {
            const BlockSlots slots = slots_of_block(plan, b);
            if (slots.begin < slots.end) {
                for_each_pack(b, plan.targets, [&](PackPlace place) {
                    gather(run, place, slots.begin, slots.end, tiles.of(b - begin), Indices{});
                });
            }
        }
    }

private:
    /// Of one pack, whose block's slots are [begin, end).
    template <std::size_t... i>
    [[gnu::noinline, gnu::flatten]] static void gather(const Run& run, PackPlace place,
                                                       LocalIndex begin, LocalIndex end,
                                                       double* tiles, std::index_sequence<i...>) {
        const GatherPlan& plan = run.plan();
        const std::int64_t last = plan.slots() - 1;
        for (LocalIndex slot = begin; slot < end; ++slot) {
            const unsigned bits = used_lanes(plan, slot, place);
            if (bits == 0) {
                break;  // other packs of the block have more
            }
            const std::size_t entry = static_cast<std::size_t>(slot) * simd_lanes +
                                      static_cast<std::size_t>(place.lane());
            const std::int64_t ahead = smaller<std::int64_t>(slot + prefetch_slots, last);
            (prefetch<i>(run, plan.element.data() + ahead * simd_lanes + place.lane()), ...);
            const Mask used = Mask::from_bits(bits);
            Tuple values{load<i>(run, place, plan.element.data() + entry, tiles)...};
            run.kernel()(as_kernel_sees<Arg<i>>(get<i>(values))...);
            (change<i>(run, place, tiles, get<i>(values), used), ...);
        }
    }

    template <std::size_t i>
    [[gnu::always_inline]] static void prefetch(const Run& run, const LocalIndex* elements) {
        using ArgT = Arg<i>;
        if constexpr (!ArgT::is_global && !ArgT::is_indirect && ArgT::access == Access::read) {
            prefetch_elements<typename ArgT::DatT>(base_of<ArgT>(run.template view<i>()), elements);
        }
    }

    template <std::size_t i>
    [[gnu::always_inline]] static ArgValues<Arg<i>, Pack> load(const Run& run, PackPlace place,
                                                               const LocalIndex* elements,
                                                               double* tiles) {
        using ArgT = Arg<i>;
        if constexpr (is_shared_change<ArgT> && ArgT::access != Access::inc) {
            return load_block<ArgT>(block_of<ArgT>(run.template view<i>(), place.block, tiles),
                                    place.lane());
        } else {
            if constexpr (!ArgT::is_global && ArgT::is_indirect && ArgT::access == Access::read) {
                if (run.template reads_targets<i>()) {
                    return load_block<ArgT>(
                        block_of<ArgT>(run.template view<i>(), place.block, tiles), place.lane());
                }
            }
            return load_values<i>(run, elements);
        }
    }

    template <std::size_t i>
    [[gnu::always_inline]] static void change(const Run& run, PackPlace place, double* tiles,
                                              const ArgValues<Arg<i>, Pack>& values, Mask used) {
        using ArgT = Arg<i>;
        if constexpr (is_shared_change<ArgT>) {
            const BoundDat& view = run.template view<i>();
            auto* memory = block_of<ArgT>(view, place.block, tiles);
            ArgValues<ArgT, Pack> target = load_block<ArgT>(memory, place.lane());
            for (int d = 0; d < ArgT::size; ++d) {
                target[d] = select(used, combine<ArgT::access>(target[d], values[d]), target[d]);
            }
            store_block<ArgT>(memory, place.lane(), target, lanes_of(view, place), view.how);
        }
    }

    template <Access access, class Value>
    static Value combine(Value target, Value value) {
        if constexpr (access == Access::inc) {
            return target + value;
        } else {
            return extreme<access == Access::min>(target, value);
        }
    }
};

}  // namespace halocline::detail
