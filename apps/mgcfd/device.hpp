// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The run's device: opened for the back ends that need one, and its part of the record.
#pragma once

#include <memory>

#include "halocline/backend/context.hpp"
#include "halocline/io/run_record.hpp"
#include "halocline/solver/mgcfd/solver.hpp"
#include "options.hpp"

namespace halocline::mgcfd {

/// What to ask of `place_process` before MPI starts: a GPU where the back end uses one.
[[nodiscard]] AffinityRequest affinity_request(const Options& options);

/// The device that `backend` works on; null for back ends of the host. The GPU is that of
/// `options.affinity`. Throws EnvironmentError on every rank when there is none. Collective.
[[nodiscard]] std::unique_ptr<Device> open_device(const Communicator& comm, Backend backend,
                                                  const Options& options);

/// Names the devices of all ranks. Collective.
void describe_devices(const Communicator& comm, const Device& device, RunRecord& record);

/// Brings measured kernel times into the loop table, and says what the device did in the cycles.
void finish_device(Context& context, const Solver& solver, const TransferCounts& before,
                   RunRecord& record);

}  // namespace halocline::mgcfd
