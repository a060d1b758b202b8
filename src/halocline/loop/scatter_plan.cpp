// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/loop/scatter_plan.hpp"

#include <algorithm>
#include <array>

#include "halocline/core/clock.hpp"
#include "halocline/loop/once_plan.hpp"

namespace halocline {

namespace {

/// Waking a thread for less costs more than it saves.
constexpr LocalIndex elements_worth_a_thread = 512;
/// Chunks of less cost more to hand out than help saves.
constexpr LocalIndex elements_worth_a_chunk = 1024;
/// How many chunks a thread may have rather than one: the first that costs little more.
constexpr std::array<LocalIndex, 2> chunks_a_thread{16, 4};
/// What help may cost, in the time of all threads: cores are seldom equally fast.
constexpr double worth_of_help = 0.03;
/// A contribution that is kept is stored, read and added again.
constexpr double cost_of_keeping = 2.0;

/// Targets that chunks of one kind may change, and the elements that reach these.
struct Half {
    LocalIndex begin_target;
    LocalIndex end_target;
    std::vector<LocalIndex> elements;  ///< in ascending global id

    [[nodiscard]] bool has(LocalIndex target) const {
        return target >= begin_target && target < end_target;
    }
};

Half half_of(const SetPart& from, const std::vector<MapColumn>& columns,
             const std::vector<LocalIndex>& order, LocalIndex begin_target, LocalIndex end_target) {
    Half half{begin_target, end_target, {}};
    for (LocalIndex k = 0; begin_target < end_target && k < from.exec; ++k) {
        const LocalIndex element = order.empty() ? k : order[static_cast<std::size_t>(k)];
        if (std::any_of(columns.begin(), columns.end(), [&](const MapColumn& column) {
                return half.has(column.target_of(element));
            })) {
            half.elements.push_back(element);
        }
    }
    return half;
}

/// A half's list cut into chunks of one size, whole blocks of places.
class Cut {
public:
    Cut(std::size_t elements, LocalIndex chunks)
        : size_((elements / static_cast<std::size_t>(chunks) + simd_lanes) / simd_lanes *
                simd_lanes),
          chunks_(static_cast<LocalIndex>((elements + size_ - 1) / size_)) {}

