// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Plans of loops whose elements add to their targets in the order of the file, on several threads: chunks
// of elements, and which of them reach targets that chunks before theirs reach, too.
#pragma once

#include <limits>
#include <vector>

#include "halocline/loop/element_lists.hpp"
#include "halocline/loop/gather_plan.hpp"

namespace halocline {

/// How many elements of a chunk contribute to targets later.
struct WaitingElements {
    LocalIndex near = 0;  ///< where the chunk before is not done
    LocalIndex far = 0;   ///< always, to targets that lead far
};

/// Elements in ascending global id, cut into chunks. A target belongs to the first chunk that reaches it;
/// what later ones contribute to it comes later: at once where the chunk before is done, else it is kept
/// until all chunks are. So each element is computed once, whoever runs which chunk.
///
/// Core targets and the others have chunks of their own, for only the others wait for halos: elements that
/// reach both are computed for each.
struct ScatterPlan {
    /// First chunk of targets that other ranks own, or that stand for absent ones.
    static constexpr LocalIndex not_owned = std::numeric_limits<LocalIndex>::max();

    ElementLists elements;       ///< of each chunk, ascending by global id over chunks
    LocalIndex core_chunks = 0;  ///< how many there are for core targets; they come first
    /// (rows of the target set) the first chunk that reaches a target, c; ~c where more than c and c + 1 do,
    /// so that waiting for the chunk before is not enough; `not_owned`.
    Buffer<LocalIndex> first_chunk;
    std::vector<WaitingElements> waiting;  ///< (chunks)
    double cost = 1.0;     ///< estimated time on all threads, in that of one thread alone
    double build_s = 0.0;  ///< wall seconds that building took

    /// Whether there are too few elements for several threads.
    [[nodiscard]] bool is_for_one_thread() const {
        return core_chunks <= 1 && chunks() - core_chunks <= 1;
    }
    /// Number of chunks.
    [[nodiscard]] LocalIndex chunks() const { return static_cast<LocalIndex>(waiting.size()); }
};

/// Builds the plan of a loop over `from` that changes `to` through `columns`, for `threads` threads; `order`
/// as `global_order` gives it. Threads get several chunks each where these share few targets, so that they
/// can help each other.
[[nodiscard]] ScatterPlan build_scatter_plan(const SetPart& from, const SetPart& to,
                                             const std::vector<MapColumn>& columns,
                                             const std::vector<LocalIndex>& order, int threads);

/// When an element of a chunk changes a target.
enum class Turn {
    never,  ///< it is not this list's to change
    now,    ///< what comes before is done
    later   ///< after what others contribute, who may be at work
};

/// Tells for one chunk when its elements change their targets.
class ChunkTargets {
public:
    /// `is_beside`: the chunk before it may not be done.
    ChunkTargets(const ScatterPlan& plan, LocalIndex chunk, bool is_beside)
        : first_chunk_(plan.first_chunk.data()),
          chunk_(chunk),
          begin_(chunk < plan.core_chunks ? 0 : plan.core_chunks),
          is_beside_(is_beside) {}

    /// Of a local target, whoever owns it (the plan knows). Targets of the other half have chunks after this
    /// one or before the half's first.
    [[nodiscard]] Turn turn_of(LocalIndex target, LocalIndex /*owned*/ = 0) const {
        const LocalIndex found = first_chunk_[target];
        const LocalIndex first = found < 0 ? ~found : found;
        if (first == chunk_) {
            return Turn::now;
        }
        if (first < begin_ || first > chunk_) {
            return Turn::never;
        }
        return found < 0 || is_beside_ ? Turn::later : Turn::now;
    }
    /// Whether more than two chunks that follow each other reach a target.
    [[nodiscard]] bool leads_far(LocalIndex target) const { return first_chunk_[target] < 0; }

private:
    const LocalIndex* first_chunk_;
    LocalIndex chunk_;
    LocalIndex begin_;
    bool is_beside_;
};

}  // namespace halocline
