// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Numbers of a case, and steps that went wrong.
#include "halocline/solver/incompressible/checks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "halocline/core/error.hpp"
#include "halocline/core/nearest.hpp"
#include "halocline/mesh/first_element.hpp"
#include "halocline/run/divergence.hpp"

namespace halocline::incompressible {

namespace {

void require(bool holds, std::string_view key, double value, std::string_view range,
             std::string_view cure) {
    validate<InputError>(
        holds, fmt::format("solver.{} is {} (it has to be {}). {}", key, value, range, cure));
}

}  // namespace

void validate_options(const Options& options) {
    require(options.viscosity >= 0.0, "viscosity", options.viscosity, "0 or more",
            "Give the kinematic viscosity.");
    require(options.end_time > 0.0, "end_time", options.end_time, "above 0",
            "Give the time at which the run ends.");
    require(options.courant > 0.0 && options.courant <= 1.0, "courant", options.courant,
            "above 0, at most 1", "0.5 is safe.");
    require(options.time_step >= 0.0, "time_step", options.time_step, "above 0",
            "Leave it out to have it chosen by solver.courant.");
    require(options.upwind >= 0.0 && options.upwind <= 1.0, "upwind", options.upwind, "0 to 1",
            "0 is central, 1 is upwind.");
    constexpr std::array<std::string_view, 2> schemes{"bdf2", "rk3"};
    validate<InputError>(std::find(schemes.begin(), schemes.end(), options.scheme) != schemes.end(),
                         fmt::format("solver.scheme is '{}'. {}", options.scheme,
                                     suggest_name(options.scheme, schemes)));
    constexpr std::array<std::string_view, 4> kinds{"wall", "inlet", "outlet", "slip"};
    for (const BoundaryCondition& condition : options.boundaries) {
        validate<InputError>(
            std::find(kinds.begin(), kinds.end(), condition.kind) != kinds.end(),
            fmt::format("solver.boundaries.\"{}\".kind is '{}'. {}", condition.group,
                        condition.kind, suggest_name(condition.kind, kinds)));
        validate<InputError>(
            condition.kind != "wall" || options.viscosity > 0.0,
            fmt::format(
                "solver.viscosity is 0, and solver.boundaries.\"{}\" is a wall (which holds "
                "a fluid by its viscosity). Give a viscosity, or kind = \"slip\".",
                condition.group));
    }
    linalg::validate_options(options.pressure);
}

void require_balance(double net, double gross, double time) {
    constexpr double largest_part = 0.01;  // more is no error of quadrature
    validate<InputError>(
        std::fabs(net) <= largest_part * gross,
        fmt::format(
            "at time {:.6g} a volume of {:.6g} flows {} the mesh through its boundaries in a "
            "unit of time, {:.2g} of all that passes (there is no outlet, so as much has to "
            "flow in as out). Add an outlet, or correct the velocities of inlets and walls.",
            time, std::fabs(net), net < 0.0 ? "into" : "out of", std::fabs(net) / gross));
}

void throw_divergence(const Communicator& comm, const SetPart& nodes,
                      const std::function<Place(LocalIndex)>& place,
                      const std::function<bool(LocalIndex)>& is_bad, Moment moment) {
    const FirstElement first = find_first(comm, nodes, is_bad);
    Place x = first.local >= 0 ? place(first.local) : Place{};
    for (double& component : x) {
        component = comm.sum(component);
    }
    run::DivergenceError error(
        ExitCode::run_failed,
        fmt::format(
            "step {} (time {:.6g}, step length {:.3g}): the velocity is not finite any more, "
            "first at node {} (counted from 0) at ({}, {}, {}) (the run diverged). Lower "
            "solver.courant or solver.time_step, or raise solver.upwind.",
            moment.step, moment.time, moment.dt, first.global, x[0], x[1], x[2]));
    error.step = moment.step;
    error.loop = "correct";
    error.node = first.global;
    std::copy(x.begin(), x.end(), error.coordinates);
    throw error;
}

void throw_unsolved(const std::string& reason, Moment moment) {
    run::DivergenceError error(
        ExitCode::run_failed,
        fmt::format("step {} (time {:.6g}): the pressure equation is not solved: {}", moment.step,
                    moment.time, reason));
    error.step = moment.step;
    error.loop = "operator";
    throw error;
}

void require_courant(double courant, double limit, Moment moment) {
    if (courant <= limit * (1.0 + 1e-6)) {
        return;
    }
    run::DivergenceError error(
        ExitCode::run_failed,
        fmt::format(
            "step {} (time {:.6g}): the Courant number is {:.3g}, above solver.courant = {} "
            "(steps of fixed length {:.3g} are too long for this flow). Give solver.time_step "
            "= {:.2g} or less, or leave it out.",
            moment.step, moment.time, courant, limit, moment.dt,
            0.9 * moment.dt * limit / courant));
    error.step = moment.step;
    error.loop = "predict";
    throw error;
}

}  // namespace halocline::incompressible
