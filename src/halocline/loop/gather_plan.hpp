// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// For each element of a set those that change it: the order in which increments reach their targets.
#pragma once

#include <vector>

#include "halocline/memory/buffer.hpp"
#include "halocline/mesh/part.hpp"
#include "halocline/mesh/raw_dat.hpp"

namespace halocline {

/// One column of a map through which a loop changes its targets.
struct MapColumn {
    const MapPart* map = nullptr;  ///< the map
    int slot = 0;                  ///< number of the column
    bool operator==(const MapColumn&) const = default;

    /// Local target of a local element.
    [[nodiscard]] LocalIndex target_of(LocalIndex element) const {
        return map
            ->targets[static_cast<std::size_t>(element) * static_cast<std::size_t>(map->arity) +
                      static_cast<std::size_t>(slot)];
    }
};

/// For each owned target the elements that change it, as SELL-8: blocks of eight targets, slots of
/// eight elements, one a lane. A row lists its elements by ascending global id (then by column), the
/// order of the serial loop: sums over a row have the same bits whatever the partition, numbering,
/// thread count or vector width.
struct GatherPlan {
    LocalIndex targets = 0;       ///< owned elements of the target set
    LocalIndex blocks = 0;        ///< of eight targets, the last one padded
    Buffer<LocalIndex> begin;     ///< (blocks + 1) first slot of a block
    Buffer<LocalIndex> full;      ///< (blocks) slots of a block in which all eight lanes are used
    Buffer<LocalIndex> element;   ///< (slots, 8) element; 0 where a lane has no more
    Buffer<std::uint8_t> used;    ///< (slots) one bit for each lane that has an element
    Buffer<std::uint8_t> column;  ///< (slots, 8) index into the columns; empty when there is one
    /// Loops over edges only (two columns of one map): (slots) where the other ends lie. Not negative:
    /// the first of eight targets that follow each other, so that one load brings all eight of a narrow
    /// dat. Else ~i, and row i of `other` has them.
    Buffer<LocalIndex> run;
    /// Of such loops, for slots whose other ends are no run: (rows, 8) the target at the other end of
    /// the edge, times 8: where its row of eight doubles begins. The lane's own target where a lane has
    /// no more.
    Buffer<std::uint32_t> other;
    bool leads_far = false;  ///< other ends often lie further away than a private cache holds
    double build_s = 0.0;    ///< wall seconds that building took

    /// Slots of all blocks.
    [[nodiscard]] std::int64_t slots() const { return begin[static_cast<std::size_t>(blocks)]; }
};

/// Builds the plan of a loop over `from` that changes `to` through `columns`. Elements are owned and
/// import-exec ones. Throws ContractError when a rank has too many slots for 32-bit indices.
[[nodiscard]] GatherPlan build_gather_plan(const SetPart& from, const SetPart& to,
                                           const std::vector<MapColumn>& columns);
/// The same where `global_order(from)` is known.
[[nodiscard]] GatherPlan build_gather_plan(const SetPart& from, const SetPart& to,
                                           const std::vector<MapColumn>& columns,
                                           const std::vector<LocalIndex>& order);

/// Owned and import-exec elements by ascending global id; empty when that is the local order.
[[nodiscard]] std::vector<LocalIndex> global_order(const SetPart& set);

/// Copies `dat`; lanes without an element get zeros, `oriented` negates where column is 1.
void fill_slot_copy(const GatherPlan& plan, const RawDat& dat, bool oriented, Buffer<double>& out);

}  // namespace halocline
