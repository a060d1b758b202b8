// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Who runs which blocks, and when messages are looked after.
#include "halocline/backend/openmp/block_runs.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>

#include "halocline/backend/loop_account.hpp"
#include "halocline/backend/openmp/team.hpp"
#include "halocline/loop/once_plan.hpp"
#include "halocline/loop/vector_instructions.hpp"

namespace halocline::detail {

namespace {

/// Waking a thread costs as much as some dozen blocks.
constexpr LocalIndex blocks_worth_a_thread = 64;

/// Blocks of a part that no thread has taken yet. Threads do not share cache lines.
struct alignas(128) OpenBlocks {
    std::atomic<LocalIndex> next;
    LocalIndex end;
};

/// Whose parts others help with: all, or all but that of the thread that looks after messages, which would
/// look too rarely with less work.
enum class Help { all, others };

/// Contiguous parts of the blocks, one a thread, cut between ranges of `grain` blocks. Threads take them
/// in pieces, so that who is ready early can help the others: cores are rarely equally fast, least of all
/// where other programs run beside this one.
class Parts {
public:
    Parts(BlockRun blocks, LocalIndex grain, int count, Help help)
        : count_(count),
          help_(help),
          open_(std::make_unique<OpenBlocks[]>(static_cast<std::size_t>(count))) {
        const std::int64_t ranges = (blocks.end - blocks.begin + grain - 1) / grain;
        const auto block_at = [&](int part) {
            return static_cast<LocalIndex>(
                std::min<std::int64_t>(blocks.begin + ranges * part / count * grain, blocks.end));
        };
        for (int part = 0; part < count; ++part) {
            of(part).next.store(block_at(part), std::memory_order_relaxed);
            of(part).end = block_at(part + 1);
        }
        const LocalIndex share = (blocks.end - blocks.begin) / count;
        is_shared_ = share >= pieces_a_part * blocks_worth_a_thread;
        piece_ = is_shared_ ? std::max(share / pieces_a_part / grain, 1) * grain
                            : blocks.end - blocks.begin;
    }

    /// Runs the parts of one of the threads, then what others have left of theirs.
    void run(TeamPlace place, BlockWork work) {
        for (int part = place.thread; part < count_; part += place.threads) {
            run_part(part, place.thread, work);
        }
        for (int k = 1; is_shared_ && k < count_; ++k) {
            const int part = (place.thread + k) % count_;
            if (part != 0 || help_ == Help::all) {
                run_part(part, place.thread, work);
            }
        }
    }

private:
    /// Less is not worth the wait for another core's cache lines.
    static constexpr LocalIndex pieces_a_part = 16;

    [[nodiscard]] OpenBlocks& of(int part) { return open_[static_cast<std::size_t>(part)]; }

    void run_part(int part, int thread, BlockWork work) {
        OpenBlocks& open = of(part);
        while (open.next.load(std::memory_order_relaxed) < open.end) {
            const LocalIndex begin = open.next.fetch_add(piece_, std::memory_order_relaxed);
            if (begin < open.end) {
                work(BlockRun{begin, std::min(begin + piece_, open.end), thread});
            }
        }
    }

    int count_;
    Help help_;
    LocalIndex piece_;
    bool is_shared_;  ///< whether parts have several pieces
    std::unique_ptr<OpenBlocks[]> open_;
};

/// Runs `work` for blocks [begin, end) in as many parts as threads are asked for. Few blocks ask for few
/// threads. OpenMP may give fewer than asked (a limit, a busy machine, a region around this one): those
/// that come take all parts.
void run_blocks(Context& context, LocalIndex begin, LocalIndex end, LocalIndex grain,
                BlockWork work, Help help = Help::all) {
    const LocalIndex ranges = (end - begin + grain - 1) / grain;
    const LocalIndex worthwhile =
        std::min(ranges, std::max((end - begin) / blocks_worth_a_thread, LocalIndex{1}));
    const int count = std::clamp(worthwhile, LocalIndex{1}, LocalIndex{context.threads()});
    if (count == 1) {
        work(BlockRun{begin, end, 0});
        fence_streams();
        return;
    }
    Parts parts({begin, end, 0}, grain, count, help);
#pragma omp parallel num_threads(count)
    {
        const TeamPlace place = place_in_team();
        if (place.thread == 0 && place.threads < count) {
            context.note_team(place.threads);
        }
        parts.run(place, work);
        fence_streams();
    }
}

/// Lets the MPI library move the messages of an exchange in flight after every `distance` blocks of a
/// thread: most libraries do so only when called.
class Looks {
public:
    Looks(Context& context, LocalIndex distance) : context_(context), distance_(distance) {}

    void run(BlockRun run, BlockWork work) {
        const LocalIndex end = run.end;
        while (run.begin < end) {
            run.end = are_flying_ ? std::min(run.begin + distance_ - since_last_, end) : end;
            work(run);
            since_last_ += run.end - run.begin;
            run.begin = run.end;
            if (are_flying_ && since_last_ >= distance_) {
                are_flying_ = context_.progress_halo();
                since_last_ = 0;
            }
        }
    }

private:
    Context& context_;
    LocalIndex distance_;
    LocalIndex since_last_ = 0;
    bool are_flying_ = true;
};

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
    Looks looks(context, std::max(elements_between_looks / simd_lanes / grain, 1) * grain);
    run_blocks(
        context, 0, core, grain,
        [&](const BlockRun& run) {
            if (run.thread == 0) {
                looks.run(run, work);
            } else {
                work(run);
            }
        },
        Help::others);
    context.end_halo();
    run_blocks(context, core, blocks, grain, work);
}

}  // namespace halocline::detail
