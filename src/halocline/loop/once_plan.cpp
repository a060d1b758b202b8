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

/// Rows of contributions that numbers of two bytes can tell apart.
constexpr std::size_t most_narrow_rows = std::size_t{1} << 16;

LocalIndex whole_blocks(std::int64_t elements) {
    return static_cast<LocalIndex>((elements + simd_lanes - 1) / simd_lanes * simd_lanes);
}

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

/// Where each target's numbers begin.
Buffer<LocalIndex> count_rows(const SetPart& from, const SetPart& to,
                              const std::vector<MapColumn>& columns) {
    std::int64_t rows = 0;
    Buffer<LocalIndex> begin(static_cast<std::size_t>(to.owned) + 1, 0);
    for (LocalIndex element = 0; element < from.exec; ++element) {
        for (const MapColumn& column : columns) {
            const LocalIndex target = column.target_of(element);
            if (target < to.owned) {
                ++begin[static_cast<std::size_t>(target) + 1];
                ++rows;
            }
        }
    }
    validate<ContractError>(rows < std::numeric_limits<LocalIndex>::max(),
                            "one rank has too many map entries for 32-bit indices. "
                            "Use more ranks.");
    for (std::size_t target = 1; target < begin.size(); ++target) {
        begin[target] += begin[target - 1];
    }
    return begin;
}

/// What the targets of a range add, target by target.
std::vector<std::uint32_t> rows_of_range(const OncePlan& plan, const SetPart& from,
                                         const SetPart& to, const std::vector<MapColumn>& columns,
                                         LocalIndex range) {
    const auto r = static_cast<std::size_t>(range);
    const LocalIndex* element = plan.elements.element.data() + plan.elements.begin[r];
    const auto elements =
        static_cast<LocalIndex>(plan.elements.begin[r + 1] - plan.elements.begin[r]);
    const LocalIndex first = plan.ranges.first_block(range) * simd_lanes;
    const LocalIndex last = std::min(plan.ranges.end_block(range) * simd_lanes, to.owned);
    const LocalIndex* begin = plan.rows.begin.data() + first;
    const auto targets = static_cast<std::size_t>(last - first);
    std::vector<LocalIndex> next(begin, begin + targets);
    std::vector<std::uint32_t> rows(static_cast<std::size_t>(begin[targets] - *begin));
    for (const auto& [id, place] : places_by_id(from, element, elements)) {
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const LocalIndex target = columns[c].target_of(element[place]);
            if (target >= first && target < last) {
                const LocalIndex at = next[static_cast<std::size_t>(target - first)]++ - *begin;
                rows[static_cast<std::size_t>(at)] =
                    static_cast<std::uint32_t>(c) * static_cast<std::uint32_t>(plan.capacity) +
                    static_cast<std::uint32_t>(place);
            }
        }
    }
    return rows;
}

/// Writes the rows of a block of targets, which `rows` has one after the other, as `SummedRows` has them.
template <class Number>
void weave(const std::uint32_t* rows, const LocalIndex* begin, LocalIndex targets, Number* to) {
    const LocalIndex common = SummedRows::common_of_block(begin, targets);
    for (LocalIndex slot = 0; slot < common; ++slot) {
        for (LocalIndex lane = 0; lane < simd_lanes; ++lane) {
            *to++ = static_cast<Number>(rows[begin[lane] - begin[0] + slot]);
        }
    }
    for (LocalIndex lane = 0; lane < targets; ++lane) {
        for (LocalIndex at = begin[lane] + common; at < begin[lane + 1]; ++at) {
            *to++ = static_cast<Number>(rows[at - begin[0]]);
        }
    }
}

