// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a run cannot do, in sentences. Apart from the loops: nvcc does not read the format library.
#pragma once

#include "halocline/core/communicator.hpp"
#include "halocline/solver/advection_diffusion/geometry.hpp"

namespace halocline::advection_diffusion {

/// Time steps of a run: as few as the mesh allows, or those asked for. `rate` is `largest_rate`. Throws
/// InputError where it allows no such steps.
[[nodiscard]] int count_steps(const Options& options, double rate);

/// Where a run is.
struct Progress {
    int step;
    int steps;
};

/// Throws run::DivergenceError with the first node whose value is too large or none. Collective.
[[noreturn]] void throw_divergence(const Communicator& comm, const Geometry& geometry,
                                   const NodeScalar& phi, Progress progress);

}  // namespace halocline::advection_diffusion
