// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// From mesh files to a solver that is ready for its first cycle.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/io/mesh_reader.hpp"
#include "halocline/io/run_record.hpp"
#include "halocline/mesh/mesh.hpp"
#include "halocline/run/console.hpp"
#include "halocline/run/devices.hpp"
#include "halocline/run/options.hpp"
#include "halocline/run/probes.hpp"
#include "halocline/run/solver.hpp"

namespace halocline::run {

/// A divided mesh with all that runs on it.
struct Assembly {
    std::unique_ptr<HaloExchange> halo;
    std::unique_ptr<Context> context;
    std::unique_ptr<Mesh> mesh;
    std::unique_ptr<Solver> solver;
    std::vector<Probe> probes;  ///< of the options' points
};

/// What the parts of a set-up get, and where they note what they did.
struct SetupWork {
    const Communicator& comm;
    const Options& options;
    Case& solver_case;
    const RankDevice& rank;
    int threads;
    std::string halo_scheme;
    StrategyOptions strategies;
    RunRecord& record;
    Console& console;
};

/// Reads the input file and its levels. Collective.
[[nodiscard]] LoadedMesh load_mesh(const Communicator& comm, const Options& options,
                                   const Case& solver_case, record::Setup& setup);

/// Divides the mesh and puts a solver on it. Ranks on cores and on devices get shares by their speed,
/// measured in a few cycles whose states are thrown away: the run has the same bits however its mesh
/// is divided. Collective.
[[nodiscard]] Assembly assemble(const SetupWork& work, LoadedMesh loaded);

}  // namespace halocline::run
