// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Lengths are chosen from numbers that are the same on all ranks, so they have the same bits there.
#include "halocline/solver/incompressible/time_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace halocline::incompressible {

namespace {

/// Larger ratios of neighbouring steps make backward differences unstable (above 1 + sqrt 2).
constexpr double most_growth = 1.1;

/// Steps stay as they are until they may be longer by this part: a flow that comes to rest keeps one.
constexpr double least_growth = 1.05;

/// Of the whole time, the first step of a fluid at rest: what sets it in motion is not known yet.
constexpr double first_part = 1e-4;

/// So many steps before the end they become alike, so that the last one is no shorter than the others and
/// lengths change by a hundredth at most: the steady flow of a mesh depends a little on them, and ∂u/∂t jumps.
constexpr double last_steps = 100.0;

constexpr double slack = 1e-9;  // a step more for a rest of round-off would be none

}  // namespace

Values<double, factor_count> backward_difference(const StepLengths& steps, double third) {
    Values<double, factor_count> f{};
    const auto [h1, h2, h3] = steps;
    const double ratio = h2 > 0.0 ? h1 / h2 : 0.0;
    const double first = h2 > 0.0 ? (1.0 + 2.0 * ratio) / (1.0 + ratio) : 1.0;
    f[tau] = h1 / first;
    f[of_now] = h2 > 0.0 ? (1.0 + ratio) / first : 1.0;
    f[of_before] = h2 > 0.0 ? -ratio * ratio / (1.0 + ratio) / first : 0.0;
    f[ext_now] = 1.0 + ratio;
    f[ext_before] = -ratio;
    // The parabola less the line: a second difference, zero of lines.
    const double share = h2 > 0.0 && h3 > 0.0 ? third * h1 * (h1 + h2) / (h2 + h3) : 0.0;
    const double newer = share > 0.0 ? share / h2 : 0.0;
    const double older = share > 0.0 ? share / h3 : 0.0;
    f[conv_now] = f[ext_now] + newer;
    f[conv_before] = f[ext_before] - newer - older;
    f[conv_older] = older;
    return f;
}

StepLength::StepLength(double end_time, double courant, double fixed)
    : end_time_(end_time), courant_(courant), fixed_(fixed) {
    if (fixed_ > 0.0) {
        fixed_ = end_time / std::max(1.0, std::ceil(end_time / fixed - slack));
    }
}

double StepLength::next(double time, double last_dt, double rate) const {
    const double rest = end_time_ - time;
    if (fixed_ > 0.0) {
        return std::min(fixed_, rest);
    }
    double dt = rate > 0.0 ? courant_ / rate : first_part * end_time_;
    if (last_dt > 0.0) {
        dt = dt > last_dt && dt < least_growth * last_dt ? last_dt
                                                         : std::min(dt, most_growth * last_dt);
    }
    const double steps = std::ceil(rest / dt - slack);
    return steps <= last_steps ? rest / std::max(1.0, steps) : dt;
}

int StepLength::left(double time, double dt) const {
    const double steps = std::ceil((end_time_ - time) / dt - slack);
    return static_cast<int>(std::clamp(steps, 0.0, double{std::numeric_limits<int>::max() / 2}));
}

}  // namespace halocline::incompressible
