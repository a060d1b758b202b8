// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Plans: the order in which increments reach their targets, computed once for a set of maps.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "halocline/memory/buffer.hpp"
#include "halocline/mesh/layout.hpp"
#include "halocline/mesh/part.hpp"

namespace halocline {

struct OncePlan;
struct ScatterPlan;

/// One column of a map through which a loop changes its targets.
struct MapColumn {
    const MapPart* map = nullptr;
    int slot = 0;
    bool operator==(const MapColumn&) const = default;

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
    LocalIndex targets = 0;
    LocalIndex blocks = 0;
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
    double build_s = 0.0;

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

/// A dat on the loop's set copied into slot order, so that a gather streams it.
struct SlotCopy {
    const GatherPlan* plan = nullptr;
    std::uint64_t store = 0;  ///< DatStore::id
    std::uint64_t version = 0;
    bool oriented = false;
    Buffer<double> values;  ///< (slots, dim, 8) of the dat's type, in words of eight bytes
};

/// Copies `dat`; lanes without an element get zeros, `oriented` negates where column is 1.
void fill_slot_copy(const GatherPlan& plan, const RawDat& dat, bool oriented, Buffer<double>& out);

/// Keeps plans and slot copies for the life of a run.
class PlanCache {
public:
    PlanCache();
    ~PlanCache();
    PlanCache(const PlanCache&) = delete;
    PlanCache& operator=(const PlanCache&) = delete;

    const GatherPlan& gather(const SetPart& from, const SetPart& to,
                             const std::vector<MapColumn>& columns);
    const OncePlan& once(const SetPart& from, const SetPart& to,
                         const std::vector<MapColumn>& columns, LocalIndex grain);
    const ScatterPlan& scatter(const SetPart& from, const SetPart& to,
                               const std::vector<MapColumn>& columns, LocalIndex grain);
    /// `choose_grain`, once for each set of columns and size.
    LocalIndex grain(const SetPart& from, const SetPart& to, const std::vector<MapColumn>& columns,
                     std::size_t bytes, std::size_t range_bytes);
    const std::vector<LocalIndex>& order(const SetPart& set);
    /// Whether that order walks memory, too: all but a few elements lie near the one before.
    bool has_local_order(const SetPart& set);
    /// Whether the first targets of the map's first `rows` rows often lie far from those of the row
    /// before, so that hardware does not have them in a cache. Looked up in a sample.
    bool leads_far(const MapPart& map, LocalIndex rows);
    /// Gives the memory of an order back; a loop that needs it makes it again.
    void forget_order(const SetPart& set);
    const SlotCopy& slot_copy(const GatherPlan& plan, std::uint64_t store, const RawDat& dat,
                              std::uint64_t version, bool oriented);
    /// Builds the plan of two-ended loops through `columns` and the oriented slot copy of `dat`, then
    /// drops what only further copies would need: a later change of a copied dat is an error.
    void settle(const SetPart& from, const SetPart& to, const std::vector<MapColumn>& columns,
                std::uint64_t store, const RawDat& dat, std::uint64_t version);
    [[nodiscard]] double build_seconds() const { return build_s_; }

private:
    [[nodiscard]] const std::vector<LocalIndex>* known_order(const SetPart& set) const;

    struct Column {
        std::uint64_t map;
        int slot;
        bool operator==(const Column&) const = default;
    };
    struct GatherEntry {
        std::uint64_t from;
        std::uint64_t to;
        std::vector<Column> columns;
        GatherPlan plan;
    };
    struct OrderEntry {
        std::uint64_t set;
        std::vector<LocalIndex> order;
    };
    struct LocalOrderEntry {
        std::uint64_t set;
        bool is_local;
    };
    struct FarMapEntry {
        std::uint64_t map;
        bool leads_far;
    };
    struct OnceEntry;
    struct ScatterEntry;
    struct GrainEntry {
        std::uint64_t from;
        std::uint64_t to;
        std::vector<Column> columns;
        std::size_t bytes;
        LocalIndex grain;
    };
    static std::vector<Column> keys_of(const std::vector<MapColumn>& columns);

    std::deque<GatherEntry> gathers_;
    std::deque<std::unique_ptr<OnceEntry>> onces_;
    std::deque<std::unique_ptr<ScatterEntry>> scatters_;
    std::deque<GrainEntry> grains_;
    std::deque<OrderEntry> orders_;
    std::deque<LocalOrderEntry> local_orders_;
    std::vector<FarMapEntry> far_maps_;
    std::deque<SlotCopy> copies_;
    double build_s_ = 0.0;
};

}  // namespace halocline
