// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A case for the incompressible solver.
#pragma once

#include "case_section.hpp"
#include "command_line.hpp"
#include "halocline/core/communicator.hpp"

namespace halocline::solve {

/// Reads all sections, lets the flags of the command line change what they say, runs. Collective.
/// @returns the exit code
int run_incompressible(const Communicator& comm, const CommandLine& command, CaseSection& root);

}  // namespace halocline::solve
