// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// How long steps are, and the factors of a backward difference between steps of different length.
#pragma once

#include "halocline/core/values.hpp"
#include "halocline/solver/incompressible/step_factors.hpp"

namespace halocline::incompressible {

/// A step and the two before it; 0 where there was none.
struct StepLengths {
    double next = 0.0;
    double last = 0.0;
    double before = 0.0;
};

/// Backward difference and extrapolations, section 2, of second order after one step, of first order before:
/// tau = dt / a0, shares -a1/a0 and -a2/a0. Convection is extrapolated by a line and, after two steps, by a
/// share `third` of the parabola instead.
[[nodiscard]] Values<double, factor_count> backward_difference(const StepLengths& steps,
                                                               double third);

/// How much of the extrapolation of convection is of third order, section 2: as much as makes it stable
/// for Courant numbers up to 0.66 with any share of upwind.
[[nodiscard]] constexpr double third_order_share(double upwind) { return 0.6 * (1.0 - upwind); }

/// Chooses steps: as long as a Courant number allows, growing slowly, or all alike; the last one ends
/// where the run does.
class StepLength {
public:
    /// `fixed` 0: by Courant number.
    StepLength(double end_time, double courant, double fixed);

    /// The next step from `time`, after one of `last_dt` (0: none) in which volume passed at `rate`.
    [[nodiscard]] double next(double time, double last_dt, double rate) const;
    /// Steps that are left, if all are as long as `dt`.
    [[nodiscard]] int left(double time, double dt) const;
    /// Whether the end is reached, to round-off.
    [[nodiscard]] bool is_over(double time) const { return time >= end_time_ * (1.0 - 1e-12); }

private:
    double end_time_;
    double courant_;
    double fixed_;
};

}  // namespace halocline::incompressible
