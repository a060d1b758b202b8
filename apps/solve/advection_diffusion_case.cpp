// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The section [solver] of a case for the advection-diffusion solver.
#include "advection_diffusion_case.hpp"

#include <fmt/core.h>

#include "halocline/solver/advection_diffusion/case.hpp"
#include "sections.hpp"

namespace halocline::solve {

namespace {

using advection_diffusion::Options;

void read_solver(CaseSection& root, Options& options) {
    CaseSection solver = root.section("solver");
    solver.skip({"name"});
    options.velocity = solver.vector("velocity");
    options.diffusivity = solver.number("diffusivity");
    options.flux = solver.choice("flux");
    options.limiter = solver.choice("limiter");
    options.problem = solver.choice("problem");
    options.waves_per_length = solver.vector("waves_per_length");
    options.centre = solver.vector("centre");
    options.width = solver.number("width");
    options.end_time = solver.number("end_time");
    options.cfl = solver.number("cfl");
    options.steps = solver.automatic_count("steps").value_or(0);
    options.mesh_check = read_mesh_check(solver);
    options.measure_triad = read_triad(solver);
    solver.expect_no_more();
}

}  // namespace

int run_advection_diffusion(const Communicator& comm, const CommandLine& command,
                            CaseSection& root) {
    Options options;
    read_solver(root, options);
    advection_diffusion::Case solver_case(options);
    read_shared_sections(comm, command, root, solver_case, refuse_results_of_mgcfd, options);
    return run_or_show(comm, command, fmt::format("to time {}", options.end_time), solver_case,
                       options);
}

}  // namespace halocline::solve
