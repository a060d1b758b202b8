// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Building gather plans: count, size the blocks, fill in global order.
#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"
#include "halocline/loop/gather_plan.hpp"

namespace halocline {

namespace {

/// Elements ahead whose targets are fetched: rows lie in another order than elements come. First where
/// the row goes on is asked for, then, when that is there, the place itself.
constexpr LocalIndex elements_ahead = 48;
constexpr LocalIndex elements_near = 24;

/// Any columns.
struct AnyColumns {
    const std::vector<MapColumn>& columns;

    [[nodiscard]] std::size_t size() const { return columns.size(); }
    [[nodiscard]] LocalIndex target(std::size_t c, LocalIndex element) const {
        return columns[c].target_of(element);
    }
};

/// Both columns of a map of arity 2: what nearly all plans of large sets are made of.
struct EndColumns {
    const LocalIndex* targets;
    int slots[2];

    static constexpr std::size_t size() { return 2; }
    [[nodiscard]] LocalIndex target(std::size_t c, LocalIndex element) const {
        return targets[static_cast<std::size_t>(element) * 2 + static_cast<std::size_t>(slots[c])];
    }
    void prefetch(LocalIndex element) const {
        __builtin_prefetch(targets + static_cast<std::size_t>(element) * 2);
    }
};

/// Calls `visit(target, element, column)` in global order, and some time before `prefetch(target)` and
/// then `prefetch_near(target)`.
template <class Columns, class Element, class Steps>
[[gnu::always_inline]] inline void for_each_entry(LocalIndex count, LocalIndex owned_targets,
                                                  const Columns& columns, Element&& element_at,
                                                  Steps&& steps) {
    for (LocalIndex k = 0; k < count; ++k) {
        const LocalIndex element = element_at(k);
        const LocalIndex near = element_at(std::min(k + elements_near, count - 1));
        const LocalIndex later = element_at(std::min(k + elements_ahead, count - 1));
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const LocalIndex coming = columns.target(c, later);
            const LocalIndex next = columns.target(c, near);
            const LocalIndex target = columns.target(c, element);
            if (coming < owned_targets) {
                steps.prefetch(coming);
            }
            if (next < owned_targets) {
                steps.prefetch_near(next);
            }
            if (target < owned_targets) {
                steps.visit(target, element, c);
            }
        }
    }
}

/// The same for elements that lie in the order `order`, or in global order where that is empty.
template <class Columns, class Steps>
void for_each_entry(const SetPart& from, const SetPart& to, const Columns& columns,
                    const std::vector<LocalIndex>& order, Steps&& steps) {
    if (order.empty()) {
        for_each_entry(
            from.exec, to.owned, columns, [](LocalIndex k) { return k; }, steps);
    } else {
        const LocalIndex* elements = order.data();
        for_each_entry(
            from.exec, to.owned, columns, [elements](LocalIndex k) { return elements[k]; }, steps);
    }
}

/// How many entries each target has.
struct EntryCounter {
    LocalIndex* lengths;

    [[gnu::always_inline]] void prefetch(LocalIndex target) const {
        __builtin_prefetch(lengths + target, 1);
    }
    [[gnu::always_inline]] void prefetch_near(LocalIndex) const {}
    [[gnu::always_inline]] void visit(LocalIndex target, LocalIndex, std::size_t) const {
        ++lengths[target];
    }
};

/// Puts each entry into its row, where the row goes on.
struct EntryPlacer {
    LocalIndex* next;  ///< by target: slot of its next entry
    LocalIndex* element;
    std::uint8_t* column;  ///< null when there is one

