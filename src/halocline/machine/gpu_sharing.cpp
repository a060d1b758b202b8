// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Counts ranks by GPU.
#include "halocline/machine/gpu_sharing.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace halocline {

namespace {

bool is_same_gpu(const GpuOfRank& a, const GpuOfRank& b) {
    return a.host == b.host && a.bus_id == b.bus_id;
}

}  // namespace

bool run_at_once(const std::vector<GpuOfRank>& ranks) {
    return std::all_of(ranks.begin(), ranks.end(), [&](const GpuOfRank& rank) {
        const auto same = [&](const GpuOfRank& other) { return is_same_gpu(rank, other); };
        const bool alone = std::count_if(ranks.begin(), ranks.end(), same) == 1;
        return !rank.bus_id.empty() && (alone || rank.together);
    });
}

std::vector<std::string> gpu_sharing_notices(const std::vector<GpuOfRank>& ranks) {
    std::vector<std::string> notices;
    for (auto rank = ranks.begin(); rank != ranks.end(); ++rank) {
        const auto same = [&](const GpuOfRank& other) { return is_same_gpu(*rank, other); };
        const auto count = std::count_if(rank, ranks.end(), same);
        if (!rank->bus_id.empty() && !rank->together && count > 1 &&
            std::none_of(ranks.begin(), rank, same)) {
            notices.push_back(fmt::format(
                "{} ranks take turns on GPU {} of {}. Its multi-process service lets them run "
                "together: nvidia-cuda-mps-control -d, before the job.",
                count, rank->bus_id, rank->host));
        }
    }
    return notices;
}

}  // namespace halocline
