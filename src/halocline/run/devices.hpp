// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Devices as the command line asks for them, and their part of the record.
#pragma once

#include <string>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/io/run_record.hpp"
#include "halocline/run/options.hpp"
#include "halocline/run/solver.hpp"
#include "halocline/runtime/rank_device.hpp"

namespace halocline::run {

/// Whether anything is to be written while steps are made.
[[nodiscard]] bool writes_in_loop(const Options& options);

/// What --backend, --device and the flags beside them ask for.
[[nodiscard]] DeviceRequest device_request(const Options& options);
/// What to ask of `place_process` before MPI starts: a GPU for a rank that will take one.
[[nodiscard]] AffinityRequest affinity_request_of(const Options& options);

/// Names the back ends and devices of all ranks. Returns sentences for the user. Collective.
[[nodiscard]] std::vector<std::string> describe_devices(const Communicator& comm,
                                                        const RankDevice& rank, RunRecord& record);

/// Brings measured kernel times into the loop table, and says what the devices did in the steps.
/// Collective.
void finish_devices(const Communicator& comm, Context& context, const Solver& solver,
                    const TransferCounts& before, RunRecord& record);

}  // namespace halocline::run
