// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Threads run their chunks one after the other, from the first on; who is ready takes others' last ones.
#include "halocline/backend/openmp/chunk_runs.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "halocline/backend/openmp/team.hpp"

namespace halocline::detail {

namespace {

/// Chunks [front, back) that no thread has taken yet.
class OpenChunks {
public:
    void open(LocalIndex front, LocalIndex back) {
        bounds_.store(packed({front, back}), std::memory_order_relaxed);
    }
    [[nodiscard]] LocalIndex left() const {
        const Bounds bounds = unpacked(bounds_.load(std::memory_order_relaxed));
        return bounds.back - bounds.front;
    }
    [[nodiscard]] std::optional<LocalIndex> take_front() {
        return take([](Bounds& bounds) { return bounds.front++; });
    }
    [[nodiscard]] std::optional<LocalIndex> take_back() {
        return take([](Bounds& bounds) { return --bounds.back; });
    }

private:
    struct Bounds {
        LocalIndex front;
        LocalIndex back;
    };
    static std::uint64_t packed(Bounds bounds) {
        return std::uint64_t{static_cast<std::uint32_t>(bounds.front)} << 32U |
               static_cast<std::uint32_t>(bounds.back);
    }
    static Bounds unpacked(std::uint64_t bounds) {
        return {static_cast<LocalIndex>(bounds >> 32U), static_cast<LocalIndex>(bounds)};
    }

    template <class Choose>
    std::optional<LocalIndex> take(Choose&& choose) {
        std::uint64_t before = bounds_.load(std::memory_order_relaxed);
        while (true) {
            Bounds bounds = unpacked(before);
            if (bounds.front >= bounds.back) {
                return std::nullopt;
            }
            const LocalIndex chunk = choose(bounds);
            if (bounds_.compare_exchange_weak(before, packed(bounds), std::memory_order_relaxed)) {
                return chunk;
            }
        }
    }

    alignas(128) std::atomic<std::uint64_t> bounds_;  // threads do not share cache lines
};

/// Consecutive chunks, for core targets or for the others, and who runs them.
class ChunkTeam {
public:
    ChunkTeam(Context& context, const ScatterPlan& plan, LocalIndex begin, LocalIndex end,
              const ChunkWork& work, Context* messages)
        : context_(context),
          plan_(plan),
          begin_(begin),
          end_(end),
          work_(work),
          messages_(messages),
          parts_(std::clamp<int>(end - begin, 1, context.threads())),
          open_(std::make_unique<OpenChunks[]>(static_cast<std::size_t>(parts_))),
          near_(static_cast<std::size_t>(end - begin)),
          far_(near_.size()) {
        for (int part = 0; part < parts_; ++part) {
            of(part).open(begin_of(part), begin_of(part + 1));
        }
    }

    void run() {
        context_.reserve_kept(static_cast<std::size_t>(end_));
        if (parts_ == 1) {
            run_part(0, {});
        } else {
#pragma omp parallel num_threads(parts_)
            {
                const TeamPlace place = place_in_team();
                if (place.thread == 0 && place.threads < parts_) {
                    context_.note_team(place.threads);
                }
                for (int part = place.thread; part < parts_; part += place.threads) {
                    run_part(part, place);
                }
                help(place);
#pragma omp barrier
                add_near();
            }
        }
        for (const KeptRows& rows : far_) {
            work_.add_kept(rows);
        }
    }

private:
    [[nodiscard]] LocalIndex begin_of(int part) const {
        return static_cast<LocalIndex>(begin_ + std::int64_t{end_ - begin_} * part / parts_);
    }
    [[nodiscard]] OpenChunks& of(int part) { return open_[static_cast<std::size_t>(part)]; }
    /// The thread that ran the chunk before knows that it is done.
    void run_part(int part, TeamPlace place) {
        while (const std::optional<LocalIndex> chunk = of(part).take_front()) {
            change(*chunk, *chunk > begin_ && *chunk == begin_of(part), place);
        }
    }

    /// Takes the last chunk of who has most left, until nobody has.
    void help(TeamPlace place) {
        const int first = messages_ == nullptr ? 0 : 1;  // who looks after messages keeps its part
        while (true) {
            int fullest = first;
            for (int part = first; part < parts_; ++part) {
                fullest = of(part).left() > of(fullest).left() ? part : fullest;
            }
            if (of(fullest).left() <= 0) {
                return;
            }
            if (const std::optional<LocalIndex> chunk = of(fullest).take_back()) {
                change(*chunk, *chunk > begin_, place);
            }
        }
    }

    void change(LocalIndex chunk, bool is_beside, TeamPlace place) {
        const auto k = static_cast<std::size_t>(chunk - begin_);
        const WaitingElements& waiting = plan_.waiting[static_cast<std::size_t>(chunk)];
        const std::size_t near = is_beside ? static_cast<std::size_t>(waiting.near) : 0;
        const std::size_t all = near + static_cast<std::size_t>(waiting.far);
        if (all > 0) {
            // Who keeps rows writes one more that may not count.
            double* room =
                context_.kept(static_cast<std::size_t>(chunk), (all + 2) * work_.kept_doubles);
            near_[k] = {room, room};
            far_[k].begin = far_[k].end = room + (near + 1) * work_.kept_doubles;
        }
        work_.change(
            {chunk, is_beside, near_[k], far_[k], place.thread == 0 ? messages_ : nullptr});
    }

    /// What chunks share with the one before is no other chunk's.
    void add_near() {
        for (LocalIndex k = next_kept_++; k < end_ - begin_; k = next_kept_++) {
            work_.add_kept(near_[static_cast<std::size_t>(k)]);
        }
    }

    Context& context_;
    const ScatterPlan& plan_;
    LocalIndex begin_;
    LocalIndex end_;
    const ChunkWork& work_;
    Context* messages_;
    int parts_;
    std::unique_ptr<OpenChunks[]> open_;
    std::vector<KeptRows> near_;  ///< by chunk; of one thread until all have run their chunks
    std::vector<KeptRows> far_;
    std::atomic<LocalIndex> next_kept_ = 0;
};

}  // namespace

void run_chunks(Context& context, const ScatterPlan& plan, const std::vector<DatStore*>& halo_reads,
                const ChunkWork& work) {
    const bool travels = context.begin_halo(halo_reads);
    const bool hides = travels && context.overlap() == Overlap::on;
    if (travels && !hides) {
        context.end_halo();
    }
    ChunkTeam(context, plan, 0, plan.core_chunks, work, hides ? &context : nullptr).run();
    if (hides) {
        context.end_halo();
    }
    ChunkTeam(context, plan, plan.core_chunks, plan.chunks(), work, nullptr).run();
}

}  // namespace halocline::detail
