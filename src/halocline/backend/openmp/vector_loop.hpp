// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks over threads, the halo exchange hidden behind core blocks, and chains of loops fused.
#pragma once

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#if defined(_OPENMP)
#include <omp.h>
#endif

#include "halocline/backend/openmp/vector_run.hpp"

namespace halocline::detail {

/// A thread within the threads that a parallel region really got.
struct TeamPlace {
    int thread = 0;
    int threads = 1;
};

inline TeamPlace place_in_team() {
#if defined(_OPENMP)
    return {omp_get_thread_num(), omp_get_num_threads()};
#else
    return {};
#endif
}

/// Blocks that a chain takes through one loop before the next: the end of a block is a long chain of
/// dependent operations (divide, roots, transpose), and several of them overlap.
inline constexpr LocalIndex blocks_a_group = 4;

/// Room a thread has for the temporaries of a chain, in values: 8 lanes of 64 components a block.
inline constexpr int tile_capacity = 64 * simd_lanes;

/// A contiguous part of the blocks. Parts are numbered; part 0 is run by the thread that calls.
struct BlockRun {
    LocalIndex begin;
    LocalIndex end;
    int part;
};

/// Runs `work(part)` for blocks [begin, end) in as many contiguous parts as threads are asked for. Few
/// blocks ask for few threads: waking one costs as much as some dozen blocks. OpenMP may give fewer
/// than asked (a limit, a busy machine, a region around this one): those that come take all parts.
template <class Work>
void run_blocks(Context& context, LocalIndex begin, LocalIndex end, Work&& work) {
    constexpr LocalIndex blocks_worth_a_thread = 64;
    const int parts = std::clamp((end - begin) / blocks_worth_a_thread, LocalIndex{1},
                                 LocalIndex{context.threads()});
    const auto run_part = [&](int part) {
        const std::int64_t count = end - begin;
        work(BlockRun{static_cast<LocalIndex>(begin + count * part / parts),
                      static_cast<LocalIndex>(begin + count * (part + 1) / parts), part});
        stream_fence();
    };
    if (parts == 1) {
        run_part(0);
        return;
    }
#pragma omp parallel num_threads(parts)
    {
        const TeamPlace place = place_in_team();
        if (place.thread == 0 && place.threads < parts) {
            context.note_team(place.threads);
        }
        for (int part = place.thread; part < parts; part += place.threads) {
            run_part(part);
        }
    }
}

/// All blocks of `set`; blocks of core elements run while stale halos travel.
template <class Work>
void run_overlapped(Context& context, const SetPart& set, const std::vector<DatStore*>& halo_reads,
                    Work&& work) {
    const LocalIndex blocks = (set.owned + simd_lanes - 1) / simd_lanes;
    if (!context.begin_halo(halo_reads)) {
        run_blocks(context, 0, blocks, work);
        return;
    }
    if (context.overlap() == Overlap::off) {
        context.end_halo();
        run_blocks(context, 0, blocks, work);
        return;
    }
    const LocalIndex core_blocks = set.core / simd_lanes;
    run_blocks(context, 0, core_blocks, [&](const BlockRun& run) {
        if (run.part != 0) {
            work(run);
            return;
        }
        run_while_messages_fly(context, run.begin, run.end, elements_between_looks / simd_lanes,
                               [&](LocalIndex begin, LocalIndex end) {
                                   work(BlockRun{begin, end, run.part});
                               });
    });
    context.end_halo();
    run_blocks(context, core_blocks, blocks, work);
}

/// Derived values follow their dat a block at a time, not an element at a time.
template <class Arg>
constexpr bool changes_derived() {
    if constexpr (Arg::is_global) {
        return false;
    } else {
        return Arg::access != Access::read && uses_derived<typename Arg::DatT>;
    }
}

template <class ArgTuple>
inline constexpr bool any_changes_derived = false;
template <class... Args>
inline constexpr bool any_changes_derived<std::tuple<Args...>> = (changes_derived<Args>() || ...);

/// A kernel that sees both ends alike gathers: it computes each end anyway, and plans pay off. Others
/// would compute every element once for each target, so a single thread scatters.
template <class LoopT>
Strategy choose_strategy(const Context& context) {
    const bool scatters = LoopT::has_indirect_change && context.threads() == 1 &&
                          !is_swap_symmetric<typename LoopT::Kernel> &&
                          !any_changes_derived<typename LoopT::ArgTuple>;
    return scatters ? Strategy::scatter : Strategy::gather;
}

template <class LoopT>
void run_vector_loop(Context& context, const LoopT& loop) {
    std::vector<DatStore*> halo_reads;
    append_halo_reads(loop, halo_reads);
    const Strategy strategy = choose_strategy<LoopT>(context);
    VectorRun<LoopT> run(context, loop, strategy);
    if (strategy == Strategy::scatter) {
        if (context.begin_halo(halo_reads)) {
            context.end_halo();
        }
        run.scatter(context.plans().order(*loop.set.part));
        run.finish(context);
        return;
    }
    if constexpr (LoopT::has_indirect_change) {
        run_overlapped(context, *loop.target_set(), halo_reads, [&](const BlockRun& blocks) {
            for (LocalIndex b = blocks.begin; b < blocks.end; ++b) {
                run.gather_block(b, nullptr);
            }
        });
        halo_reads.clear();
    }
    if constexpr (LoopT::has_direct_change || !LoopT::has_indirect_change) {
        run_overlapped(context, *loop.set.part, halo_reads, [&](const BlockRun& blocks) {
            for (LocalIndex b = blocks.begin; b < blocks.end; ++b) {
                run.direct_block(b, nullptr, blocks.part);
            }
        });
    }
    run.finish(context);
}

/// A chain over one set: a group of blocks goes through all its loops before the next group.
template <class Tag, class... Loops>
class VectorChain {
public:
    VectorChain(Context& context, Set<Tag> set, const Loops&... loops)
        : context_(context), set_(set), runs_(VectorRun<Loops>(context, loops)...) {
        (append_halo_reads(loops, halo_reads_), ...);
        std::apply([&](auto&... run) { (place(run), ...); }, runs_);
    }

