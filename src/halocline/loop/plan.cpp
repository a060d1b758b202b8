// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Building gather plans: count, size the blocks, fill in global order.
#include "halocline/loop/plan.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"
#include "halocline/loop/once_plan.hpp"

namespace halocline {

namespace {

/// Elements ahead whose targets are fetched: rows lie in another order than elements come.
constexpr LocalIndex elements_ahead = 24;

/// Calls `visit(target, element, column)` in global order, and `prefetch(target)` some time before.
template <class Visit, class Prefetch>
[[gnu::always_inline]] inline void for_each_entry(const SetPart& from,
                                                  const std::vector<MapColumn>& columns,
                                                  const std::vector<LocalIndex>& order,
                                                  LocalIndex owned_targets, Visit&& visit,
                                                  Prefetch&& prefetch) {
    const auto element_at = [&](LocalIndex k) {
        return order.empty() ? k : order[static_cast<std::size_t>(k)];
    };
    for (LocalIndex k = 0; k < from.exec; ++k) {
        const LocalIndex element = element_at(k);
        const LocalIndex later = element_at(std::min(k + elements_ahead, from.exec - 1));
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const LocalIndex target = columns[c].target_of(element);
            const LocalIndex coming = columns[c].target_of(later);
            if (coming < owned_targets) {
                prefetch(coming);
            }
            if (target < owned_targets) {
                visit(target, element, static_cast<std::uint8_t>(c));
            }
        }
    }
}

void size_blocks(GatherPlan& plan, const Buffer<LocalIndex>& lengths) {
    const auto blocks = static_cast<std::size_t>(plan.blocks);
    plan.begin = Buffer<LocalIndex>(blocks + 1);
    plan.full = Buffer<LocalIndex>(blocks);
    std::int64_t slots = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
        plan.begin[b] = static_cast<LocalIndex>(slots);
        LocalIndex longest = 0;
        LocalIndex shortest = std::numeric_limits<LocalIndex>::max();
        for (std::size_t lane = 0; lane < simd_lanes; ++lane) {
            longest = std::max(longest, lengths[b * simd_lanes + lane]);
            shortest = std::min(shortest, lengths[b * simd_lanes + lane]);
        }
        plan.full[b] = shortest;
        slots += longest;
        validate<ContractError>(slots < std::numeric_limits<LocalIndex>::max(),
                                "one rank has too many map entries for 32-bit indices. "
                                "Use more ranks.");
    }
    plan.begin[blocks] = static_cast<LocalIndex>(slots);
}

std::uint32_t row_offset(LocalIndex target) {
    return static_cast<std::uint32_t>(target) * simd_lanes;
}

bool joins_two_ends(const std::vector<MapColumn>& columns) {
    return columns.size() == 2 && columns[0].map == columns[1].map && columns[0].map->arity == 2;
}

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

/// Ids of one rank are spread evenly: as many buckets as elements leave a handful in each, and a
/// comparison sort of all, at random addresses, costs several times as much.
std::vector<LocalIndex> sorted_by_id(const SetPart& set) {
    const auto count = static_cast<std::size_t>(set.exec);
    const auto bucket_of = [&](LocalIndex i) {
        const double place =
            static_cast<double>(set.global_id(i)) / static_cast<double>(set.global_size);
        return std::min(static_cast<std::size_t>(place * static_cast<double>(count)), count - 1);
    };
    std::vector<LocalIndex> begin(count + 2, 0);
    for (LocalIndex i = 0; i < set.exec; ++i) {
        ++begin[bucket_of(i) + 2];
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::pair<GlobalIndex, LocalIndex>> words(count);
    for (LocalIndex i = 0; i < set.exec; ++i) {
        const auto at = static_cast<std::size_t>(begin[bucket_of(i) + 1]++);
        words[at] = {set.global_id(i), i};
    }
    std::vector<LocalIndex> order(count);
    for (std::size_t b = 0; b < count; ++b) {
        std::sort(words.begin() + begin[b], words.begin() + begin[b + 1]);
    }
    std::transform(words.begin(), words.end(), order.begin(),
                   [](const auto& word) { return word.second; });
    return order;
}

}  // namespace

std::vector<LocalIndex> global_order(const SetPart& set) {
    set.require_ids();
    const auto by_id = [&](LocalIndex a, LocalIndex b) {
        return set.global_id(a) < set.global_id(b);
    };
    std::vector<LocalIndex> order(static_cast<std::size_t>(set.exec));
    std::iota(order.begin(), order.end(), 0);
    if (set.global_ids.empty() || std::is_sorted(order.begin(), order.end(), by_id)) {
        return {};
    }
    if (set.exec == set.global_size) {  // a permutation: no need to sort
        for (LocalIndex i = 0; i < set.exec; ++i) {
            order[static_cast<std::size_t>(set.global_id(i))] = i;
        }
        return order;
    }
    return sorted_by_id(set);
}