    [[nodiscard]] [[gnu::always_inline]] std::size_t entry_of(LocalIndex target) const {
        return static_cast<std::size_t>(next[target]) * simd_lanes +
               static_cast<std::size_t>(target) % simd_lanes;
    }
    [[gnu::always_inline]] void prefetch(LocalIndex target) const {
        __builtin_prefetch(next + target, 1);
    }
    [[gnu::always_inline]] void prefetch_near(LocalIndex target) const {
        const std::size_t entry = entry_of(target);
        __builtin_prefetch(element + entry, 1);
        if (column != nullptr) {
            __builtin_prefetch(column + entry, 1);
        }
    }
    [[gnu::always_inline]] void visit(LocalIndex target, LocalIndex at, std::size_t c) const {
        const std::size_t entry = entry_of(target);
        ++next[target];
        element[entry] = at;
        if (column != nullptr) {
            column[entry] = static_cast<std::uint8_t>(c);
        }
    }
};

void size_blocks(GatherPlan& plan, const Buffer<LocalIndex>& lengths) {
    const auto blocks = static_cast<std::size_t>(plan.blocks);
    plan.begin = Buffer<LocalIndex>(blocks + 1);
    plan.full = Buffer<LocalIndex>(blocks);
    std::int64_t slots = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
        plan.begin[b] = static_cast<LocalIndex>(slots);
        const LocalIndex* rows = lengths.data() + b * simd_lanes;
        slots += *std::max_element(rows, rows + simd_lanes);
        plan.full[b] = *std::min_element(rows, rows + simd_lanes);
        validate<ContractError>(slots < std::numeric_limits<LocalIndex>::max(),
                                "one rank has too many map entries for 32-bit indices. "
                                "Use more ranks.");
    }
    plan.begin[blocks] = static_cast<LocalIndex>(slots);
}

bool joins_two_ends(const std::vector<MapColumn>& columns) {
    return columns.size() == 2 && columns[0].map == columns[1].map && columns[0].map->arity == 2;
}

/// Lanes that have no more entries say so, and point where reading does no harm.
void fill_unused_lanes(GatherPlan& plan, const Buffer<LocalIndex>& lengths) {
    for (LocalIndex b = 0; b < plan.blocks; ++b) {
        const auto block = static_cast<std::size_t>(b);
        const LocalIndex first = plan.begin[block];
        std::fill(plan.used.data() + first, plan.used.data() + first + plan.full[block],
                  std::uint8_t{0xFF});
        for (LocalIndex slot = first + plan.full[block]; slot < plan.begin[block + 1]; ++slot) {
            std::uint8_t used = 0;
            for (LocalIndex lane = 0; lane < simd_lanes; ++lane) {
                const LocalIndex target = b * simd_lanes + lane;
                if (slot - first < lengths[static_cast<std::size_t>(target)]) {
                    used |= static_cast<std::uint8_t>(1U << lane);
                    continue;
                }
                const std::size_t entry =
                    static_cast<std::size_t>(slot) * simd_lanes + static_cast<std::size_t>(lane);
                plan.element[entry] = 0;
                if (!plan.column.empty()) {
                    plan.column[entry] = 0;
                }
            }
            plan.used[static_cast<std::size_t>(slot)] = used;
        }
    }
}

/// The other ends of a slot's edges. A lane without one leads to its own target.
struct SlotEnds {
    LocalIndex target[simd_lanes];

    /// Whether they follow each other.
    [[nodiscard]] bool are_run() const {
        bool follow = true;
        for (LocalIndex lane = 1; lane < simd_lanes; ++lane) {
            follow &= target[lane] == target[0] + lane;
        }
        return follow;
    }
};

SlotEnds ends_of_slot(const GatherPlan& plan, const EndColumns& columns, LocalIndex block,
                      LocalIndex slot) {
    SlotEnds ends;
    const std::size_t first = static_cast<std::size_t>(slot) * simd_lanes;
    const unsigned used = plan.used[static_cast<std::size_t>(slot)];
    for (LocalIndex lane = 0; lane < simd_lanes; ++lane) {
        const std::size_t entry = first + static_cast<std::size_t>(lane);
        ends.target[lane] = (used >> lane & 1U) != 0
                                ? columns.target(1U - plan.column[entry], plan.element[entry])
                                : std::min(block * simd_lanes + lane, plan.targets - 1);
    }
    return ends;
}

