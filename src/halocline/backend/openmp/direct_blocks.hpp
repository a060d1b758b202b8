// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What elements change by themselves, their own values or those that no other element reaches: pack by pack.
#pragma once

#include <utility>

#include "halocline/backend/openmp/lane_values.hpp"
#include "halocline/backend/openmp/pack_reduction.hpp"
#include "halocline/backend/openmp/prefetch.hpp"
#include "halocline/core/smaller.hpp"

namespace halocline::detail {

template <class LoopT>
class DirectBlocks {
    using Run = BoundLoop<LoopT>;
    using Indices = typename Run::Indices;
    using Reductions = typename PackReductionsOf<typename LoopT::ArgTuple>::type;
    template <std::size_t i>
    using Arg = ArgOf<LoopT, i>;

    static constexpr LocalIndex prefetch_blocks = 12;

public:
    /// Runs the elements of blocks, keeping what they change directly and reduce.
    static void blocks(const Run& run, LocalIndex begin, LocalIndex end, Tiles tiles,
                       Reductions& reductions) {
        blocks(run, begin, end, tiles, reductions, Indices{});
    }

private:
    /// One function for the loop and all in it: what it reads of `run` stays in registers.
    template <std::size_t... i>
    [[gnu::noinline, gnu::flatten]] static void blocks(const Run& run, LocalIndex begin,
                                                       LocalIndex end, Tiles tiles,
                                                       Reductions& reductions,
                                                       std::index_sequence<i...>) {
        for (LocalIndex b = begin; b < end; ++b) {
            double* tile = tiles.of(b - begin);
            for_each_pack(b, run.elements(),
                          [&](PackPlace place) { pack<i...>(run, place, tile, reductions); });
        }
    }

    template <std::size_t... i>
    [[gnu::always_inline]] static void pack(const Run& run, PackPlace place, double* tiles,
                                            Reductions& reductions) {
        const LocalIndex elements = run.elements();
        LocalIndex element[pack_lanes];
        for (int lane = 0; lane < pack_lanes; ++lane) {
            element[lane] = smaller(place.element() + lane, elements - 1);
        }
        (prefetch<i>(run, place), ...);
        Tuple values{load<i>(run, place, element, tiles)...};
        run.kernel()(as_kernel_sees<Arg<i>>(get<i>(values))...);
        const int lanes = smaller(pack_lanes, run.set().owned - place.element());
        (store<i>(run, place, tiles, get<i>(values), lanes), ...);
        const int lanes_of_all = smaller(pack_lanes, elements - place.element());
        (store_exclusive<i>(run, element, get<i>(values), lanes_of_all), ...);
        const Mask active = Mask::first(lanes);
        (get<i>(reductions).add(get<i>(values), active), ...);
    }

    /// The pack of a dat that lies on the loop's set is a part of a block.
    template <std::size_t i>
    [[gnu::always_inline]] static auto load(const Run& run, PackPlace place,
                                            const LocalIndex* element, double* tiles) {
        using ArgT = Arg<i>;
        if constexpr (!ArgT::is_global && !ArgT::is_indirect &&
                      (ArgT::access == Access::read || ArgT::access == Access::read_write)) {
            return load_block<ArgT>(block_of<ArgT>(run.template view<i>(), place.block, tiles),
                                    place.lane());
        } else {
            return load_values<i>(run, element);
        }
    }

    /// What a later block reads; the first of a block's packs asks for whole blocks.
    template <std::size_t i>
    [[gnu::always_inline]] static void prefetch(const Run& run, PackPlace place) {
        using ArgT = Arg<i>;
        if constexpr (!ArgT::is_global && ArgT::is_indirect && ArgT::access == Access::read) {
            if (!run.fetches_ahead()) {
                return;
            }
            const LocalIndex first = place.element() + prefetch_blocks * simd_lanes;
            if (first + pack_lanes <= run.elements()) {
                LocalIndex element[pack_lanes];
                for (int lane = 0; lane < pack_lanes; ++lane) {
                    element[lane] = first + lane;
                }
                const BoundDat& view = run.template view<i>();
                LocalIndex target[pack_lanes];
                load_targets<ArgT>(view, element, target);
                prefetch_elements<typename ArgT::DatT>(base_of<ArgT>(view), target);
            }
        } else if constexpr (!ArgT::is_global && !ArgT::is_indirect &&
                             ArgT::access != Access::write) {
            if (!is_wide_row<ArgT> && !run.fetches_ahead()) {
                return;
            }
            const BoundDat& view = run.template view<i>();
            if (view.tile_offset < 0 && place.lane() == 0) {
                prefetch_block<ArgT>(base_of<ArgT>(view) +
                                     (std::int64_t{place.block} + prefetch_blocks) *
                                         view.block_step);
            }
        }
    }

    template <std::size_t i>
    [[gnu::always_inline]] static void store(const Run& run, PackPlace place, double* tiles,
                                             const ArgValues<Arg<i>, Pack>& values, int lanes) {
        using ArgT = Arg<i>;
        if constexpr (!ArgT::is_global && !ArgT::is_indirect && ArgT::access != Access::read) {
            const BoundDat& view = run.template view<i>();
            change_block<ArgT>(block_of<ArgT>(view, place.block, tiles), place.lane(), values,
                               lanes, view.how);
        }
    }

    /// Rows of memory through a map, where no other element changes them.
    template <std::size_t i>
    [[gnu::always_inline]] static void store_exclusive(const Run& run, const LocalIndex* element,
                                                       const ArgValues<Arg<i>, Pack>& values,
                                                       int lanes) {
        using ArgT = Arg<i>;
        if constexpr (ArgT::is_exclusive) {
            const BoundDat& view = run.template view<i>();
            LocalIndex target[pack_lanes];
            load_targets<ArgT>(view, element, target);
            for (int lane = 0; lane < pack_lanes; ++lane) {
                if (lane >= lanes || target[lane] >= view.owned) {
                    target[lane] = -1;
                }
            }
            store_at<ArgT>(view, target, values);
        }
    }
};

}  // namespace halocline::detail