template <class Number>
void fill_rows(const OncePlan& plan, const SetPart& from, const SetPart& to,
               const std::vector<MapColumn>& columns, Buffer<Number>& numbers) {
    numbers = Buffer<Number>(
        static_cast<std::size_t>(plan.rows.begin[static_cast<std::size_t>(to.owned)]));
#pragma omp parallel for schedule(static)
    for (LocalIndex range = 0; range < plan.ranges.count(); ++range) {
        const std::vector<std::uint32_t> rows = rows_of_range(plan, from, to, columns, range);
        const LocalIndex first = plan.ranges.first_block(range);
        const LocalIndex* begin = plan.rows.begin.data();
        for (LocalIndex block = first; block < plan.ranges.end_block(range); ++block) {
            const LocalIndex target = block * simd_lanes;
            weave(rows.data() + (begin[target] - begin[first * simd_lanes]), begin + target,
                  std::min(simd_lanes, to.owned - target), numbers.data() + begin[target]);
        }
    }
}

/// A grain down to half of `grain` whose ranges have rows that two bytes number; `grain` if there is none.
LocalIndex fit_narrow_rows(const SetPart& from, const SetPart& to,
                           const std::vector<MapColumn>& columns, LocalIndex grain,
                           RangeCounts counts) {
    constexpr double spare = 0.98;  // smaller ranges share more elements
    LocalIndex fitting = grain;
    while (true) {
        const std::size_t rows =
            columns.size() * static_cast<std::size_t>(whole_blocks(counts.largest));
        if (rows <= most_narrow_rows) {
            return fitting;
        }
        fitting =
            static_cast<LocalIndex>(fitting * spare * most_narrow_rows / static_cast<double>(rows));
        if (2 * fitting < grain) {
            return grain;
        }
        counts = count_ranges(from, to, columns, fitting);
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
    OncePlan plan{ranges, elements_of_ranges(from, to, columns, ranges), 0, {}, 0.0};
    plan.elements.cut([](LocalIndex, LocalIndex) { return true; },
                      [&](LocalIndex, std::int64_t begin, std::int64_t end) {
                          plan.elements.stretches.push_back({begin, end, true});
                      });
    std::int64_t most = 0;
    for (std::size_t r = 0; r < static_cast<std::size_t>(ranges.count()); ++r) {
        most = std::max(most, plan.elements.begin[r + 1] - plan.elements.begin[r]);
    }
    plan.capacity = whole_blocks(most);
    plan.rows.begin = count_rows(from, to, columns);
    if (columns.size() * static_cast<std::size_t>(plan.capacity) <= most_narrow_rows) {
        fill_rows(plan, from, to, columns, plan.rows.narrow);
    } else {
        fill_rows(plan, from, to, columns, plan.rows.wide);
    }
    plan.build_s = wall_seconds() - start_s;
    return plan;
}

RangeCounts count_ranges(const SetPart& from, const SetPart& to,
                         const std::vector<MapColumn>& columns, LocalIndex grain) {
    const TargetRanges ranges(to, grain);
    std::vector<LocalIndex> elements(static_cast<std::size_t>(ranges.count()));
    std::int64_t computed = 0;
    std::int64_t needed = 0;
    for (LocalIndex element = 0; element < from.exec; ++element) {
        const std::int64_t before = computed;
        for_each_range(ranges, to.owned, columns, element, [&](LocalIndex range) {
            ++elements[static_cast<std::size_t>(range)];
            ++computed;
        });
        needed += computed > before ? 1 : 0;
    }
    const auto largest = std::max_element(elements.begin(), elements.end());
    return {needed == 0 ? 1.0 : static_cast<double>(computed) / static_cast<double>(needed),
            largest == elements.end() ? 0 : *largest};
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
    RangeCounts counts = count_ranges(from, to, columns, grain);
    const LocalIndex largest = blocks_of(largest_growth * range_bytes);
    while (grain * 2 <= largest && grain < owned_blocks(to) &&
           counts.redundancy > much_redundancy) {
        grain *= 2;
        counts = count_ranges(from, to, columns, grain);
    }
    return fit_narrow_rows(from, to, columns, grain, counts);
}

}  // namespace halocline
