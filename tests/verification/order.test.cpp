// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Observed order of the flux residual on a smooth manufactured state.
//
// The mean of two ends' fluxes is a central difference: on an even box its error is O(h^2). The
// smoothing term s/2 |w| (lambda_a + lambda_b)(q_b - q_a) adds s h lambda q''/2: first order, small
// because s = 0.2. So MG-CFD's residual is consistent of order one and its mean part of order two.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "verification/flux_problem.hpp"

namespace halocline::test {

namespace {

using Point = std::array<double, 3>;

/// Smooth, subsonic, all variables vary in all directions.
State smooth_state(const Point& x) {
    const double turn = std::numbers::pi;
    const double rho = 1.0 + 0.2 * std::sin(turn * x[0]) * std::cos(turn * x[1]) + 0.1 * x[2];
    const double u = 0.3 + 0.1 * std::cos(turn * (x[0] + x[2]));
    const double v = 0.2 * std::sin(turn * x[1]) * x[2];
    const double w = 0.1 + 0.1 * std::sin(turn * x[0] * x[2]);
    const double p = 1.0 + 0.1 * std::cos(turn * x[1]) * std::sin(turn * x[2]);
    return {rho, rho * u, rho * v, rho * w,
            p / euler::gamma_minus_one + 0.5 * rho * (u * u + v * v + w * w)};
}

State flux_along(const Point& x, int axis) {
    const State q = smooth_state(x);
    Values<double, 3> extra;
    euler::GasState{}(q, extra);
    const Values<double, 8> full{q[0], q[1], q[2], q[3], q[4], extra[0], extra[1], extra[2]};
    return euler::flux_through<double>(full, axis == 0, axis == 1, axis == 2);
}

/// div F by central differences of order six with step 0.01: error about 1e-11, far below the scheme's.
State divergence(const Point& x) {
    constexpr double step = 0.01;
    constexpr double factors[] = {3.0 / 4.0, -3.0 / 20.0, 1.0 / 60.0};
    State result{};
    for (int axis = 0; axis < 3; ++axis) {
        for (int k = 1; k <= 3; ++k) {
            Point after = x;
            Point before = x;
            after[static_cast<std::size_t>(axis)] += k * step;
            before[static_cast<std::size_t>(axis)] -= k * step;
            const State high = flux_along(after, axis);
            const State low = flux_along(before, axis);
            for (int d = 0; d < 5; ++d) {
                result[d] += factors[k - 1] * (high[d] - low[d]) / step;
            }
        }
    }
    return result;
}

/// Root mean square of sum / V + div F over inside nodes and variables.
template <class EdgeKernel>
double error_on(int nodes, Backend backend) {
    const BoxMesh box({nodes, 0.0, 4, 1.0});
    const auto sums = flux_sums<EdgeKernel>(
        box, backend, false, [&](GlobalIndex id) { return smooth_state(box.position(id)); });
    double squares = 0.0;
    double count = 0.0;
    for (GlobalIndex id = 0; id < box.size(); ++id) {
        if (box.is_inside(id)) {
            const State exact = divergence(box.position(id));
            for (int d = 0; d < 5; ++d) {
                const double error =
                    sums[static_cast<std::size_t>(id)][d] / box.volume(id) + exact[d];
                squares += error * error;
                count += 1.0;
            }
        }
    }
    return std::sqrt(squares / count);
}

/// Order between boxes of 16 and 32 intervals.
template <class EdgeKernel>
double observed_order(Backend backend) {
    return std::log2(error_on<EdgeKernel>(17, backend) / error_on<EdgeKernel>(33, backend));
}

TEST(Order, OfTheMeanFluxIsTwo) {
    EXPECT_NEAR(observed_order<MeanFlux>(Backend::openmp), 2.0, 0.1);
    EXPECT_NEAR(observed_order<MeanFlux>(Backend::serial), 2.0, 0.1);
}

TEST(Order, OfTheSmoothedFluxIsOne) {
    EXPECT_NEAR(observed_order<mgcfd::EdgeFlux>(Backend::openmp), 1.0, 0.1);
    EXPECT_NEAR(observed_order<mgcfd::EdgeFlux>(Backend::serial), 1.0, 0.1);
}

/// The errors themselves: consistency means they are small, not only that they fall.
TEST(Order, ErrorsAreSmall) {
    EXPECT_LT(error_on<MeanFlux>(33, Backend::openmp), 0.02);
    EXPECT_LT(error_on<mgcfd::EdgeFlux>(33, Backend::openmp), 0.2);
}

}  // namespace

}  // namespace halocline::test
