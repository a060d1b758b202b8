// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The order of the serial loop on one rank: elements by ascending global id.
#include <algorithm>
#include <numeric>
#include <utility>

#include "halocline/loop/plan.hpp"

namespace halocline {

namespace {

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

/// Runs of ascending ids from which on bucketing costs less than merging.
constexpr int most_runs = 64;

/// Where runs of ascending ids begin, and the end; no more of them than can be merged.
std::vector<LocalIndex> ascending_runs(const SetPart& set) {
    std::vector<LocalIndex> runs{0};
    for (LocalIndex i = 1; i < set.exec && static_cast<int>(runs.size()) <= most_runs; ++i) {
        if (set.global_id(i) < set.global_id(i - 1)) {
            runs.push_back(i);
        }
    }
    runs.push_back(set.exec);
    return runs;
}

/// A set that is not renumbered has a few ascending regions: core, other owned, and the halo by owner.
std::vector<LocalIndex> merged_runs(const SetPart& set, std::vector<LocalIndex> runs) {
    const auto by_id = [&](LocalIndex a, LocalIndex b) {
        return set.global_id(a) < set.global_id(b);
    };
    std::vector<LocalIndex> order(static_cast<std::size_t>(set.exec));
    std::iota(order.begin(), order.end(), 0);
    std::vector<LocalIndex> merged(order.size());
    while (runs.size() > 2) {
        std::vector<LocalIndex> longer;
        for (std::size_t r = 0; r + 1 < runs.size(); r += 2) {
            const auto begin = order.begin() + runs[r];
            const auto middle = order.begin() + runs[r + 1];
            const auto end = order.begin() + runs[std::min(r + 2, runs.size() - 1)];
            std::merge(begin, middle, middle, end, merged.begin() + runs[r], by_id);
            longer.push_back(runs[r]);
        }
        longer.push_back(runs.back());
        runs = std::move(longer);
        std::swap(order, merged);
    }
    return order;
}

}  // namespace

std::vector<LocalIndex> global_order(const SetPart& set) {
    set.require_ids();
    if (set.global_ids.empty()) {
        return {};
    }
    const std::vector<LocalIndex> runs = ascending_runs(set);
    if (runs.size() <= 2) {
        return {};
    }
    if (set.exec == set.global_size) {  // a permutation: no need to sort
        std::vector<LocalIndex> order(static_cast<std::size_t>(set.exec));
        for (LocalIndex i = 0; i < set.exec; ++i) {
            order[static_cast<std::size_t>(set.global_id(i))] = i;
        }
        return order;
    }
    return static_cast<int>(runs.size()) - 1 <= most_runs ? merged_runs(set, runs)
                                                          : sorted_by_id(set);
}

}  // namespace halocline
