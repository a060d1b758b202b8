// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rounds shares to whole elements without losing any.
#include "halocline/dist/partition/target_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "halocline/core/communicator.hpp"
#include "halocline/core/error.hpp"

namespace halocline::dist {

std::vector<GlobalIndex> target_sizes(GlobalIndex size, int parts,
                                      std::span<const double> weights) {
    std::vector<GlobalIndex> sizes(static_cast<std::size_t>(parts));
    if (weights.empty()) {
        for (int part = 0; part < parts; ++part) {
            sizes[static_cast<std::size_t>(part)] = block_range(size, part, parts).size();
        }
        return sizes;
    }
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    double before = 0.0;
    GlobalIndex begin = 0;
    for (int part = 0; part < parts; ++part) {
        before += weights[static_cast<std::size_t>(part)];
        const auto wanted =
            static_cast<GlobalIndex>(std::llround(before / total * static_cast<double>(size)));
        const GlobalIndex end =
            part + 1 == parts ? size : std::clamp(wanted, begin + 1, size - (parts - 1 - part));
        sizes[static_cast<std::size_t>(part)] = end - begin;
        begin = end;
    }
    return sizes;
}

bool is_equal(std::span<const GlobalIndex> sizes) {
    const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
    return *most - *least <= 1;
}

std::vector<GlobalIndex> running_sums(std::span<const GlobalIndex> sizes) {
    std::vector<GlobalIndex> ends(sizes.size());
    std::partial_sum(sizes.begin(), sizes.end(), ends.begin());
    return ends;
}

std::vector<float> target_shares(std::span<const GlobalIndex> sizes) {
    const auto total =
        static_cast<double>(std::accumulate(sizes.begin(), sizes.end(), GlobalIndex{0}));
    std::vector<float> shares;
    for (const GlobalIndex size : sizes) {
        shares.push_back(static_cast<float>(static_cast<double>(size) / total));
    }
    return shares;
}

void validate_weights(std::span<const double> weights, int parts) {
    if (weights.empty()) {
        return;
    }
    validate<UsageError>(static_cast<int>(weights.size()) == parts,
                         std::to_string(weights.size()) + " target weights for " +
                             std::to_string(parts) +
                             " parts do not fit (each part has one). Give one weight a part.");
    const bool usable = std::all_of(weights.begin(), weights.end(),
                                    [](double w) { return std::isfinite(w) && w > 0.0; });
    validate<UsageError>(
        usable,
        "a target weight is not a number above 0 (weights are shares of the work). "
        "Give numbers like 1,1,2.5.");
}

}  // namespace halocline::dist
