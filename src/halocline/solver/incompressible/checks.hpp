// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a run cannot do, in sentences. Apart from the loops: nvcc does not read the format library.
#pragma once

#include <functional>
#include <string>

#include "halocline/core/communicator.hpp"
#include "halocline/solver/incompressible/geometry.hpp"
#include "halocline/solver/incompressible/options.hpp"

namespace halocline::incompressible {

/// Where a run is.
struct Moment {
    int step;
    double time;
    double dt;
};

/// Throws UsageError for numbers that are out of range and for words that are unknown.
void validate_options(const Options& options);

/// Throws InputError where more flows into a closed box than out of it: `net` out of it, `gross` through
/// its boundaries in all.
void require_balance(double net, double gross, double time);

/// Throws run::DivergenceError with the first node for which `is_bad(local index)` holds. Collective.
[[noreturn]] void throw_divergence(const Communicator& comm, const SetPart& nodes,
                                   const std::function<Place(LocalIndex)>& place,
                                   const std::function<bool(LocalIndex)>& is_bad, Moment moment);

/// Throws run::DivergenceError: pressure was not found; `reason` is the solver's sentence.
[[noreturn]] void throw_unsolved(const std::string& reason, Moment moment);

/// Throws run::DivergenceError where a step of fixed length has a Courant number above `limit`.
void require_courant(double courant, double limit, Moment moment);

}  // namespace halocline::incompressible
