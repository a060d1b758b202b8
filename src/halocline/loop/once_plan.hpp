// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Plans that compute every element once for a range of targets: which elements reach the range, and
// where each target finds what they contribute.
#pragma once

#include <vector>

#include "halocline/loop/element_lists.hpp"
#include "halocline/loop/gather_plan.hpp"

namespace halocline {

/// Ranges of a set's owned elements that are worked on together, in blocks of eight. Core elements
/// and the others never share a range: only these wait for halos.
class TargetRanges {
public:
    /// Ranges of `grain` blocks.
    TargetRanges(const SetPart& to, LocalIndex grain);

    /// Number of ranges.
    [[nodiscard]] LocalIndex count() const { return core_ranges_ + other_ranges_; }
    /// Blocks of a range; the last ones may have fewer.
    [[nodiscard]] LocalIndex grain() const { return grain_; }
    /// The range that a block belongs to.
    [[nodiscard]] LocalIndex range_of_block(LocalIndex block) const {
        return block < core_blocks_ ? block / grain_
                                    : core_ranges_ + (block - core_blocks_) / grain_;
    }
    /// First block of a range.
    [[nodiscard]] LocalIndex first_block(LocalIndex range) const {
        return range < core_ranges_ ? range * grain_
                                    : core_blocks_ + (range - core_ranges_) * grain_;
    }
    /// One past the last block of a range.
    [[nodiscard]] LocalIndex end_block(LocalIndex range) const {
        return range + 1 == core_ranges_ ? core_blocks_
               : range + 1 == count()    ? blocks_
                                         : first_block(range + 1);
    }

private:
    LocalIndex grain_;
    LocalIndex core_blocks_;
    LocalIndex blocks_;
    LocalIndex core_ranges_;
    LocalIndex other_ranges_;
};

/// Blocks that hold core elements only; exchanges hide behind them.
[[nodiscard]] inline LocalIndex core_blocks(const SetPart& set) { return set.core / simd_lanes; }
/// Blocks that hold owned elements.
[[nodiscard]] inline LocalIndex owned_blocks(const SetPart& set) {
    return (set.owned + simd_lanes - 1) / simd_lanes;
}

/// Numbers of rows of contributions, for each target in the order in which it adds them. Of a block of
/// eight targets those come first that all of them have, slot by slot, so that eight sums advance
/// together; then what is left of each target.
struct SummedRows {
    Buffer<LocalIndex> begin;      ///< (targets + 1) into the numbers; a block's lie together
    Buffer<std::uint16_t> narrow;  ///< the numbers where two bytes hold all; else empty
    Buffer<std::uint32_t> wide;    ///< the numbers otherwise

    /// Rows that all targets of a whole block have; none where there are fewer than eight of them.
    [[nodiscard]] static LocalIndex common_of_block(const LocalIndex* begin, LocalIndex targets) {
        if (targets < simd_lanes) {
            return 0;
        }
        LocalIndex common = begin[1] - begin[0];
        for (LocalIndex lane = 1; lane < simd_lanes; ++lane) {
            const LocalIndex rows = begin[lane + 1] - begin[lane];
            common = rows < common ? rows : common;
        }
        return common;
    }
};

/// What a range's contributions are and who adds them: elements are computed once a range, in local
/// order, which is that of memory; each target then adds what reaches it in ascending global id of
/// the elements (then by column), the order of the serial loop.
struct OncePlan {
    TargetRanges ranges;  ///< of the target set
    /// Of each range, all that reach a target of it through one of the columns, in local order: an element
    /// appears once in each range that it reaches.
    ElementLists elements;
    LocalIndex capacity = 0;  ///< elements of the largest range, rounded up to whole blocks
    SummedRows rows;          ///< column * capacity + place among the range's elements
    double build_s = 0.0;     ///< wall seconds that building took
};

/// Builds the plan of a loop over `from` that changes `to` through `columns`. Throws ContractError when
/// a rank has too many map entries for 32-bit indices.
[[nodiscard]] OncePlan build_once_plan(const SetPart& from, const SetPart& to,
                                       const std::vector<MapColumn>& columns, LocalIndex grain);

/// How ranges of one size share the elements of a set.
struct RangeCounts {
    double redundancy;   ///< elements computed, all ranges together, for one element: at least 1
    LocalIndex largest;  ///< elements of the largest range
};
[[nodiscard]] RangeCounts count_ranges(const SetPart& from, const SetPart& to,
                                       const std::vector<MapColumn>& columns, LocalIndex grain);

/// Blocks a range should have, when an element contributes `bytes`: the contributions of a range take
/// `range_bytes`, or down to half of that where their rows then have numbers of two bytes, and up to 8
/// times that only where ranges of that size share many of their elements.
[[nodiscard]] LocalIndex choose_grain(const SetPart& from, const SetPart& to,
                                      const std::vector<MapColumn>& columns, std::size_t bytes,
                                      std::size_t range_bytes);

}  // namespace halocline
