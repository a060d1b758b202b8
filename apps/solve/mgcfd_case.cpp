// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The section [solver] of a case for MG-CFD's solver.
#include "mgcfd_case.hpp"

#include <fmt/core.h>

#include "halocline/solver/mgcfd/case.hpp"
#include "sections.hpp"

namespace halocline::solve {

namespace {

void read_solver(CaseSection& root, mgcfd::Options& options) {
    CaseSection solver = root.section("solver");
    solver.skip({"name"});
    options.steps = solver.count("cycles");
    options.legacy_mode = solver.flag("legacy_mode");
    options.validate_result = solver.flag("validate_result");
    options.measure_memory_bound = solver.flag("measure_mem_bound");
    options.mesh_check = read_mesh_check(solver);
    options.measure_triad = read_triad(solver);
    solver.expect_no_more();
}

}  // namespace

int run_mgcfd(const Communicator& comm, const CommandLine& command, CaseSection& root) {
    mgcfd::Options options;
    read_solver(root, options);
    mgcfd::Case solver_case(options);
    const auto read_output = [&](CaseSection& output) {
        options.output_fluxes = output.flag("fluxes");
        options.output_step_factors = output.flag("step_factors");
    };
    read_shared_sections(comm, command, root, solver_case, read_output, options);
    return run_or_show(comm, command,
                       fmt::format("{} cycle{}", options.steps, options.steps == 1 ? "" : "s"),
                       solver_case, options);
}

}  // namespace halocline::solve
