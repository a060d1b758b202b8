// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Fills the run record from what the run's parts know.
#pragma once

#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/io/mesh_reader.hpp"
#include "halocline/io/run_record.hpp"
#include "halocline/run/machine.hpp"
#include "halocline/run/options.hpp"
#include "halocline/run/solver.hpp"

namespace halocline::run {

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

/// l2 norm (root mean square), smallest and largest value of each component of each level's state, the same
/// bits for every layout. Collective.
[[nodiscard]] std::vector<record::Norms> collect_norms(const Communicator& comm,
                                                       const Solver& solver);

}  // namespace halocline::run
