// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Counts ranks by GPU.
#include "halocline/machine/gpu_sharing.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace halocline {

std::vector<std::string> gpu_sharing_notices(const std::vector<GpuOfRank>& ranks) {
    std::vector<std::string> notices;
    for (auto rank = ranks.begin(); rank != ranks.end(); ++rank) {
        const auto same = [&](const GpuOfRank& other) {
            return other.host == rank->host && other.bus_id == rank->bus_id;
        };
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
