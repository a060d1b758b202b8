// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// How long steps are, and the factors of a backward difference between steps of different length.
#pragma once

#include "halocline/core/values.hpp"
#include "halocline/solver/incompressible/step_factors.hpp"

namespace halocline::incompressible {

/// Backward difference and extrapolation of second order for steps `dt` after `last_dt`; of first order
/// where `last_dt` is 0. tau = dt / a0, shares -a1/a0 and -a2/a0.
[[nodiscard]] inline Values<double, factor_count> backward_difference(double dt, double last_dt) {
    Values<double, factor_count> f{};
    const double ratio = last_dt > 0.0 ? dt / last_dt : 0.0;
    const double first = last_dt > 0.0 ? (1.0 + 2.0 * ratio) / (1.0 + ratio) : 1.0;
    f[tau] = dt / first;
    f[of_now] = last_dt > 0.0 ? (1.0 + ratio) / first : 1.0;
    f[of_before] = last_dt > 0.0 ? -ratio * ratio / (1.0 + ratio) / first : 0.0;
    f[ext_now] = 1.0 + ratio;
    f[ext_before] = -ratio;
    return f;
}

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