/// Finds where other ends lie: side by side, or far away. Stores those that are not side by side.
void find_runs(GatherPlan& plan, const EndColumns& columns) {
    constexpr LocalIndex near = 1 << 15;
    constexpr std::int64_t slots_a_jump = 16;
    constexpr std::int64_t slots_ahead = 4;
    plan.run = Buffer<LocalIndex>(static_cast<std::size_t>(plan.slots()));
    Buffer<std::uint32_t> other(static_cast<std::size_t>(plan.slots()) * simd_lanes);
    std::int64_t jumps = 0;
    std::size_t rows = 0;
    for (LocalIndex b = 0; b < plan.blocks; ++b) {
        const auto block = static_cast<std::size_t>(b);
        for (LocalIndex slot = plan.begin[block]; slot < plan.begin[block + 1]; ++slot) {
            const std::int64_t ahead = std::min(slot + slots_ahead, plan.slots() - 1);
            for (LocalIndex lane = 0; lane < simd_lanes; ++lane) {
                columns.prefetch(plan.element[static_cast<std::size_t>(ahead * simd_lanes + lane)]);
            }
            const SlotEnds ends = ends_of_slot(plan, columns, b, slot);
            const bool all = plan.used[static_cast<std::size_t>(slot)] == 0xFF;
            if (all && ends.are_run()) {
                plan.run[static_cast<std::size_t>(slot)] = ends.target[0];
                continue;
            }
            plan.run[static_cast<std::size_t>(slot)] = ~static_cast<LocalIndex>(rows);
            for (std::size_t lane = 0; lane < simd_lanes; ++lane) {
                other[rows * simd_lanes + lane] =
                    static_cast<std::uint32_t>(ends.target[lane]) * simd_lanes;
            }
            ++rows;
            const LocalIndex distance = ends.target[0] - b * simd_lanes;
            jumps += distance > near || distance < -near ? 1 : 0;
        }
    }
    plan.leads_far = jumps * slots_a_jump > plan.slots();
    plan.other = Buffer<std::uint32_t>(rows * simd_lanes);
    std::copy(other.begin(), other.begin() + plan.other.size(), plan.other.begin());
}

template <class Columns>
GatherPlan fill_plan(const SetPart& from, const SetPart& to, const Columns& columns,
                     const std::vector<LocalIndex>& order) {
    GatherPlan plan;
    plan.targets = to.owned;
    plan.blocks = (to.owned + simd_lanes - 1) / simd_lanes;
    Buffer<LocalIndex> lengths(static_cast<std::size_t>(plan.blocks) * simd_lanes, 0);
    for_each_entry(from, to, columns, order, EntryCounter{lengths.data()});
    size_blocks(plan, lengths);

    const auto entries = static_cast<std::size_t>(plan.slots()) * simd_lanes;
    plan.element = Buffer<LocalIndex>(entries);
    plan.used = Buffer<std::uint8_t>(static_cast<std::size_t>(plan.slots()));
    if (columns.size() > 1) {
        plan.column = Buffer<std::uint8_t>(entries);
    }
    fill_unused_lanes(plan, lengths);
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        lengths[i] = plan.begin[i / simd_lanes];
    }
    for_each_entry(from, to, columns, order,
                   EntryPlacer{lengths.data(), plan.element.data(), plan.column.data()});
    if constexpr (std::is_same_v<Columns, EndColumns>) {
        find_runs(plan, columns);
    }
    return plan;
}

}  // namespace

GatherPlan build_gather_plan(const SetPart& from, const SetPart& to,
                             const std::vector<MapColumn>& columns) {
    return build_gather_plan(from, to, columns, global_order(from));
}

GatherPlan build_gather_plan(const SetPart& from, const SetPart& to,
                             const std::vector<MapColumn>& columns,
                             const std::vector<LocalIndex>& order) {
    for (const MapColumn& column : columns) {
        column.map->require_rows();
    }
    const double start_s = wall_seconds();
    GatherPlan plan;
    if (joins_two_ends(columns)) {
        validate<ContractError>(to.total < (1 << 29),
                                "one rank has more than 2^29 elements in set '" + to.name +
                                    "' (row offsets are 32 bit). Use more ranks.");
        plan = fill_plan(
            from, to,
            EndColumns{columns[0].map->targets.data(), {columns[0].slot, columns[1].slot}}, order);
    } else {
        plan = fill_plan(from, to, AnyColumns{columns}, order);
    }
    plan.build_s = wall_seconds() - start_s;
    return plan;
}

}  // namespace halocline