GatherPlan build_gather_plan(const SetPart& from, const SetPart& to,
                             const std::vector<MapColumn>& columns) {
    const double start_s = wall_seconds();
    GatherPlan plan;
    plan.targets = to.owned;
    plan.blocks = (to.owned + simd_lanes - 1) / simd_lanes;
    const std::vector<LocalIndex> order = global_order(from);

    Buffer<LocalIndex> lengths(static_cast<std::size_t>(plan.blocks) * simd_lanes, 0);
    const auto prefetch_length = [&](LocalIndex target) __attribute__((always_inline)) {
        __builtin_prefetch(&lengths[static_cast<std::size_t>(target)], 1);
    };
    for_each_entry(
        from, columns, order, to.owned,
        [&](LocalIndex target, LocalIndex, std::uint8_t) {
            ++lengths[static_cast<std::size_t>(target)];
        },
        prefetch_length);
    size_blocks(plan, lengths);

    const auto entries = static_cast<std::size_t>(plan.slots()) * simd_lanes;
    const bool edges = joins_two_ends(columns);
    plan.element = Buffer<LocalIndex>(entries, 0);
    plan.used = Buffer<std::uint8_t>(static_cast<std::size_t>(plan.slots()), 0);
    if (columns.size() > 1) {
        plan.column = Buffer<std::uint8_t>(entries, 0);
    }
    if (edges) {
        validate<ContractError>(to.total < (1 << 29),
                                "one rank has more than 2^29 elements in set '" + to.name +
                                    "' (row offsets are 32 bit). Use more ranks.");
        plan.other = Buffer<std::uint32_t>(entries);
        for (LocalIndex b = 0; b < plan.blocks; ++b) {
            const auto first = static_cast<std::size_t>(plan.begin[static_cast<std::size_t>(b)]);
            const auto last = static_cast<std::size_t>(plan.begin[static_cast<std::size_t>(b) + 1]);
            for (std::size_t i = first * simd_lanes; i < last * simd_lanes; ++i) {
                plan.other[i] = row_offset(std::min(
                    b * simd_lanes + static_cast<LocalIndex>(i % simd_lanes), to.owned - 1));
            }
        }
    }

    std::fill(lengths.begin(), lengths.end(), 0);
    for_each_entry(
        from, columns, order, to.owned,
        [&](LocalIndex target, LocalIndex element, std::uint8_t column) {
            const auto block = static_cast<std::size_t>(target / simd_lanes);
            const auto lane = static_cast<std::size_t>(target % simd_lanes);
            const LocalIndex slot = plan.begin[block] + lengths[static_cast<std::size_t>(target)]++;
            const std::size_t entry = static_cast<std::size_t>(slot) * simd_lanes + lane;
            plan.element[entry] = element;
            if (!plan.column.empty()) {
                plan.column[entry] = column;
            }
            plan.used[static_cast<std::size_t>(slot)] |= static_cast<std::uint8_t>(1U << lane);
            if (edges) {
                plan.other[entry] = row_offset(
                    columns[0].map->targets[static_cast<std::size_t>(element) * 2 +
                                            static_cast<std::size_t>(columns[1U - column].slot)]);
            }
        },
        [&](LocalIndex target) __attribute__((always_inline)) {
            prefetch_length(target);
            const auto first = static_cast<std::size_t>(
                                   plan.begin[static_cast<std::size_t>(target / simd_lanes)]) *
                               simd_lanes;
            __builtin_prefetch(plan.element.data() + first + 16, 1);
            if (edges) {
                __builtin_prefetch(plan.other.data() + first + 16, 1);
            }
        });
    plan.build_s = wall_seconds() - start_s;
    return plan;
}

struct PlanCache::OnceEntry {
    std::uint64_t from;
    std::uint64_t to;
    std::vector<Column> columns;
    OncePlan plan;
};

struct PlanCache::ScatterEntry {
    std::uint64_t from;
    std::uint64_t to;
    std::vector<Column> columns;
    ScatterPlan plan;
};

PlanCache::PlanCache() = default;
PlanCache::~PlanCache() = default;

std::vector<PlanCache::Column> PlanCache::keys_of(const std::vector<MapColumn>& columns) {
    std::vector<Column> keys;
    for (const MapColumn& column : columns) {
        keys.push_back({column.map->id, column.slot});
    }
    return keys;
}

