// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Plans: the order in which increments reach their targets, computed once for a set of maps.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "halocline/loop/gather_plan.hpp"

namespace halocline {

struct DatStore;
struct OncePlan;
struct ScatterPlan;
struct SlotCopy;

/// Keeps plans and slot copies for the life of a run.
class PlanCache {
public:
    /// An empty cache.
    PlanCache();
    ~PlanCache();
    PlanCache(const PlanCache&) = delete;
    PlanCache& operator=(const PlanCache&) = delete;

    /// The gather plan of loops over `from` that change `to` through `columns`; built at first use.
    const GatherPlan& gather(const SetPart& from, const SetPart& to,
                             const std::vector<MapColumn>& columns);
    /// The plan of the strategy once, with ranges of `grain` blocks of eight targets; built at first use.
    const OncePlan& once(const SetPart& from, const SetPart& to,
                         const std::vector<MapColumn>& columns, LocalIndex grain);
    /// The plan of the strategy scatter for so many threads; built at first use.
    const ScatterPlan& scatter(const SetPart& from, const SetPart& to,
                               const std::vector<MapColumn>& columns, int threads);
    /// `choose_grain`, once for each set of columns and size.
    LocalIndex grain(const SetPart& from, const SetPart& to, const std::vector<MapColumn>& columns,
                     std::size_t bytes, std::size_t range_bytes);
    /// `global_order(set)`, made at first use.
    const std::vector<LocalIndex>& order(const SetPart& set);
    /// Whether that order walks memory, too: all but a few elements lie near the one before.
    bool has_local_order(const SetPart& set);
    /// Whether the first targets of the map's first `rows` rows often lie far from those of the row
    /// before, so that hardware does not have them in a cache. Looked up in a sample.
    bool leads_far(const MapPart& map, LocalIndex rows);
    /// Gives the memory of an order back; a loop that needs it makes it again.
    void forget_order(const SetPart& set);
    /// What `store` holds now in the order of a plan of this cache; halos up to date.
    const SlotCopy& slot_copy(const GatherPlan& plan, DatStore& store, bool oriented);
    /// As `SlotCopies` has it.
    void keep_originals(bool yes);
    /// Builds the plan of two-ended loops through `columns` with all that slot copies need: the map and
    /// the ids of `from` may go then.
    void prepare_freeze(const SetPart& from, const SetPart& to,
                        const std::vector<MapColumn>& columns);
    /// Makes the oriented slot copy of `store` in the order of that plan, then drops the lists that only
    /// further copies would need: a later change of a copied dat is an error.
    void freeze(const SetPart& from, const SetPart& to, const std::vector<MapColumn>& columns,
                DatStore& store);
    /// Wall seconds that building plans took so far.
    [[nodiscard]] double build_seconds() const { return build_s_; }

private:
    /// In the library alone: programs do not compile it.
    struct Kept;

    std::unique_ptr<Kept> kept_;
    double build_s_ = 0.0;
};

}  // namespace halocline
