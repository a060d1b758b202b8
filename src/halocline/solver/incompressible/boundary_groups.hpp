// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Which of a case's conditions holds on which group of a mesh's boundary.
#pragma once

#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/run/solver.hpp"
#include "halocline/solver/incompressible/options.hpp"

namespace halocline::incompressible {

/// Index into `Options::boundaries` by number of the group; -1 for groups that the mesh has not.
using ConditionOfGroup = std::vector<int>;

/// Throws InputError for a condition on a group that the mesh has not, naming the nearest one, and for
/// a group of the mesh without condition. Collective.
[[nodiscard]] ConditionOfGroup assign_conditions(const Communicator& comm,
                                                 const run::LoadedMesh& loaded,
                                                 const Options& options, const std::string& file);

/// Global ids of the nodes in this rank's block of boundary entries whose pressure is given.
[[nodiscard]] std::vector<GlobalIndex> outlet_nodes(const run::LoadedMesh& loaded,
                                                    const Options& options,
                                                    const ConditionOfGroup& conditions);

/// Whether a case has any outlet: then pressure has a level of its own.
[[nodiscard]] bool has_outlet(const Options& options);

}  // namespace halocline::incompressible
