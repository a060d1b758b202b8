// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The section [solver] of a case for the incompressible solver.
#include "incompressible_case.hpp"

#include <fmt/core.h>

#include "halocline/solver/incompressible/case.hpp"
#include "sections.hpp"

namespace halocline::solve {

namespace {

using incompressible::BoundaryCondition;
using incompressible::FlowExpressions;
using incompressible::Options;

FlowExpressions read_flow(CaseSection section) {
    FlowExpressions flow{section.formula_vector("velocity"), section.formula("pressure")};
    section.expect_no_more();
    return flow;
}

/// A key that only some kinds of boundary have; others may say its default.
void require_kind(const CaseSection& section, const char* key, bool is_default,
                  const std::string& kind, std::string_view kinds) {
    if (!is_default && kinds.find(kind) == std::string_view::npos) {
        section.fail(key, fmt::format("has no meaning for kind = \"{}\" (only {} have it). Leave "
                                      "it out.",
                                      kind, kinds));
    }
}

BoundaryCondition read_boundary(CaseSection& section) {
    BoundaryCondition condition;
    condition.group = section.own_name();
    condition.kind = section.choice("kind");
    condition.velocity = section.formula_vector("velocity");
    condition.pressure = section.formula("pressure");
    condition.corners = section.flag("corners");
    if (section.has("scalar")) {
        condition.scalar = section.formula("scalar");
    }
    section.skip({"scalar"});
    const BoundaryCondition silent;
    const std::string& kind = condition.kind;
    require_kind(section, "velocity", condition.velocity == silent.velocity, kind,
                 "inlet and wall");
    require_kind(section, "corners", !condition.corners, kind, "inlet and wall");
    require_kind(section, "pressure", condition.pressure == silent.pressure, kind, "outlet");
    section.expect_no_more();
    return condition;
}

incompressible::ScalarOptions read_scalar(CaseSection section) {
    incompressible::ScalarOptions scalar{section.number("diffusivity"), section.formula("initial")};
    section.expect_no_more();
    return scalar;
}

void read_pressure(CaseSection section, Options& options) {
    linalg::SolverOptions& pressure = options.pressure;
    pressure.method = section.choice("method");
    pressure.preconditioner = section.choice("preconditioner");
    pressure.smoother = section.choice("smoother");
    pressure.sweeps = section.count("sweeps");
    pressure.damping = section.number("damping");
    pressure.degree = section.count("degree");
    pressure.k_levels = section.automatic_count("k_levels", 0);
    pressure.k_nodes = section.count("k_nodes");
    options.hierarchy_storage = section.choice("storage");
    options.most_replicated = section.automatic_count("most_replicated");
    pressure.tolerance = section.number("tolerance");
    pressure.absolute_tolerance = section.number("absolute_tolerance");
    pressure.most_iterations = section.count("most_iterations");
    section.expect_no_more();
}

void read_time(CaseSection& solver, Options& options) {
    options.scheme = solver.choice("scheme");
    options.end_time = solver.number("end_time");
    options.courant = solver.number("courant");
    options.time_step = solver.number("time_step");
    options.steps = solver.automatic_count("steps").value_or(0);
    options.steady = solver.flag("steady");
    options.steady_tolerance = solver.number("steady_tolerance");
}

void read_flows(CaseSection& solver, Options& options) {
    options.initial = read_flow(solver.section("initial"));
    for (CaseSection& boundary : solver.sections("boundaries")) {
        options.boundaries.push_back(read_boundary(boundary));
    }
    if (solver.has("exact")) {
        options.exact = read_flow(solver.section("exact"));
    }
    if (solver.has("scalar")) {
        options.scalar = read_scalar(solver.section("scalar"));
    }
    solver.skip({"exact", "scalar"});
}

void read_solver(CaseSection& root, Options& options) {
    CaseSection solver = root.section("solver");
    solver.skip({"name"});
    options.viscosity = solver.number("viscosity");
    options.upwind = solver.number("upwind");
    options.body_force = solver.vector("body_force");
    read_time(solver, options);
    read_flows(solver, options);
    read_pressure(solver.section("pressure"), options);
    options.mesh_check = read_mesh_check(solver);
    options.measure_triad = read_triad(solver);
    solver.expect_no_more();
}

}  // namespace

int run_incompressible(const Communicator& comm, const CommandLine& command, CaseSection& root) {
    Options options;
    read_solver(root, options);
    incompressible::Case solver_case(options);
    read_shared_sections(comm, command, root, solver_case, refuse_results_of_mgcfd, options);
    return run_or_show(comm, command,
                       fmt::format("{}to time {}", options.steady ? "until steady, at most " : "",
                                   options.end_time),
                       solver_case, options);
}

}  // namespace halocline::solve
