// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Fills the run record from what the run's parts know.
#pragma once

#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/io/mesh_reader.hpp"
#include "halocline/io/run_record.hpp"
#include "halocline/solver/mgcfd/solver.hpp"
#include "machine.hpp"
#include "options.hpp"

namespace halocline::mgcfd {

/// Code, command, host, layout and settings: known before the mesh is read. Collective.
[[nodiscard]] RunRecord start_record(const Communicator& comm, const Options& options,
                                     Backend backend, const Threads& threads);

[[nodiscard]] record::Mesh describe_mesh(const MgcfdInput& input, const MgcfdMesh& mesh);

/// Partition quality of all levels; empty on one rank. Collective.
[[nodiscard]] std::optional<record::Partition> describe_partition(
    const Communicator& comm, const Options& options, const Distribution& distribution,
    const std::vector<MgcfdLevel>& levels);

/// How a run that threw ended.
[[nodiscard]] record::Status describe_failure(const Error& error);

/// Loop table over all ranks: mean seconds, summed elements and bytes. Collective.
[[nodiscard]] std::vector<record::Loop> collect_loops(const Communicator& comm,
                                                      const LoopTable& table);

/// l2 norm (root mean square), smallest and largest value of each variable on each level, the same
/// bits for every layout. Collective.
[[nodiscard]] std::vector<record::Norms> collect_norms(const Communicator& comm,
                                                       const std::vector<Level>& levels);

/// Time of the streaming kernel beside the flux stages; empty when it did not run.
[[nodiscard]] std::optional<record::MemoryBound> collect_memory_bound(
    const std::vector<record::Loop>& loops, int cycles);

}  // namespace halocline::mgcfd
