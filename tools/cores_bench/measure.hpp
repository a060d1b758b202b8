// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Runs work on some cores of this host at once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "halocline/machine/machine_map.hpp"
#include "kernels.hpp"
#include "options.hpp"

namespace halocline::cores {

/// What one number of busy cores did of one kind of work.
struct Row {
    int cores = 1;
    Kind kind = Kind::multiply_add;
    std::int64_t set_bytes = 0;  ///< memory that a core works on; 0 of computing
    /// A second of a core, of the repetition in which cores were fastest: harmonic mean of cores, since
    /// seconds add up.
    double rate = 0.0;
    double slowest_rate = 0.0;    ///< of the slowest core of that repetition
    std::vector<double> repeats;  ///< rate of each repetition
};

/// What was measured where.
struct Report {
    std::string started;
    std::string host;
    std::string cpu;
    int cores = 1;                    ///< of this host that this process may use
    std::int64_t cache_bytes = 0;     ///< last-level caches of these cores together
    std::vector<std::string> places;  ///< hardware threads that each core has, in the order of use
    std::vector<Row> rows;
    Options options;
};

/// Sizes of the memory that a core works on, ascending; the last is four times its share of the last-level
/// caches, so that it comes from main memory.
[[nodiscard]] std::vector<std::int64_t> set_sizes(std::int64_t cache_share_bytes);

/// Cores in the order in which launchers bind ranks to them: memory node by memory node.
[[nodiscard]] std::vector<CpuList> cores_in_order(const MachineMap& machine,
                                                  const CpuList& allowed);

/// Throws UsageError where more cores are asked for than there are, EnvironmentError without memory.
[[nodiscard]] Report measure(const Options& options);

}  // namespace halocline::cores
