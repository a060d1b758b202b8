// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a linear solver has to say in a run's record.
#pragma once

#include <string>

#include "halocline/io/run_record.hpp"
#include "halocline/linalg/solver.hpp"

namespace halocline::linalg {

/// Levels, iterations, rates and the time of the slowest rank; `name` says what is solved for, "pressure"
/// for example. Collective.
[[nodiscard]] record::LinearSolver describe(const Communicator& comm, const std::string& name,
                                            const Solver& solver);

}  // namespace halocline::linalg
