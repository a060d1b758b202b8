// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// `-v`: compares the final state with a stored solution by MG-CFD's rule.
#pragma once

#include <vector>

#include "halocline/io/run_record.hpp"
#include "halocline/mesh/mesh.hpp"
#include "halocline/run/console.hpp"
#include "halocline/solver/mgcfd/level.hpp"
#include "halocline/solver/mgcfd/options.hpp"

namespace halocline::mgcfd {

/// Throws InputError when a level's solution is missing. Collective.
void require_solutions(const Communicator& comm, const Options& options, int levels);

/// A value is bad when it differs by more than 1e-7 of the reference (3e-19 absolute); a level fails
/// with more than N / 5000 bad values. The reference is `solution.variables.L<l>.cycles=<n>.h5`
/// beside the input. Collective.
[[nodiscard]] record::Validation validate_result(const Communicator& comm, const Options& options,
                                                 const Mesh& mesh, std::vector<Level>& levels,
                                                 const run::Console& console);

}  // namespace halocline::mgcfd
