// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What ranks that share a GPU should know.
#pragma once

#include <string>
#include <vector>

namespace halocline {

/// The GPU of one rank.
struct GpuOfRank {
    std::string host;
    std::string bus_id;     ///< empty: none
    bool together = false;  ///< kernels of several processes run at the same time
};

/// A sentence for each GPU on which several ranks take turns, in the order of their first ranks.
[[nodiscard]] std::vector<std::string> gpu_sharing_notices(const std::vector<GpuOfRank>& ranks);

}  // namespace halocline
