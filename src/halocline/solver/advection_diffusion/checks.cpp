// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Time steps that are too long, and what comes of them.
#include "halocline/solver/advection_diffusion/checks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "halocline/core/error.hpp"
#include "halocline/mesh/first_element.hpp"
#include "halocline/run/divergence.hpp"

namespace halocline::advection_diffusion {

int count_steps(const Options& options, double rate) {
    constexpr double most = 1e9;
    const double needed = std::ceil(options.end_time * rate / options.cfl);
    validate<InputError>(needed < most,
                         fmt::format("solver.end_time = {} takes {:.2g} time steps (the mesh "
                                     "allows steps of {:.2g}). Choose an earlier end.",
                                     options.end_time, needed, options.cfl / rate));
    const int fewest = std::max(1, static_cast<int>(needed));
    validate<InputError>(
        options.steps == 0 || options.steps >= fewest,
        fmt::format("{} time steps to the end at {} (solver.steps, solver.end_time) are steps of "
                    "{:.3g} (the mesh allows {:.3g} at solver.cfl = {}). Ask for {} or more, or "
                    "leave solver.steps out.",
                    options.steps, options.end_time, options.end_time / options.steps,
                    options.cfl / rate, options.cfl, fewest));
    return options.steps == 0 ? fewest : options.steps;
}

void throw_divergence(const Communicator& comm, const Geometry& geometry, const NodeScalar& phi,
                      Progress progress) {
    constexpr double largest_root = 1e150;  // squares of more are infinite
    const FirstElement first = find_first(comm, *geometry.nodes.part, [&](LocalIndex i) {
        return !(std::fabs(phi.store().at(i, 0)) < largest_root);
    });
    double x[3] = {};
    for (int d = 0; d < 3; ++d) {
        x[d] = comm.sum(first.local >= 0 ? geometry.coordinates.store().at(first.local, d) : 0.0);
    }
    run::DivergenceError error(
        ExitCode::run_failed,
        fmt::format("step {} of {}: phi is not finite any more, first at node {} (counted from 0) "
                    "at ({}, {}, {}) (the run diverged). Lower solver.cfl, or choose the flux "
                    "upwind.",
                    progress.step, progress.steps, first.global, x[0], x[1], x[2]));
    error.step = progress.step;
    error.loop = "advance_3";
    error.node = first.global;
    std::copy_n(x, 3, error.coordinates);
    throw error;
}

}  // namespace halocline::advection_diffusion
