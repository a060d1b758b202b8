// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Solvers that a case can name; a new one is one line in solvers.cpp.
#pragma once

#include <span>
#include <string_view>

#include "case_section.hpp"
#include "command_line.hpp"
#include "halocline/core/communicator.hpp"

namespace halocline::solve {

struct Solver {
    std::string_view name;  ///< solver.name of the case
    std::string_view summary;
    /// Reads the case's sections and runs. Collective.
    int (*run)(const Communicator& comm, const CommandLine& command, CaseSection& root);
};

[[nodiscard]] std::span<const Solver> solvers();

/// The solver that the case names. Throws InputError with the nearest known name.
[[nodiscard]] const Solver& solver_of(CaseSection& root);

}  // namespace halocline::solve