const GatherPlan& PlanCache::gather(const SetPart& from, const SetPart& to,
                                    const std::vector<MapColumn>& columns) {
    std::vector<Column> keys = keys_of(columns);
    for (const GatherEntry& entry : gathers_) {
        if (entry.from == from.id && entry.to == to.id && entry.columns == keys) {
            return entry.plan;
        }
    }
    gathers_.push_back({from.id, to.id, std::move(keys), build_gather_plan(from, to, columns)});
    build_s_ += gathers_.back().plan.build_s;
    return gathers_.back().plan;
}

const OncePlan& PlanCache::once(const SetPart& from, const SetPart& to,
                                const std::vector<MapColumn>& columns, LocalIndex grain) {
    std::vector<Column> keys = keys_of(columns);
    for (const auto& entry : onces_) {
        if (entry->from == from.id && entry->to == to.id && entry->columns == keys &&
            entry->plan.ranges.grain() == grain) {
            return entry->plan;
        }
    }
    onces_.push_back(std::make_unique<OnceEntry>(
        OnceEntry{from.id, to.id, std::move(keys), build_once_plan(from, to, columns, grain)}));
    build_s_ += onces_.back()->plan.build_s;
    return onces_.back()->plan;
}

const ScatterPlan& PlanCache::scatter(const SetPart& from, const SetPart& to,
                                      const std::vector<MapColumn>& columns, LocalIndex grain) {
    std::vector<Column> keys = keys_of(columns);
    for (const auto& entry : scatters_) {
        if (entry->from == from.id && entry->to == to.id && entry->columns == keys &&
            entry->plan.ranges.grain() == grain) {
            return entry->plan;
        }
    }
    scatters_.push_back(std::make_unique<ScatterEntry>(
        ScatterEntry{from.id, to.id, std::move(keys),
                     build_scatter_plan(from, to, columns, order(from), grain)}));
    build_s_ += scatters_.back()->plan.build_s;
    return scatters_.back()->plan;
}

LocalIndex PlanCache::grain(const SetPart& from, const SetPart& to,
                            const std::vector<MapColumn>& columns, std::size_t bytes,
                            std::size_t range_bytes) {
    std::vector<Column> keys = keys_of(columns);
    for (const GrainEntry& entry : grains_) {
        if (entry.from == from.id && entry.to == to.id && entry.columns == keys &&
            entry.bytes == bytes) {
            return entry.grain;
        }
    }
    const double start_s = wall_seconds();
    grains_.push_back({from.id, to.id, std::move(keys), bytes,
                       choose_grain(from, to, columns, bytes, range_bytes)});
    build_s_ += wall_seconds() - start_s;
    return grains_.back().grain;
}

const std::vector<LocalIndex>& PlanCache::order(const SetPart& set) {
    for (const OrderEntry& entry : orders_) {
        if (entry.set == set.id) {
            return entry.order;
        }
    }
    orders_.push_back({set.id, global_order(set)});
    return orders_.back().order;
}

bool PlanCache::has_local_order(const SetPart& set) {
    for (const LocalOrderEntry& entry : local_orders_) {
        if (entry.set == set.id) {
            return entry.is_local;
        }
    }
    const bool is_local = walks_memory(order(set));
    if (!is_local) {
        forget_order(set);  // nobody walks it
    }
    local_orders_.push_back({set.id, is_local});
    return is_local;
}

void PlanCache::forget_order(const SetPart& set) {
    std::erase_if(orders_, [&](const OrderEntry& entry) { return entry.set == set.id; });
}

const SlotCopy& PlanCache::slot_copy(const GatherPlan& plan, std::uint64_t store, const RawDat& dat,
                                     std::uint64_t version, bool oriented) {
    const auto same = [&](const SlotCopy& copy) {
        return copy.plan == &plan && copy.store == store && copy.oriented == oriented;
    };
    auto found = std::find_if(copies_.begin(), copies_.end(), same);
    if (found == copies_.end()) {
        copies_.push_back({&plan, store, 0, oriented, {}});
        found = std::prev(copies_.end());
    } else if (found->version == version) {
        return *found;
    }
    validate<ContractError>(plan.slots() == 0 || !plan.element.empty(),
                            "a loop reads a new or changed constant on edges that were settled. "
                            "Settle them later.");
    const double start_s = wall_seconds();
    fill_slot_copy(plan, dat, oriented, found->values);
    found->version = version;
    build_s_ += wall_seconds() - start_s;
    return *found;
}

void PlanCache::settle(const SetPart& from, const SetPart& to,
                       const std::vector<MapColumn>& columns, std::uint64_t store,
                       const RawDat& dat, std::uint64_t version) {
    const GatherPlan& plan = gather(from, to, columns);
    forget_order(from);
    static_cast<void>(slot_copy(plan, store, dat, version, true));
    for (GatherEntry& entry : gathers_) {
        if (&entry.plan == &plan) {
            entry.plan.element.release();
            entry.plan.column.release();
        }
    }
}

}  // namespace halocline
