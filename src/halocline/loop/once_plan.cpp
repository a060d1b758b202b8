// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Building once plans: elements by range, then each range's rows in global order.
#include "halocline/loop/once_plan.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"

namespace halocline {

namespace {

/// Ranges grow up to here where smaller ones share their elements: the last-level cache serves them.
constexpr std::size_t largest_growth = 8;
/// Elements computed twice cost more than contributions that leave the private cache from here on.
constexpr double much_redundancy = 1.4;

/// Calls `visit(range)` for each range that `element` reaches, once.
template <class Visit>
void for_each_range(const TargetRanges& ranges, LocalIndex owned,
                    const std::vector<MapColumn>& columns, LocalIndex element, Visit&& visit) {
    const auto range_at = [&](std::size_t c) {
        const LocalIndex target = columns[c].target_of(element);
        return target < owned ? ranges.range_of_block(target / simd_lanes) : -1;
    };
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const LocalIndex range = range_at(c);
        bool is_new = range >= 0;
        for (std::size_t before = 0; is_new && before < c; ++before) {
            is_new = range_at(before) != range;
        }
        if (is_new) {
            visit(range);
        }
    }
}

/// Each range's elements as they lie.
ElementLists elements_of_ranges(const SetPart& from, const SetPart& to,
                                const std::vector<MapColumn>& columns, const TargetRanges& ranges) {
    ElementLists result;
    result.begin = Buffer<std::int64_t>(static_cast<std::size_t>(ranges.count()) + 1, 0);
    for (LocalIndex element = 0; element < from.exec; ++element) {
        for_each_range(ranges, to.owned, columns, element, [&](LocalIndex range) {
            ++result.begin[static_cast<std::size_t>(range) + 1];
        });
    }
    for (std::size_t r = 1; r < result.begin.size(); ++r) {
        result.begin[r] += result.begin[r - 1];
    }
    result.element =
        Buffer<LocalIndex>(static_cast<std::size_t>(result.begin[result.begin.size() - 1]));
    std::vector<std::int64_t> next(result.begin.begin(), result.begin.end() - 1);
    for (LocalIndex element = 0; element < from.exec; ++element) {
        for_each_range(ranges, to.owned, columns, element, [&](LocalIndex range) {
            const auto place = static_cast<std::size_t>(next[static_cast<std::size_t>(range)]++);
            result.element[place] = element;
        });
    }
    return result;
}

/// Places of a range's elements by ascending global id.
std::vector<std::pair<GlobalIndex, LocalIndex>> places_by_id(const SetPart& from,
                                                             const LocalIndex* element,
                                                             LocalIndex count) {
    std::vector<std::pair<GlobalIndex, LocalIndex>> places(static_cast<std::size_t>(count));
    for (LocalIndex k = 0; k < count; ++k) {
        places[static_cast<std::size_t>(k)] = {from.global_id(element[k]), k};
    }
    if (!std::is_sorted(places.begin(), places.end())) {
        std::sort(places.begin(), places.end());
    }
    return places;
}

void count_rows(OncePlan& plan, const SetPart& from, const SetPart& to,
                const std::vector<MapColumn>& columns) {
    std::int64_t entries = 0;
    plan.row_begin = Buffer<LocalIndex>(static_cast<std::size_t>(to.owned) + 1, 0);
    for (LocalIndex element = 0; element < from.exec; ++element) {
        for (const MapColumn& column : columns) {
            const LocalIndex target = column.target_of(element);
            if (target < to.owned) {
                ++plan.row_begin[static_cast<std::size_t>(target) + 1];
                ++entries;
            }
        }
    }
    validate<ContractError>(entries < std::numeric_limits<LocalIndex>::max(),
                            "one rank has too many map entries for 32-bit indices. "
                            "Use more ranks.");
    for (std::size_t row = 1; row < plan.row_begin.size(); ++row) {
        plan.row_begin[row] += plan.row_begin[row - 1];
    }
    plan.entry = Buffer<std::uint32_t>(static_cast<std::size_t>(entries));
}

/// `next`: where each row goes on; rows of a range belong to one thread.
void fill_rows(OncePlan& plan, const SetPart& from, const SetPart& to,
               const std::vector<MapColumn>& columns, LocalIndex range,
               std::vector<LocalIndex>& next) {
    const auto first =
        static_cast<std::size_t>(plan.elements.begin[static_cast<std::size_t>(range)]);
    const auto last =
        static_cast<std::size_t>(plan.elements.begin[static_cast<std::size_t>(range) + 1]);
    const LocalIndex* element = plan.elements.element.data() + first;
    const LocalIndex begin = plan.ranges.first_block(range) * simd_lanes;
    const LocalIndex end = std::min(plan.ranges.end_block(range) * simd_lanes, to.owned);
    for (const auto& [id, place] :
         places_by_id(from, element, static_cast<LocalIndex>(last - first))) {
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const LocalIndex target = columns[c].target_of(element[place]);
            if (target >= begin && target < end) {
                const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(target)]++);
                plan.entry[at] =
                    static_cast<std::uint32_t>(c) * static_cast<std::uint32_t>(plan.capacity) +
                    static_cast<std::uint32_t>(place);
            }
        }
    }
}

}  // namespace

