// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Plans, orders and copies are made when a loop first needs them.
#include "halocline/loop/plan.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <utility>

#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"
#include "halocline/loop/cached_gather.hpp"
#include "halocline/loop/memo.hpp"
#include "halocline/loop/once_plan.hpp"
#include "halocline/loop/scatter_plan.hpp"
#include "halocline/loop/slot_copies.hpp"
#include "halocline/memory/memory_account.hpp"

namespace halocline {

namespace {

/// Whether an order goes through memory with few jumps: hardware fetches ahead between these.
bool walks_memory(const std::vector<LocalIndex>& order) {
    constexpr LocalIndex near = 64;
    constexpr std::size_t elements_a_jump = 32;
    std::size_t jumps = 0;
    for (std::size_t k = 1; k < order.size(); ++k) {
        const LocalIndex step = order[k] - order[k - 1];
        jumps += step < -near || step > near ? 1 : 0;
    }
    return jumps * elements_a_jump <= order.size();
}

/// Whether one row in sixteen leads further from the row before than a private cache holds.
bool jumps_often(const MapPart& map, LocalIndex rows) {
    constexpr LocalIndex near = 4096;
    constexpr LocalIndex sampled = 8192;
    constexpr LocalIndex rows_a_jump = 16;
    const LocalIndex step = std::max(rows / sampled, 1);
    LocalIndex looked_at = 0;
    LocalIndex jumps = 0;
    for (LocalIndex row = step; row < rows; row += step) {
        const std::int64_t at = std::int64_t{row} * map.arity;
        const LocalIndex distance = map.targets[static_cast<std::size_t>(at)] -
                                    map.targets[static_cast<std::size_t>(at - map.arity)];
        jumps += distance < -near || distance > near ? 1 : 0;
        ++looked_at;
    }
    return jumps * rows_a_jump > looked_at;
}

}  // namespace

struct PlanCache::Kept {
    struct Column {
        std::uint64_t map;
        int slot;
        bool operator==(const Column&) const = default;
    };
    /// Loops over `from` that change `to` through columns of maps, and a size.
    struct LoopKey {
        std::uint64_t from;
        std::uint64_t to;
        std::vector<Column> columns;
        std::size_t size;
        bool operator==(const LoopKey&) const = default;
    };
    static LoopKey key_of(const SetPart& from, const SetPart& to,
                          const std::vector<MapColumn>& columns, std::size_t size) {
        LoopKey key{from.id, to.id, {}, size};
        for (const MapColumn& column : columns) {
            key.columns.push_back({column.map->id, column.slot});
        }
        return key;
    }

    std::deque<CachedGather> gathers;
    Memo<LoopKey, OncePlan> onces;        // by grain
    Memo<LoopKey, ScatterPlan> scatters;  // by threads
    Memo<LoopKey, LocalIndex> grains;     // by bytes
    Memo<std::uint64_t, std::vector<LocalIndex>> orders;
    Memo<std::uint64_t, bool> local_orders;
    Memo<std::uint64_t, bool> far_maps;
    SlotCopies copies;  // goes before the plans that it was made by

