// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a run of the advection-diffusion solver is asked for beside the options of every run.
#pragma once

#include <array>
#include <string>

#include "halocline/run/options.hpp"

namespace halocline::advection_diffusion {

/// Lengths and times are in units of the mesh and of the velocity.
struct Options : run::Options {
    std::array<double, 3> velocity{1.0, 0.5, 0.25};
    double diffusivity = 0.0;
    std::string flux = "upwind";   ///< of fluxes.hpp
    std::string limiter = "none";  ///< of limiters.hpp, or none

    std::string problem = "wave";                     ///< of problems.hpp
    std::array<double, 3> waves_per_length{1, 1, 1};  ///< of the wave, in x, y, z
    std::array<double, 3> centre{0.5, 0.5, 0.5};      ///< of the pulse at the start
    double width = 0.1;                               ///< of the pulse at the start

    double end_time = 0.25;
    double cfl = 0.8;  ///< time step over the stable one, of an estimate

    Options() { steps = 0; }  ///< as few as `cfl` allows
};

}  // namespace halocline::advection_diffusion
