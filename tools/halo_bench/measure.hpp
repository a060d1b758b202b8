// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One mesh, one number of fields, all schemes: proven, then timed in turns.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "costs.hpp"
#include "halocline/core/communicator.hpp"
#include "halocline/memory/device.hpp"

namespace halocline::halo_bench {

/// What schemes need of this rank; `device` is null where only `host` is measured.
struct Bench {
    const Communicator& comm;
    Device* device;
    Stream* compute;
    Capability mpi_takes_device_pointers;
    Capability peer_access;
    int repetitions;
};

/// Of the repetitions of one exchange; the slowest rank counts in each.
struct Spread {
    double min_s = 0.0;
    double lower_s = 0.0;  ///< quartile
    double median_s = 0.0;
    double upper_s = 0.0;  ///< quartile
    double max_s = 0.0;
};
[[nodiscard]] Spread spread_of(std::vector<double> seconds);

/// Equal on all ranks. Counts are those of the rank that has most.
struct Row {
    std::string scheme;
    int fields = 1;
    Cost cost;
    std::int64_t checked_values = 0;  ///< all ranks
    Spread time;
};

/// Throws RunError when a value is wrong, Error of code `comparison_differs` when a ledger is not as
/// the formulae say, each naming the first such rank. Collective.
[[nodiscard]] std::vector<Row> measure(const Bench& bench, const SetPart& vertices, int fields,
                                       const std::vector<std::string>& schemes);

}  // namespace halocline::halo_bench