TargetRanges::TargetRanges(const SetPart& to, LocalIndex grain)
    : grain_(grain),
      core_blocks_(core_blocks(to)),
      blocks_(owned_blocks(to)),
      core_ranges_((core_blocks_ + grain - 1) / grain),
      other_ranges_((blocks_ - core_blocks_ + grain - 1) / grain) {}

OncePlan build_once_plan(const SetPart& from, const SetPart& to,
                         const std::vector<MapColumn>& columns, LocalIndex grain) {
    const double start_s = wall_seconds();
    from.require_ids();  // here, where an error can leave
    const TargetRanges ranges(to, grain);
    OncePlan plan{ranges, elements_of_ranges(from, to, columns, ranges), 0, {}, {}, 0.0};
    plan.elements.cut([](LocalIndex, LocalIndex) { return true; },
                      [&](LocalIndex, std::int64_t begin, std::int64_t end) {
                          plan.elements.stretches.push_back({begin, end, true});
                      });
    std::int64_t most = 0;
    for (std::size_t r = 0; r < static_cast<std::size_t>(ranges.count()); ++r) {
        most = std::max(most, plan.elements.begin[r + 1] - plan.elements.begin[r]);
    }
    plan.capacity = static_cast<LocalIndex>((most + simd_lanes - 1) / simd_lanes * simd_lanes);
    count_rows(plan, from, to, columns);
    std::vector<LocalIndex> next(plan.row_begin.begin(), plan.row_begin.end() - 1);
#pragma omp parallel for schedule(static)
    for (LocalIndex range = 0; range < ranges.count(); ++range) {
        fill_rows(plan, from, to, columns, range, next);
    }
    plan.build_s = wall_seconds() - start_s;
    return plan;
}

double count_redundancy(const SetPart& from, const SetPart& to,
                        const std::vector<MapColumn>& columns, LocalIndex grain) {
    const TargetRanges ranges(to, grain);
    std::int64_t computed = 0;
    std::int64_t needed = 0;
    for (LocalIndex element = 0; element < from.exec; ++element) {
        const std::int64_t before = computed;
        for_each_range(ranges, to.owned, columns, element, [&](LocalIndex) { ++computed; });
        needed += computed > before ? 1 : 0;
    }
    return needed == 0 ? 1.0 : static_cast<double>(computed) / static_cast<double>(needed);
}

LocalIndex choose_grain(const SetPart& from, const SetPart& to,
                        const std::vector<MapColumn>& columns, std::size_t bytes,
                        std::size_t range_bytes) {
    const double elements_a_block = static_cast<double>(from.exec) /
                                    static_cast<double>(std::max(owned_blocks(to), LocalIndex{1}));
    const double bytes_a_block = static_cast<double>(bytes) * std::max(elements_a_block, 1.0);
    const auto blocks_of = [&](std::size_t room) {
        return std::max(static_cast<LocalIndex>(static_cast<double>(room) / bytes_a_block),
                        LocalIndex{1});
    };
    LocalIndex grain = blocks_of(range_bytes);
    const LocalIndex largest = blocks_of(largest_growth * range_bytes);
    while (grain * 2 <= largest && grain < owned_blocks(to) &&
           count_redundancy(from, to, columns, grain) > much_redundancy) {
        grain *= 2;
    }
    return grain;
}

}  // namespace halocline
