// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Which ranks share a GPU, and what they should know.
#pragma once

#include <string>
#include <vector>

namespace halocline {

/// The GPU of one rank.
struct GpuOfRank {
    std::string host;       ///< name of the rank's host
    std::string bus_id;     ///< empty: none
    bool together = false;  ///< kernels of several processes run at the same time
};

/// Whether every rank has a GPU and none of them waits for its turn: kernels of all run at the same time.
[[nodiscard]] bool run_at_once(const std::vector<GpuOfRank>& ranks);

/// A sentence for each GPU on which several ranks take turns, in the order of their first ranks.
[[nodiscard]] std::vector<std::string> gpu_sharing_notices(const std::vector<GpuOfRank>& ranks);

}  // namespace halocline
