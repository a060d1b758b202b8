// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a run of MG-CFD's solver is asked for beside the options of every run.
#pragma once

#include "halocline/run/options.hpp"

namespace halocline::mgcfd {

struct Options : run::Options {
    bool legacy_mode = false;  ///< volumes and weights as the files have them
    bool output_fluxes = false;
    bool output_step_factors = false;
};

}  // namespace halocline::mgcfd