    [[nodiscard]] LocalIndex chunks() const { return chunks_; }
    [[nodiscard]] std::size_t begin_of(LocalIndex chunk) const {
        return static_cast<std::size_t>(chunk) * size_;
    }
    /// Calls `visit(chunk, target)` for what each element reaches, in order.
    template <class Visit>
    void for_each_target(const Half& half, const std::vector<MapColumn>& columns,
                         Visit&& visit) const {
        for (LocalIndex chunk = 0; chunk < chunks_; ++chunk) {
            const std::size_t end = std::min(begin_of(chunk + 1), half.elements.size());
            for (std::size_t k = begin_of(chunk); k < end; ++k) {
                for (const MapColumn& column : columns) {
                    const LocalIndex target = column.target_of(half.elements[k]);
                    if (half.has(target)) {
                        visit(chunk, target);
                    }
                }
            }
        }
    }

private:
    std::size_t size_;
    LocalIndex chunks_;
};

/// Writes into `first_chunk` which chunk of the half reaches each target first, as `ScatterPlan` has it but
/// for the number of the half's first chunk.
void find_first_chunks(const Half& half, const std::vector<MapColumn>& columns, const Cut& cut,
                       Buffer<LocalIndex>& first_chunk) {
    constexpr LocalIndex none = -1;
    std::fill(first_chunk.begin() + half.begin_target, first_chunk.begin() + half.end_target, none);
    std::vector<LocalIndex> last(static_cast<std::size_t>(half.end_target - half.begin_target));
    cut.for_each_target(half, columns, [&](LocalIndex chunk, LocalIndex target) {
        LocalIndex& first = first_chunk[static_cast<std::size_t>(target)];
        first = first == none ? chunk : first;
        last[static_cast<std::size_t>(target - half.begin_target)] = chunk;
    });
    for (LocalIndex target = half.begin_target; target < half.end_target; ++target) {
        LocalIndex& first = first_chunk[static_cast<std::size_t>(target)];
        const LocalIndex chunks =
            last[static_cast<std::size_t>(target - half.begin_target)] - first;
        first = first == none ? 0 : chunks > 1 ? ~first : first;
    }
}

/// Time of a half's loop on `threads` threads, in that of one thread: where each thread has its part of the
/// chunks, what the first chunk of a part shares with the one before is kept, and what leads far always,
/// which one thread adds.
double cost_of(const Half& half, const std::vector<MapColumn>& columns, const Cut& cut,
               const Buffer<LocalIndex>& first_chunk, int threads) {
    const int parts = std::clamp<int>(threads, 1, std::max(cut.chunks(), 1));
    std::vector<bool> begins_part(static_cast<std::size_t>(cut.chunks()), false);
    for (int part = 1; part < parts; ++part) {
        begins_part[static_cast<std::size_t>(std::int64_t{cut.chunks()} * part / parts)] = true;
    }
    std::int64_t all = 0;
    std::int64_t near = 0;
    std::int64_t far = 0;
    cut.for_each_target(half, columns, [&](LocalIndex chunk, LocalIndex target) {
        const LocalIndex first = first_chunk[static_cast<std::size_t>(target)];
        ++all;
        far += first < 0 && ~first != chunk ? 1 : 0;
        near +=
            first >= 0 && first != chunk && begins_part[static_cast<std::size_t>(chunk)] ? 1 : 0;
    });
    const auto share = [&](std::int64_t kept) {
        return cost_of_keeping * static_cast<double>(kept) /
               static_cast<double>(std::max<std::int64_t>(all, 1));
    };
    return (1.0 + share(near)) / parts + share(far);
}

struct ChosenCut {
    Cut cut;
    double cost;
};

/// Leaves in `first_chunk` what belongs to the cut that it chooses.
ChosenCut choose_cut(const Half& half, const std::vector<MapColumn>& columns, int threads,
                     Buffer<LocalIndex>& first_chunk) {
    const auto elements = static_cast<LocalIndex>(half.elements.size());
    const LocalIndex parts = std::clamp(elements / elements_worth_a_thread, 1, threads);
    const auto try_cut = [&](LocalIndex chunks) {
        const Cut cut(half.elements.size(), chunks);
        find_first_chunks(half, columns, cut, first_chunk);
        return ChosenCut{cut, cost_of(half, columns, cut, first_chunk, threads)};
    };
    const ChosenCut plain = try_cut(parts);
    for (const LocalIndex each : chunks_a_thread) {
        if (parts > 1 && elements / (each * parts) >= elements_worth_a_chunk) {
            const ChosenCut tried = try_cut(each * parts);
            if (tried.cost < plain.cost + worth_of_help / parts) {
                return tried;
            }
        }
    }
    return try_cut(parts);
}

/// Puts a half's chunks behind those that the plan has.
void append_chunks(ScatterPlan& plan, const Half& half, const Cut& cut) {
    const auto before = plan.chunks();
    for (LocalIndex target = half.begin_target; target < half.end_target; ++target) {
        LocalIndex& first = plan.first_chunk[static_cast<std::size_t>(target)];
        first = first < 0 ? ~(~first + before) : first + before;
    }
    plan.waiting.resize(static_cast<std::size_t>(before + cut.chunks()));
}

void append_lists(ElementLists& lists, std::size_t& chunk, const Half& half, const Cut& cut) {
    const std::int64_t begin = lists.begin[chunk];
    std::copy(half.elements.begin(), half.elements.end(), lists.element.begin() + begin);
    for (LocalIndex k = 1; k <= cut.chunks(); ++k) {
        lists.begin[++chunk] =
            begin + static_cast<std::int64_t>(std::min(cut.begin_of(k), half.elements.size()));
    }
}

/// Where elements neither leave the half nor lead far, those from the first to the last one that reach what
/// the chunk before reaches ask while that may be at work; the others never do.
void cut_stretches(ScatterPlan& plan, const std::vector<MapColumn>& columns) {
    const auto turns = [&](LocalIndex chunk, LocalIndex element, auto&& is_so) {
        const ChunkTargets targets(plan, chunk, /*is_beside=*/true);
        return std::any_of(columns.begin(), columns.end(), [&](const MapColumn& column) {
            const LocalIndex target = column.target_of(element);
            return is_so(targets, target, targets.turn_of(target));
        });
    };
    ElementLists& lists = plan.elements;
    const auto fit = [&](LocalIndex chunk, LocalIndex element) {
        return !turns(
            chunk, element, [](const ChunkTargets& targets, LocalIndex target, Turn turn) {
                return turn == Turn::never || (turn == Turn::later && targets.leads_far(target));
            });
    };
    const auto waits = [&](LocalIndex chunk, std::int64_t place) {
        return turns(
            chunk, lists.element[static_cast<std::size_t>(place)],
            [](const ChunkTargets&, LocalIndex, Turn turn) { return turn == Turn::later; });
    };
    const auto add = [&](std::int64_t begin, std::int64_t end, Asks asks) {
        if (begin < end) {
            lists.stretches.push_back({begin, end, true, asks});
        }
    };
    lists.cut(fit, [&](LocalIndex chunk, std::int64_t begin, std::int64_t end) {
        std::int64_t first = begin;
        std::int64_t last = end;
        while (first < last && !waits(chunk, first)) {
            ++first;
        }
        while (last > first && !waits(chunk, last - 1)) {
            --last;
        }
        if (first == last) {
            add(begin, end, Asks::never);
            return;
        }
        const std::int64_t first_block = begin + (first - begin) / simd_lanes * simd_lanes;
        const std::int64_t last_block =
            std::min(begin + (last - begin + simd_lanes - 1) / simd_lanes * simd_lanes, end);
        add(begin, first_block, Asks::never);
        add(first_block, last_block, Asks::when_beside);
        add(last_block, end, Asks::never);
    });
}

void count_waiting(ScatterPlan& plan, const std::vector<MapColumn>& columns) {
    for (LocalIndex chunk = 0; chunk < plan.chunks(); ++chunk) {
        const ChunkTargets targets(plan, chunk, /*is_beside=*/true);
        WaitingElements& waiting = plan.waiting[static_cast<std::size_t>(chunk)];
        for (const Stretch& stretch : plan.elements.stretches_of(chunk)) {
            for (std::int64_t k = stretch.begin; k < stretch.end && stretch.asks != Asks::never;
                 ++k) {
                bool is_near = false;
                bool is_far = false;
                for (const MapColumn& column : columns) {
                    const LocalIndex target =
                        column.target_of(plan.elements.element[static_cast<std::size_t>(k)]);
                    if (targets.turn_of(target) == Turn::later) {
                        (targets.leads_far(target) ? is_far : is_near) = true;
                    }
                }
                waiting.near += is_near ? 1 : 0;
                waiting.far += is_far ? 1 : 0;
            }
        }
    }
}

}  // namespace

ScatterPlan build_scatter_plan(const SetPart& from, const SetPart& to,
                               const std::vector<MapColumn>& columns,
                               const std::vector<LocalIndex>& order, int threads) {
    const double start_s = wall_seconds();
    ScatterPlan plan;
    const LocalIndex core_targets = to.core == to.owned ? to.owned : core_blocks(to) * simd_lanes;
    plan.first_chunk =
        Buffer<LocalIndex>(static_cast<std::size_t>(to.rows()), ScatterPlan::not_owned);
    const Half core = half_of(from, columns, order, 0, core_targets);
    const Half others = half_of(from, columns, order, core_targets, to.owned);
    const ChosenCut of_core = choose_cut(core, columns, threads, plan.first_chunk);
    const ChosenCut of_others = choose_cut(others, columns, threads, plan.first_chunk);
    append_chunks(plan, core, of_core.cut);
    plan.core_chunks = plan.chunks();
    append_chunks(plan, others, of_others.cut);
    plan.elements.begin = Buffer<std::int64_t>(static_cast<std::size_t>(plan.chunks()) + 1, 0);
    plan.elements.element = Buffer<LocalIndex>(core.elements.size() + others.elements.size());
    std::size_t chunk = 0;
    append_lists(plan.elements, chunk, core, of_core.cut);
    append_lists(plan.elements, chunk, others, of_others.cut);
    cut_stretches(plan, columns);
    count_waiting(plan, columns);
    const auto work_of = [](const Half& half) { return static_cast<double>(half.elements.size()); };
    plan.cost = (of_core.cost * work_of(core) + of_others.cost * work_of(others)) /
                std::max(1.0, static_cast<double>(from.exec));
    plan.build_s = wall_seconds() - start_s;
    return plan;
}

}  // namespace halocline