    CachedGather& gather(const SetPart& from, const SetPart& to,
                         const std::vector<MapColumn>& columns, double& build_s);
};

PlanCache::PlanCache() : kept_(std::make_unique<Kept>()) {}
PlanCache::~PlanCache() = default;

void PlanCache::keep_originals(bool yes) { kept_->copies.keep_originals(yes); }

const GatherPlan& PlanCache::gather(const SetPart& from, const SetPart& to,
                                    const std::vector<MapColumn>& columns) {
    CachedGather& gather = kept_->gather(from, to, columns, build_s_);
    gather.note_use();
    return gather.plan;
}

CachedGather& PlanCache::Kept::gather(const SetPart& from, const SetPart& to,
                                      const std::vector<MapColumn>& columns, double& build_s) {
    for (CachedGather& known : gathers) {
        if (known.is_of(from, to, columns)) {
            return known;
        }
    }
    const MemoryScope scope(MemoryUse::plans);
    const double start_s = wall_seconds();
    const std::vector<LocalIndex>* order = orders.find(from.id);
    CachedGather& made = gathers.emplace_back();
    made.from = &from;
    made.to = &to;
    made.columns = columns;
    made.from_id = from.id;
    made.to_id = to.id;
    for (const MapColumn& column : columns) {
        made.map_ids.push_back(column.map->id);
    }
    try {
        made.plan = order != nullptr ? build_gather_plan(from, to, columns, *order)
                                     : build_gather_plan(from, to, columns);
    } catch (...) {
        gathers.pop_back();
        throw;
    }
    build_s += wall_seconds() - start_s;
    return made;
}

const OncePlan& PlanCache::once(const SetPart& from, const SetPart& to,
                                const std::vector<MapColumn>& columns, LocalIndex grain) {
    return kept_->onces.get(Kept::key_of(from, to, columns, static_cast<std::size_t>(grain)), [&] {
        const MemoryScope scope(MemoryUse::plans);
        OncePlan plan = build_once_plan(from, to, columns, grain);
        build_s_ += plan.build_s;
        return plan;
    });
}

const ScatterPlan& PlanCache::scatter(const SetPart& from, const SetPart& to,
                                      const std::vector<MapColumn>& columns, int threads) {
    return kept_->scatters.get(
        Kept::key_of(from, to, columns, static_cast<std::size_t>(threads)), [&] {
            const MemoryScope scope(MemoryUse::plans);
            ScatterPlan plan = build_scatter_plan(from, to, columns, order(from), threads);
            build_s_ += plan.build_s;
            return plan;
        });
}

LocalIndex PlanCache::grain(const SetPart& from, const SetPart& to,
                            const std::vector<MapColumn>& columns, std::size_t bytes,
                            std::size_t range_bytes) {
    return kept_->grains.get(Kept::key_of(from, to, columns, bytes), [&] {
        const ScopedTimer timer(build_s_);
        return choose_grain(from, to, columns, bytes, range_bytes);
    });
}

const std::vector<LocalIndex>& PlanCache::order(const SetPart& set) {
    return kept_->orders.get(set.id, [&] { return global_order(set); });
}

bool PlanCache::has_local_order(const SetPart& set) {
    return kept_->local_orders.get(set.id, [&] {
        const bool is_local = walks_memory(order(set));
        if (!is_local) {
            forget_order(set);  // no loop walks it
        }
        return is_local;
    });
}

bool PlanCache::leads_far(const MapPart& map, LocalIndex rows) {
    return kept_->far_maps.get(map.id, [&] { return jumps_often(map, rows); });
}

void PlanCache::forget_order(const SetPart& set) { kept_->orders.forget(set.id); }

const SlotCopy& PlanCache::slot_copy(const GatherPlan& plan, DatStore& store, bool oriented) {
    const auto gather = std::find_if(kept_->gathers.begin(), kept_->gathers.end(),
                                     [&](const auto& known) { return &known.plan == &plan; });
    const double start_s = wall_seconds();
    const SlotCopy& copy = kept_->copies.copy_of(*gather, store, oriented);
    build_s_ += wall_seconds() - start_s;
    return copy;
}

void PlanCache::prepare_freeze(const SetPart& from, const SetPart& to,
                               const std::vector<MapColumn>& columns) {
    static_cast<void>(kept_->gather(from, to, columns, build_s_));
    for (CachedGather& gather : kept_->gathers) {
        if (gather.from_id ==
            from.id) {  // its ids may go, too, without which no list is made again
            kept_->copies.restore_all(gather);
            gather.require_lists(true);
        }
    }
}

void PlanCache::freeze(const SetPart& from, const SetPart& to,
                       const std::vector<MapColumn>& columns, DatStore& store) {
    CachedGather& gather = kept_->gather(from, to, columns, build_s_);
    forget_order(from);
    static_cast<void>(kept_->copies.copy_of(gather, store, true));
    gather.drop_lists();
    gather.is_frozen = true;
}

}  // namespace halocline
