// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One loop of the openmp back end, made ready: any thread runs any block, each by the fitting strategy.
#pragma once

#include <utility>
#include <vector>

#include "halocline/backend/loop_account.hpp"
#include "halocline/backend/loop_call.hpp"
#include "halocline/backend/openmp/chunk_scatter.hpp"
#include "halocline/backend/openmp/column_gather.hpp"
#include "halocline/backend/openmp/compute_once.hpp"
#include "halocline/backend/openmp/direct_blocks.hpp"
#include "halocline/backend/openmp/two_ended_gather.hpp"

namespace halocline::detail {

template <class LoopT>
class VectorRun {
    using ArgTuple = typename LoopT::ArgTuple;
    using Indices = std::make_index_sequence<LoopT::arg_count>;
    static constexpr bool may_compute_once =
        changing_arguments<LoopT>() > 1 && !BoundLoop<LoopT>::is_two_ended;

public:
    VectorRun(Context& context, const LoopT& loop, LoopUse use, VectorWay way = {})
        : bound_(context, loop, use, way.large_writes),
          one_by_one_(may_take_one_by_one<LoopT> && way.one_by_one),
          reductions_(context.threads()) {}

    [[nodiscard]] StrategyChoice choice() const {
        return one_by_one_ && (has_ranges() || strategy() == Strategy::scatter)
                   ? StrategyChoice{strategy(), "element by element, which is faster here"}
                   : bound_.choice();
    }
    [[nodiscard]] Strategy strategy() const { return bound_.strategy(); }
    /// Whether targets are worked on in ranges that `begin_range` must know of.
    [[nodiscard]] bool has_ranges() const { return strategy() == Strategy::once; }
    [[nodiscard]] LocalIndex preferred_grain(Context& context) const {
        return bound_.preferred_grain(context);
    }
    /// Blocks are worked on in ranges of `grain` from here on.
    void take_grain(Context& context, LocalIndex grain) { bound_.take_grain(context, grain); }

    /// Takes the grain it prefers, once; returns it.
    LocalIndex fix_grain(Context& context) {
        if (grain_ == 0) {
            grain_ = preferred_grain(context);
            take_grain(context, grain_);
        }
        return grain_;
    }

    /// The plan of a loop that scatters.
    [[nodiscard]] const ScatterPlan& chunks(Context& context) {
        if (!has_chunks_) {
            bound_.take_chunks(context);
            has_chunks_ = true;
        }
        return bound_.scatter();
    }
    /// Runs the chunks of a loop that scatters. Collective.
    void change_chunks(Context& context, const std::vector<DatStore*>& halo_reads) {
        if constexpr (LoopT::has_shared_change && !BoundLoop<LoopT>::is_two_ended) {
            const auto change = [&](const ChunkRun& chunk) {
                ChunkScatter<LoopT>::change(bound_, chunk, one_by_one_);
            };
            const auto add_kept = [&](const KeptRows& rows) {
                ElementRows<LoopT>::add_kept(bound_, rows);
            };
            run_chunks(context, chunks(context), halo_reads,
                       {ElementRows<LoopT>::kept_doubles, change, add_kept});
        }
    }

    /// Doubles that a thread needs between `begin_range` and the range's last `change_block`.
    [[nodiscard]] std::size_t scratch_size() const {
        if constexpr (may_compute_once) {
            return strategy() == Strategy::once ? ComputeOnce<LoopT>::scratch_size(bound_) : 0;
        } else {
            return 0;
        }
    }

    /// As `BoundLoop` has it.
    template <class Place>
    void place_temporaries(Place&& place) {
        bound_.place_temporaries(place);
    }

    /// Does what concerns all blocks of the range that begins with block `b`.
    void begin_range(LocalIndex b, double* scratch) {
        if constexpr (may_compute_once) {
            if (strategy() == Strategy::once) {
                ComputeOnce<LoopT>::compute(bound_, bound_.once().ranges.range_of_block(b),
                                            one_by_one_, scratch);
            }
        }
    }

    /// Adds up what changes the targets of blocks.
    void change_blocks(LocalIndex begin, LocalIndex end, Tiles tiles, const double* scratch) {
        if (strategy() == Strategy::once) {
            if constexpr (may_compute_once) {
                for (LocalIndex b = begin; b < end; ++b) {
                    ComputeOnce<LoopT>::sum(bound_, b, tiles.of(b - begin), scratch);
                }
            }
        } else if constexpr (BoundLoop<LoopT>::is_two_ended) {
            TwoEndedGather<LoopT>::blocks(bound_, begin, end, tiles);
        } else if constexpr (!has_several_columns<LoopT>()) {
            ColumnGather<LoopT>::blocks(bound_, begin, end, tiles);
        }
    }

    [[nodiscard]] LocalIndex elements() const { return bound_.elements(); }

    /// Runs the elements of blocks, keeping what they change by themselves and reduce.
    void direct_blocks(LocalIndex begin, LocalIndex end, Tiles tiles, int thread) {
        DirectBlocks<LoopT>::blocks(bound_, begin, end, tiles, reductions_.of(thread));
    }

    /// Runs all elements in the order given (empty: as they lie), for a single thread.
    void scatter_all(const std::vector<LocalIndex>& order) {
        ChunkScatter<LoopT>::all(bound_, order, one_by_one_, reductions_.of(0));
    }

    /// Joins the reductions of threads and ranks and notes what changed.
    void finish(Context& context) {
        if constexpr (reduces<ArgTuple>) {
            finish_reductions(context, Indices{});
        }
        note_changes();
    }
    void note_changes() {
        mark_changes(bound_.loop().uses);
        bound_.note_derived_writes();
    }

private:
    template <std::size_t... i>
    void finish_reductions(Context& context, std::index_sequence<i...>) {
        ScalarReductions<ArgTuple> total;
        reductions_.for_each(
            [&](auto& of_thread) { (get<i>(of_thread).finish(get<i>(total)), ...); });
        const Communicator& ranks = context.reducing(*bound_.loop().set.part);
        (finish_reduction(ranks, bound_.loop().name, bound_.template arg<i>(), get<i>(total)), ...);
    }

    BoundLoop<LoopT> bound_;
    bool one_by_one_;
    LocalIndex grain_ = 0;
    bool has_chunks_ = false;
    ThreadReductions<ArgTuple> reductions_;
};

}  // namespace halocline::detail
