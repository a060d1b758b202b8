// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops over blocks, by kinds of targets, and chains of loops fused.
#pragma once

#include <utility>
#include <vector>

#include "halocline/backend/openmp/block_runs.hpp"
#include "halocline/backend/openmp/target_kinds.hpp"
#include "halocline/backend/openmp/vector_run.hpp"
#include "halocline/core/smaller.hpp"

namespace halocline::detail {

/// Blocks that a chain takes through one loop before the next: the end of a block is a long chain of
/// dependent operations (divide, roots, transpose), and several of them overlap.
inline constexpr LocalIndex blocks_a_group = 4;

/// Room a thread has on its stack for the temporaries of a chain, in values: 8 lanes of 64 components a
/// block. More than that lies elsewhere.
inline constexpr int tile_capacity = 64 * simd_lanes;

/// Calls `work(begin, end)` for the ranges of a run of blocks.
template <class Work>
void for_each_range(const BlockRun& run, LocalIndex grain, Work&& work) {
    for (LocalIndex begin = run.begin; begin < run.end; begin += grain) {
        work(begin, smaller(begin + grain, run.end));
    }
}

template <class LoopT>
void run_indirect_changes(Context& context, VectorRun<LoopT>& run, const LoopT& loop,
                          const std::vector<DatStore*>& halo_reads) {
    if (run.strategy() == Strategy::scatter) {
        run.change_chunks(context, halo_reads);
        return;
    }
    const LocalIndex grain = run.fix_grain(context);
    const std::size_t scratch_size = run.scratch_size();
    const SetPart& targets = *loop.target_set();
    run_overlapped(context, targets, targets.owned, grain, halo_reads, [&](const BlockRun& blocks) {
        double* scratch = context.scratch(blocks.thread, scratch_size);
        const LocalIndex together = run.has_ranges() ? grain : blocks.end - blocks.begin;
        for_each_range(blocks, together, [&](LocalIndex begin, LocalIndex end) {
            run.begin_range(begin, scratch);
            run.change_blocks(begin, end, {}, scratch);
        });
    });
}

/// Whether a loop changes more than what its elements share.
template <class LoopT>
inline constexpr bool changes_beside_shared =
    LoopT::has_direct_change || LoopT::has_exclusive_change;

/// How a loop that scatters had better run on one thread; no strategy where it had not. Alone, a
/// thread needs no plan and computes what a loop changes directly on the way; beside other ranks it
/// hides messages instead, unless that would mean computing twice. Several threads on a mesh without order
/// would mostly keep for later what they contribute.
template <class LoopT>
const char* reason_for_one_thread(Context& context, VectorRun<LoopT>& run) {
    const bool is_alone = context.comm().size() == 1 || changes_beside_shared<LoopT>;
    if (context.threads() == 1) {
        return is_alone ? run.choice().reason : nullptr;
    }
    if (context.shared_targets() != SharedTargets::automatic) {
        return nullptr;
    }
    const ScatterPlan& plan = run.chunks(context);
    if (plan.is_for_one_thread()) {
        return is_alone ? "by one thread: there are few elements" : nullptr;
    }
    constexpr double much = 0.8;
    return plan.cost > much ? "by one thread: several would wait for each other's targets"
                            : nullptr;
}

/// What elements change by themselves, and reductions.
template <class LoopT>
void run_own_changes(Context& context, VectorRun<LoopT>& run, const LoopT& loop,
                     const std::vector<DatStore*>& halo_reads) {
    run_overlapped(context, *loop.set.part, run.elements(), 1, halo_reads,
                   [&](const BlockRun& blocks) {
                       run.direct_blocks(blocks.begin, blocks.end, {}, blocks.thread);
                   });
}

/// Runs a loop on this thread alone, each element once.
template <class LoopT>
void run_by_one_thread(Context& context, VectorRun<LoopT>& run, const LoopT& loop,
                       const std::vector<DatStore*>& halo_reads) {
    if (context.begin_halo(halo_reads)) {
        context.end_halo();
    }
    run.scatter_all(context.plans().order(*loop.set.part));
    run.finish(context);
}

/// A loop whose shared changes go to sets of several kinds. A thread alone computes each element once;
/// several take the kinds one after the other, then what elements change by themselves: until then all
/// kernels see the values from before the loop.
template <class LoopT>
StrategyChoice run_by_target_kind(Context& context, const LoopT& loop) {
    std::vector<DatStore*> halo_reads;
    append_halo_reads(loop.uses, halo_reads);
    if (scatters_at_once(context, loop)) {
        VectorRun<LoopT> run(context, loop, LoopUse::alone);
        run_by_one_thread(context, run, loop, halo_reads);
        return run.choice();
    }
    StrategyChoice choice{};
    for_each_target_kind(loop, [&]<class Kind>(std::type_identity<Kind>) {
        const auto part = part_for_kind<Kind>(loop);
        VectorRun<std::remove_const_t<decltype(part)>> run(context, part, LoopUse::in_parts);
        run_indirect_changes(context, run, part, halo_reads);
        run.note_changes();
        choice = run.choice();
    });
    if constexpr (changes_beside_shared<LoopT>) {
        const auto part = part_for_kind<void>(loop);
        VectorRun<std::remove_const_t<decltype(part)>> run(context, part, LoopUse::alone);
        run_own_changes(context, run, part, halo_reads);
        run.finish(context);
    }
    return choice;
}

/// Returns how the loop ran, and why so.
template <class LoopT>
StrategyChoice run_vector_loop(Context& context, const LoopT& loop, VectorWay way) {
    if constexpr (has_several_target_kinds<LoopT>()) {
        return run_by_target_kind(context, loop);
    } else {
        std::vector<DatStore*> halo_reads;
        append_halo_reads(loop.uses, halo_reads);
        VectorRun<LoopT> run(context, loop, LoopUse::alone, way);
        if constexpr (LoopT::has_shared_change) {
            const char* by_one =
                run.strategy() == Strategy::scatter ? reason_for_one_thread(context, run) : nullptr;
            if (by_one != nullptr) {
                run_by_one_thread(context, run, loop, halo_reads);
                return {Strategy::scatter, by_one};
            }
            run_indirect_changes(context, run, loop, halo_reads);
            halo_reads.clear();
        }
        if constexpr (changes_beside_shared<LoopT> || !LoopT::has_shared_change) {
            run_own_changes(context, run, loop, halo_reads);
        }
        run.finish(context);
        return run.choice();
    }
}

/// A chain over one set: a group of blocks goes through all its loops before the next group.
template <class Tag, class... Loops>
class VectorChain {
public:
    VectorChain(Context& context, Set<Tag> set, const Loops&... loops)
        : context_(context),
          set_(set),
          runs_{VectorRun<Loops>(context, loops, LoopUse::in_chain)...} {
        (append_halo_reads(loops.uses, halo_reads_), ...);
        apply_to([&](auto&... run) { (place(run), ...); }, runs_);
        take_grain();
    }

