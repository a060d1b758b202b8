// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One run of any solver: read, divide, step, write, record.
#pragma once

#include "halocline/run/console.hpp"
#include "halocline/run/options.hpp"
#include "halocline/run/solver.hpp"

namespace halocline::run {

/// Runs a solver's case. Throws on every rank; a record is written whenever the mesh was read. Collective.
/// @returns 0, or the exit code of a validation that failed or of a run that was stopped
int run_case(const Communicator& comm, const Options& options, Case& solver_case, Console& console);

}  // namespace halocline::run
