// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops that change their own elements only: one block of eight.
#pragma once

#include <algorithm>
#include <tuple>
#include <utility>

#include "halocline/backend/openmp/lane_values.hpp"
#include "halocline/backend/openmp/pack_reduction.hpp"

namespace halocline::detail {

template <class LoopT>
class DirectBlock {
    using Run = ResolvedLoop<LoopT>;
    using Indices = typename Run::Indices;
    using Reductions = typename PackReductionsOf<typename LoopT::ArgTuple>::type;
    template <std::size_t i>
    using Arg = ArgOf<LoopT, i>;

    static constexpr LocalIndex prefetch_blocks = 6;

public:
    /// Runs the elements of block `b`, keeping what they change directly and reduce.
    static void block(const Run& run, LocalIndex b, double* tiles, Reductions& reductions) {
        block(run, b, tiles, reductions, Indices{});
    }

private:
    template <std::size_t... i>
    static void block(const Run& run, LocalIndex b, double* tiles, Reductions& reductions,
                      std::index_sequence<i...>) {
        const LocalIndex owned = run.set().owned;
        const int lanes = std::min(simd_lanes, owned - b * simd_lanes);
        LocalIndex element[simd_lanes];
        for (int lane = 0; lane < simd_lanes; ++lane) {
            element[lane] = std::min(b * simd_lanes + lane, owned - 1);
        }
        (prefetch<i>(run, b), ...);
        std::tuple values{load_values<i>(run, b, element, tiles, true)...};
        run.kernel()(as_kernel_sees<Arg<i>>(std::get<i>(values))...);
        (store<i>(run, b, tiles, std::get<i>(values), lanes), ...);
        const Mask active = Mask::first(lanes);
        (std::get<i>(reductions).add(std::get<i>(values), active), ...);
    }

    /// What a later block reads.
    template <std::size_t i>
    [[gnu::always_inline]] static void prefetch(const Run& run, LocalIndex b) {
        using ArgT = Arg<i>;
        if constexpr (!ArgT::is_global && ArgT::is_indirect && ArgT::access == Access::read) {
            const LocalIndex first = (b + prefetch_blocks) * simd_lanes;
            if (first + simd_lanes <= run.set().owned) {
                LocalIndex element[simd_lanes];
                for (int lane = 0; lane < simd_lanes; ++lane) {
                    element[lane] = first + lane;
                }
                const DatView& view = run.template view<i>();
                LocalIndex target[simd_lanes];
                load_targets<ArgT>(view, element, target);
                prefetch_elements<typename ArgT::DatT>(view.base, target);
            }
        } else if constexpr (!ArgT::is_global && ArgT::access != Access::write) {
            const DatView& view = run.template view<i>();
            if (view.tile_offset < 0) {
                prefetch_block<ArgT>(view.base +
                                     (std::int64_t{b} + prefetch_blocks) * view.block_step);
            }
        }
    }

    template <std::size_t i>
    [[gnu::always_inline]] static void store(const Run& run, LocalIndex b, double* tiles,
                                             const Values<Pack, Arg<i>::size>& values, int lanes) {
        using ArgT = Arg<i>;
        if constexpr (!ArgT::is_global && !ArgT::is_indirect && ArgT::access != Access::read) {
            const DatView& view = run.template view<i>();
            double* memory = view.block(b, tiles);
            if constexpr (ArgT::access == Access::inc) {
                Values<Pack, ArgT::size> sum = load_block<ArgT>(memory);
                for (int d = 0; d < ArgT::size; ++d) {
                    sum[d] += values[d];
                }
                store_block<ArgT>(memory, sum, lanes);
            } else {
                store_block<ArgT>(memory, values, lanes, view.store_mode);
            }
        }
    }
};

}  // namespace halocline::detail