    void run() {
        run_overlapped(
            context_, *set_.part, set_.part->owned, grain_, halo_reads_,
            [&](const BlockRun& blocks) {
                alignas(64) double stack[tile_capacity * blocks_a_group];
                Buffer<double> heap(tile_size_ > tile_capacity
                                        ? static_cast<std::size_t>(tile_size_ * blocks_a_group)
                                        : 0);
                double* tiles = heap.empty() ? stack : heap.data();
                double* scratch = context_.scratch(blocks.thread, scratch_size_);
                for_each_range(blocks, grain_, [&](LocalIndex begin, LocalIndex end) {
                    begin_range(begin, scratch);
                    for (LocalIndex b = begin; b < end; b += blocks_a_group) {
                        const BlockRun group{b, smaller(b + blocks_a_group, end), blocks.thread};
                        run_groups(group, tiles, scratch);
                    }
                });
            });
        apply_to([&](auto&... run) { (run.finish(context_), ...); }, runs_);
    }

private:
    /// One grain for all loops: the smallest that one of them wants, whole groups of blocks.
    void take_grain() {
        LocalIndex smallest = 0;
        apply_to([&](auto&... run) { (propose_grain(run, smallest), ...); }, runs_);
        grain_ = larger((smallest + blocks_a_group - 1) / blocks_a_group, 1) * blocks_a_group;
        apply_to(
            [&](auto&... run) {
                ((run.take_grain(context_, grain_), scratch_size_ += run.scratch_size()), ...);
            },
            runs_);
    }

