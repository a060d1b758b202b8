// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Last-level caches: what an array must exceed to come from main memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "halocline/machine/machine_map.hpp"

namespace halocline {

/// A last-level cache.
struct LastLevelCache {
    std::int64_t bytes = 0;  ///< its size
    CpuList cpus;            ///< the hardware threads that share it
};

/// The caches of this machine, as the kernel lists them below `folder`. Empty where it lists none.
/// Reads some files a cache, so that it costs less than hwloc's map of the whole machine.
[[nodiscard]] std::vector<LastLevelCache> read_last_level_caches(
    const std::string& folder = "/sys/devices/system/cpu");

/// Bytes of last-level cache that one rank can fill while all ranks of its host work: the caches that
/// its `threads` reach from `cpus`, divided by the ranks that share them when ranks spread evenly.
/// Where no cache is known, 32 MiB.
[[nodiscard]] std::int64_t cache_share_bytes(const std::vector<LastLevelCache>& caches,
                                             const CpuList& cpus, int threads, int ranks_on_host);

}  // namespace halocline