    void run() {
        run_overlapped(context_, *set_.part, halo_reads_, [&](const BlockRun& blocks) {
            alignas(64) double tiles[tile_capacity * blocks_a_group];
            for (LocalIndex b = blocks.begin; b < blocks.end; b += blocks_a_group) {
                const BlockRun group{b, std::min(b + blocks_a_group, blocks.end), blocks.part};
                std::fill_n(tiles, tile_size_ * blocks_a_group, 0.0);
                std::apply([&](auto&... run) { (run_group(run, group, tiles), ...); }, runs_);
            }
        });
        std::apply([&](auto&... run) { (run.finish(context_), ...); }, runs_);
    }

private:
    template <class LoopT>
    void run_group(VectorRun<LoopT>& run, const BlockRun& group, double* tiles) const {
        for (LocalIndex b = group.begin; b < group.end; ++b) {
            double* tile = tiles + (b - group.begin) * tile_size_;
            if constexpr (LoopT::has_indirect_change) {
                run.gather_block(b, tile);
            } else {
                run.direct_block(b, tile, group.part);
            }
        }
    }

    template <class LoopT>
    void place(VectorRun<LoopT>& run) {
        run.place_temporaries([&](const DatStore* store) {
            for (const auto& [known, offset] : offsets_) {
                if (known == store) {
                    return offset;
                }
            }
            const int offset = tile_size_;
            tile_size_ += store->dim * simd_lanes;
            validate<ContractError>(tile_size_ <= tile_capacity,
                                    "a chain's temporaries exceed the tile of 64 components.");
            offsets_.emplace_back(store, offset);
            return offset;
        });
    }

    Context& context_;
    Set<Tag> set_;
    std::tuple<VectorRun<Loops>...> runs_;
    std::vector<DatStore*> halo_reads_;
    std::vector<std::pair<const DatStore*, int>> offsets_;
    int tile_size_ = 0;
};

}  // namespace halocline::detail