    template <class LoopT>
    void propose_grain(const VectorRun<LoopT>& run, LocalIndex& smallest) {
        if (run.strategy() == Strategy::once) {
            const LocalIndex preferred = run.preferred_grain(context_);
            smallest = smallest == 0 ? preferred : smaller(smallest, preferred);
        }
    }

    void begin_range(LocalIndex begin, double* scratch) {
        apply_to(
            [&](auto&... run) {
                ((run.begin_range(begin, scratch), scratch += run.scratch_size()), ...);
            },
            runs_);
    }

    void run_groups(const BlockRun& group, double* tiles, const double* scratch) {
        clear_tiles(tiles);
        apply_to(
            [&](auto&... run) {
                ((run_group(run, group, tiles, scratch), scratch += run.scratch_size()), ...);
            },
            runs_);
    }

    template <class LoopT>
    void run_group(VectorRun<LoopT>& run, const BlockRun& group, double* tiles,
                   const double* scratch) const {
        if constexpr (LoopT::has_shared_change) {
            run.change_blocks(group.begin, group.end, {tiles, tile_size_}, scratch);
        } else {
            run.direct_blocks(group.begin, group.end, {tiles, tile_size_}, group.thread);
        }
    }

    /// A temporary within the tile of a block.
    struct Temporary {
        const DatStore* store;
        int offset;
        bool is_cleared;  ///< for the first loop that has it
    };

    /// Stores of the width of the loads that follow: others would have to reach the cache first.
    void clear_tiles(double* tiles) const {
        for (const Temporary& temporary : temporaries_) {
            for (LocalIndex b = 0; temporary.is_cleared && b < blocks_a_group; ++b) {
                double* own = tiles + b * tile_size_ + temporary.offset;
                for (int d = 0; d < temporary.store->dim * simd_lanes; d += pack_lanes) {
                    Pack(0.0).store(own + d);
                }
            }
        }
    }

    /// Loops come in their order. The first one that has a temporary need not find zeros in it where it
    /// stores all sums that it makes.
    template <class LoopT>
    void place(VectorRun<LoopT>& run) {
        const std::size_t of_earlier_loops = temporaries_.size();
        run.place_temporaries([&](const DatStore* store, bool only_adds) {
            std::size_t k = 0;
            while (k < temporaries_.size() && temporaries_[k].store != store) {
                ++k;
            }
            if (k == temporaries_.size()) {
                temporaries_.push_back({store, tile_size_, false});
                tile_size_ += store->dim * simd_lanes;
            }
            const bool is_new = k >= of_earlier_loops;
            temporaries_[k].is_cleared |= is_new && !only_adds;
            return TilePlace{temporaries_[k].offset, is_new && only_adds};
        });
    }

    Context& context_;
    Set<Tag> set_;
    Tuple<VectorRun<Loops>...> runs_;
    std::vector<DatStore*> halo_reads_;
    std::vector<Temporary> temporaries_;
    int tile_size_ = 0;
    LocalIndex grain_ = 1;
    std::size_t scratch_size_ = 0;
};

}  // namespace halocline::detail
