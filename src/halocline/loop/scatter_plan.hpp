// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Plans of loops whose elements add to their targets in the order of the file, on several threads: chunks
// of elements, and which of them reach targets that chunks before theirs reach, too.
#pragma once

#include <vector>

#include "halocline/loop/element_lists.hpp"
#include "halocline/loop/gather_plan.hpp"

namespace halocline {

/// Elements in ascending global id, cut into chunks. A target belongs to the first chunk that reaches it;
/// what later ones contribute to it comes later: at once where the chunk before is done, else it is kept
/// until all chunks are. So each element is computed once, whoever runs which chunk.
///
/// Core targets and the others have chunks of their own, for only the others wait for halos: elements that
/// reach both are computed for each.
struct ScatterPlan {
    ElementLists elements;        ///< of each chunk, ascending by global id over chunks
    LocalIndex core_chunks = 0;   ///< how many there are for core targets; they come first
    LocalIndex core_targets = 0;  ///< [0, core_targets) are theirs, whole blocks of eight
    LocalIndex targets = 0;       ///< owned elements of the target set
    /// (targets) the first chunk that reaches a target, c; ~c where more than c and c + 1 do, so that
    /// waiting for the chunk before is not enough.
    Buffer<LocalIndex> first_chunk;
    std::vector<LocalIndex>
        asking;  ///< (chunks) room for elements that may have to ask, in whole blocks
    bool leads_far =
        false;          ///< some targets are reached by more than two chunks that follow each other
    double cost = 1.0;  ///< estimated time on all threads, in that of one thread alone
    double build_s = 0.0;  ///< wall seconds that building took

    /// Whether there are too few elements for several threads.
    [[nodiscard]] bool is_for_one_thread() const {
        return core_chunks <= 1 && chunks() - core_chunks <= 1;
    }
    /// Number of chunks.
    [[nodiscard]] LocalIndex chunks() const { return static_cast<LocalIndex>(asking.size()); }
};

/// Builds the plan of a loop over `from` that changes `to` through `columns`, for `threads` threads; `order`
/// as `global_order` gives it. Threads get several chunks each where these share few targets, so that they
/// can help each other.
[[nodiscard]] ScatterPlan build_scatter_plan(const SetPart& from, const SetPart& to,
                                             const std::vector<MapColumn>& columns,
                                             const std::vector<LocalIndex>& order, int threads);

/// Room for so many elements of a stretch.
[[nodiscard]] inline LocalIndex whole_blocks(LocalIndex elements) {
    return (elements + simd_lanes - 1) / simd_lanes * simd_lanes;
}

/// When an element of a chunk changes a target.
enum class Turn {
    never,  ///< it is not this list's to change
    now,    ///< what comes before is done
    later   ///< after what others contribute, who may be at work
};

/// Tells for one chunk when its elements change their targets.
class ChunkTargets {
public:
    /// All owned targets, now.
    ChunkTargets() = default;
    /// Those of a chunk. `is_beside`: the chunk before it may not be done.
    ChunkTargets(const ScatterPlan& plan, LocalIndex chunk, bool is_beside)
        : first_chunk_(plan.first_chunk.data()),
          begin_(chunk < plan.core_chunks ? 0 : plan.core_targets),
          end_(chunk < plan.core_chunks ? plan.core_targets : plan.targets),
          chunk_(chunk),
          is_beside_(is_beside) {}

    /// `owned`: elements of the target's set.
    [[nodiscard]] Turn turn_of(LocalIndex target, LocalIndex owned) const {
        if (first_chunk_ == nullptr) {
            return target < owned ? Turn::now : Turn::never;
        }
        if (target < begin_ || target >= end_) {
            return Turn::never;
        }
        const LocalIndex first = first_chunk_[target];
        if (first == chunk_ || ~first == chunk_) {
            return Turn::now;
        }
        return first < 0 || is_beside_ ? Turn::later : Turn::now;
    }
    /// Whether more than two chunks that follow each other reach a target.
    [[nodiscard]] bool leads_far(LocalIndex target) const { return first_chunk_[target] < 0; }

private:
    const LocalIndex* first_chunk_ = nullptr;
    LocalIndex begin_ = 0;
    LocalIndex end_ = 0;
    LocalIndex chunk_ = 0;
    bool is_beside_ = false;
};

}  // namespace halocline
