// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Sections of a case file that every solver has, read into the options of a run.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "case_section.hpp"
#include "command_line.hpp"
#include "halocline/core/communicator.hpp"
#include "halocline/run/options.hpp"
#include "halocline/run/solver.hpp"

namespace halocline::solve {

/// Reads what a solver has beside the keys of all; keys that it has not, it refuses.
using ReadMore = std::function<void(CaseSection&)>;

/// Keys of [solver] that all solvers have.
[[nodiscard]] run::MeshCheck read_mesh_check(CaseSection& solver);
[[nodiscard]] std::optional<bool> read_triad(CaseSection& solver);

/// For solvers without keys of their own in [output].
void refuse_results_of_mgcfd(CaseSection& output);

/// Reads all but [solver], which was read before. `read_more` reads the rest of [output]. Makes the
/// folder of the results, but for a dry run. Collective.
void read_shared_sections(const Communicator& comm, const CommandLine& command, CaseSection& root,
                          const run::Case& solver_case, const ReadMore& read_more,
                          run::Options& options);

/// Lets the flags of the command line change `options`, then runs the case, or says what a run would
/// be; `work` is how much, as in "25 cycles". Collective.
/// @returns the exit code
int run_or_show(const Communicator& comm, const CommandLine& command, const std::string& work,
                run::Case& solver_case, run::Options& options);

}  // namespace halocline::solve
