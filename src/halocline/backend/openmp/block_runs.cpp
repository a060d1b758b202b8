// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Who runs which blocks, and when messages are looked after.
#include "halocline/backend/openmp/block_runs.hpp"

#include <algorithm>
#include <cstdint>

#if defined(_OPENMP)
#include <omp.h>
#endif

#include "halocline/backend/loop_account.hpp"
#include "halocline/loop/once_plan.hpp"
#include "halocline/loop/vector_instructions.hpp"

namespace halocline::detail {

namespace {

/// A thread within the threads that a parallel region really got.
struct TeamPlace {
    int thread = 0;
    int threads = 1;
};

TeamPlace place_in_team() {
#if defined(_OPENMP)
    return {omp_get_thread_num(), omp_get_num_threads()};
#else
    return {};
#endif
}

/// Runs `work` for blocks [begin, end) in as many contiguous parts as threads are asked for, cut between
/// ranges of `grain` blocks. Few blocks ask for few threads: waking one costs as much as some dozen
/// blocks. OpenMP may give fewer than asked (a limit, a busy machine, a region around this one): those
/// that come take all parts.
void run_blocks(Context& context, LocalIndex begin, LocalIndex end, LocalIndex grain,
                BlockWork work) {
    constexpr LocalIndex blocks_worth_a_thread = 64;
    const LocalIndex ranges = (end - begin + grain - 1) / grain;
    const LocalIndex worthwhile =
        std::min(ranges, std::max((end - begin) / blocks_worth_a_thread, LocalIndex{1}));
    const int parts = std::clamp(worthwhile, LocalIndex{1}, LocalIndex{context.threads()});
    const auto run_part = [&](int part) {
        const std::int64_t count = ranges;
        const auto block_at = [&](int p) {
            return static_cast<LocalIndex>(
                std::min<std::int64_t>(begin + count * p / parts * grain, end));
        };
        work(BlockRun{block_at(part), block_at(part + 1), part});
        fence_streams();
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

/// Runs `work` for the blocks of `run` in pieces of `piece`; between them the MPI library gets to move the
/// messages of the exchange in flight, which most libraries do only when called.
void run_while_messages_fly(Context& context, BlockRun run, LocalIndex piece, BlockWork work) {
    bool flying = true;
    while (flying && run.end - run.begin > piece) {
        work(BlockRun{run.begin, run.begin + piece, run.part, &context});
        run.begin += piece;
        flying = context.progress_halo();
    }
    work(BlockRun{run.begin, run.end, run.part, &context});
}

}  // namespace

void run_overlapped(Context& context, const SetPart& set, LocalIndex elements, LocalIndex grain,
                    const std::vector<DatStore*>& halo_reads, BlockWork work) {
    const LocalIndex blocks = (elements + simd_lanes - 1) / simd_lanes;
    const LocalIndex core = core_blocks(set);
    const bool travels = context.begin_halo(halo_reads);
    if (travels && context.overlap() == Overlap::off) {
        context.end_halo();
    }
    if (!travels || context.overlap() == Overlap::off) {
        // Ranges of several blocks begin anew where core elements end.
        const LocalIndex first_end = grain == 1 ? blocks : core;
        run_blocks(context, 0, first_end, grain, work);
        if (first_end < blocks) {
            run_blocks(context, first_end, blocks, grain, work);
        }
        return;
    }
    const LocalIndex piece = std::max(elements_between_looks / simd_lanes / grain, 1) * grain;
    run_blocks(context, 0, core, grain, [&](const BlockRun& run) {
        if (run.part != 0) {
            work(run);
        } else {
            run_while_messages_fly(context, run, piece, work);
        }
    });
    context.end_halo();
    run_blocks(context, core, blocks, grain, work);
}

}  // namespace halocline::detail
