// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Kernels, time steps and sweeps of the incompressible solver against values worked out by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include "halocline/solver/incompressible/diffusion.hpp"
#include "halocline/solver/incompressible/pressure_kernels.hpp"
#include "halocline/solver/incompressible/time_step.hpp"
#include "halocline/solver/incompressible/transport_kernels.hpp"

namespace halocline::incompressible {
namespace {

using Vector = Values<double, 2>;
using Scalar = Values<double, 1>;

constexpr Vector ua{1.0, 2.0};
constexpr Vector ub{3.0, -1.0};
constexpr Vector va{0.5, 1.0};
constexpr Vector vb{1.5, 3.0};
constexpr Vector normal{2.0, 0.25};

TEST(MassFlux, IsTheMeanVelocityLessThePotentialsDifference) {
    // (0.5 + 1.5) / 2 * 2 + (1 + 3) / 2 * 0.25 - 0.1 * 4 * (7 - 2)
    const double flux = mass_flux<2>(va, vb, Scalar{2.0}, Scalar{7.0}, normal, Scalar{4.0}, 0.1);
    EXPECT_DOUBLE_EQ(flux, 0.5);
}

TEST(MassFlux, ChangesItsSignExactlyWithTheEnds) {
    const Vector v{0.1, 0.7};
    const Vector w{1.3, -0.3};
    const Vector n{0.3, 0.9};
    const Vector back{-0.3, -0.9};
    EXPECT_EQ(mass_flux<2>(v, w, Scalar{0.1}, Scalar{0.4}, n, Scalar{1.7}, 0.3),
              -mass_flux<2>(w, v, Scalar{0.4}, Scalar{0.1}, back, Scalar{1.7}, 0.3));
}

TEST(Potential, GoesOnAsItWentLast) {
    Scalar potential{5.0};
    Scalar before{4.0};
    ExtrapolatePotential{}(backward_difference({0.2, 0.1}, 0.0), potential, before);
    EXPECT_DOUBLE_EQ(potential[0], 7.0);  // twice as far as from 4 to 5
    EXPECT_DOUBLE_EQ(before[0], 5.0);
}

TEST(Transport, IsSkewSymmetricWithoutUpwind) {
    Values<double, 4> at_a{};
    Values<double, 4> at_b{};
    EdgeTransport<2>{0.0, 0.0}(ua, ub, va, vb, Scalar{2.0}, Scalar{7.0}, normal, Scalar{4.0},
                               Scalar{0.1}, at_a, at_b);
    // -mass/2 (u_b - u_a) at both ends, with a mass flux of 0.5.
    EXPECT_DOUBLE_EQ(at_a[0], -0.5);
    EXPECT_DOUBLE_EQ(at_a[1], 0.75);
    EXPECT_DOUBLE_EQ(at_b[0], -0.5);
    EXPECT_DOUBLE_EQ(at_b[1], 0.75);
    EXPECT_DOUBLE_EQ(at_a[2], 0.25);
    EXPECT_DOUBLE_EQ(at_b[2], 0.25);
    EXPECT_DOUBLE_EQ(at_a[3], 0.5);
    EXPECT_DOUBLE_EQ(at_b[3], -0.5);
}

TEST(Transport, TakesAllFromUpwindWhereAskedTo) {
    Values<double, 4> at_a{};
    Values<double, 4> at_b{};
    EdgeTransport<2>{1.0, 0.0}(ua, ub, va, vb, Scalar{2.0}, Scalar{7.0}, normal, Scalar{4.0},
                               Scalar{0.1}, at_a, at_b);
    EXPECT_EQ(at_a[0], 0.0);  // what leaves a has a's velocity
    EXPECT_DOUBLE_EQ(at_b[0], -1.0);
}

TEST(Transport, HasDiffusionWhereItIsExplicit) {
    Values<double, 4> at_a{};
    Values<double, 4> at_b{};
    EdgeTransport<2>{0.0, 0.5}(ua, ub, {}, {}, {}, {}, normal, Scalar{4.0}, Scalar{0.1}, at_a,
                               at_b);
    EXPECT_DOUBLE_EQ(at_a[0], 4.0);
    EXPECT_DOUBLE_EQ(at_b[0], -4.0);
}

TEST(Constraints, KeepWhatBoundariesLeave) {
    Vector u{3.0, 4.0};
    Constrain<2>{}(Values<double, 3>{0.5, -0.5, 0.5}, Vector{0.0, 0.0}, u);  // along (1, -1)
    EXPECT_DOUBLE_EQ(u[0], -0.5);
    EXPECT_DOUBLE_EQ(u[1], 0.5);
    Constrain<2>{}(Values<double, 3>{}, Vector{7.0, 8.0}, u);
    EXPECT_EQ(u[0], 7.0);
    EXPECT_EQ(u[1], 8.0);
}

TEST(Correction, AddsUpToTheWholePressureWhateverIsKept) {
    // u = u* - tau (G p - G p_old), by way of v = u* + (1 - kept) tau G p_old.
    for (const double share : {0.0, 0.25, 1.0}) {
        Values<double, factor_count> f{};
        f[tau] = 0.5;
        f[kept] = share;
        Vector gradient{2.0, -4.0};
        Vector v{};
        AddGradient<2>{}(gradient, f, ua, v);
        Vector u{};
        Correct<2>{}(Vector{3.0, 5.0}, Scalar{2.0}, f, v, gradient, u);
        EXPECT_DOUBLE_EQ(u[0], 1.0 - 0.5 * (6.0 - 2.0));
        EXPECT_DOUBLE_EQ(u[1], 2.0 - 0.5 * (10.0 + 4.0));
        EXPECT_EQ(gradient[0], 6.0);
        EXPECT_EQ(gradient[1], 10.0);
    }
}

TEST(BackwardDifference, HasTheUsualFactorsForEqualSteps) {
    const auto f = backward_difference({0.3, 0.3}, 0.0);
    EXPECT_DOUBLE_EQ(f[tau], 0.2);
    EXPECT_DOUBLE_EQ(f[of_now], 4.0 / 3.0);
    EXPECT_DOUBLE_EQ(f[of_before], -1.0 / 3.0);
    EXPECT_DOUBLE_EQ(f[ext_now], 2.0);
    EXPECT_DOUBLE_EQ(f[ext_before], -1.0);
    const auto first = backward_difference({0.3}, 0.0);
    EXPECT_EQ(first[tau], 0.3);
    EXPECT_EQ(first[of_now], 1.0);
    EXPECT_EQ(first[of_before], 0.0);
    EXPECT_EQ(first[ext_now], 1.0);
}

/// Largest root of the scheme for dc/dt = rate c, rate = re + i im times the step: how much a step
/// multiplies a wave by. Powers of the companion matrix find it.
double growth(std::complex<double> rate, double third) {
    const auto f = backward_difference({1.0, 1.0, 1.0}, third);
    std::array<std::complex<double>, 3> c{1.0, 0.7, 0.3};
    constexpr int steps = 4000;
    double logarithm = 0.0;
    for (int i = 0; i < steps; ++i) {
        const std::complex<double> next =
            f[of_now] * c[0] + f[of_before] * c[1] +
            f[tau] * rate * (f[conv_now] * c[0] + f[conv_before] * c[1] + f[conv_older] * c[2]);
        const double size = std::abs(next);
        logarithm += std::log(size);
        c = {next / size, c[0] / size, c[1] / size};
    }
    return std::exp(logarithm / steps);
}

TEST(Convection, IsStableUpToACourantNumberWithAnyShareOfUpwind) {
    for (const double upwind : {0.0, 0.1, 0.3, 0.5, 0.7, 1.0}) {
        for (int k = 1; k <= 16; ++k) {
            const double angle = M_PI * k / 16.0;
            const std::complex<double> wave{-upwind * (1.0 - std::cos(angle)), -std::sin(angle)};
            for (const double courant : {0.1, 0.3, 0.5, 0.65}) {
                EXPECT_LT(growth(courant * wave, third_order_share(upwind)), 1.001)
                    << "upwind " << upwind << ", angle " << angle << ", Courant " << courant;
            }
        }
    }
    EXPECT_GT(growth({0.0, -0.65}, 0.0), 1.1);  // what a line alone would do
}

TEST(BackwardDifference, ExtrapolatesConvectionByAShareOfTheParabola) {
    const auto f = backward_difference({0.3, 0.3, 0.3}, 1.0);
    EXPECT_DOUBLE_EQ(f[conv_now], 3.0);
    EXPECT_DOUBLE_EQ(f[conv_before], -3.0);
    EXPECT_DOUBLE_EQ(f[conv_older], 1.0);
    const auto half = backward_difference({0.3, 0.3, 0.3}, 0.5);
    EXPECT_DOUBLE_EQ(half[conv_now], 2.5);
    EXPECT_DOUBLE_EQ(half[conv_before], -2.0);
    EXPECT_DOUBLE_EQ(half[conv_older], 0.5);
    const auto second = backward_difference({0.3, 0.3}, 1.0);
    EXPECT_EQ(second[conv_now], 2.0);
    EXPECT_EQ(second[conv_before], -1.0);
    EXPECT_EQ(second[conv_older], 0.0);
}

TEST(BackwardDifference, ExtrapolatesParabolasOverUnequalSteps) {
    const auto f = backward_difference({0.1, 0.4, 0.3}, 1.0);
    const auto c = [](double t) { return 3.0 - 2.0 * t + 5.0 * t * t; };
    EXPECT_NEAR(f[conv_now] * c(0.7) + f[conv_before] * c(0.3) + f[conv_older] * c(0.0), c(0.8),
                1e-14);
}

TEST(BackwardDifference, IsExactForParabolasOverUnequalSteps) {
    const double last_dt = 0.4;
    const double dt = 0.1;
    const auto f = backward_difference({dt, last_dt}, 0.0);
    const auto u = [](double t) { return 3.0 - 2.0 * t + 5.0 * t * t; };
    const auto rate = [](double t) { return -2.0 + 10.0 * t; };
    const double now = 0.7;
    EXPECT_NEAR(f[of_now] * u(now) + f[of_before] * u(now - last_dt) + f[tau] * rate(now + dt),
                u(now + dt), 1e-14);
    EXPECT_NEAR(f[ext_now] * rate(now) + f[ext_before] * rate(now - last_dt), rate(now + dt),
                1e-14);
}

TEST(StepLength, FollowsTheCourantNumberAndGrowsSlowly) {
    const StepLength steps(10.0, 0.5, 0.0);
    EXPECT_DOUBLE_EQ(steps.next(0.0, 0.0, 20.0), 0.025);
    EXPECT_DOUBLE_EQ(steps.next(1.0, 0.01, 20.0), 0.011);
    EXPECT_DOUBLE_EQ(steps.next(1.0, 0.0245, 20.0), 0.0245);  // not for so little
    EXPECT_DOUBLE_EQ(steps.next(1.0, 0.1, 20.0), 0.025);
    EXPECT_DOUBLE_EQ(steps.next(0.0, 0.0, 0.0), 1e-3);  // at rest
}

TEST(StepLength, EndsWhereTheRunDoes) {
    const StepLength steps(1.0, 0.5, 0.0);
    EXPECT_NEAR(steps.next(0.97, 0.025, 20.0), 0.015, 1e-15);  // two alike, not one and a rest
    EXPECT_NEAR(steps.next(0.98, 0.025, 20.0), 0.02, 1e-15);
    EXPECT_NEAR(steps.next(0.59, 0.025, 20.0), 0.41 / 17, 1e-15);  // the last ones are alike
    EXPECT_TRUE(steps.is_over(1.0));
    const StepLength fixed(1.0, 0.5, 0.3);
    EXPECT_DOUBLE_EQ(fixed.next(0.0, 0.0, 1.0), 0.25);
    EXPECT_EQ(fixed.left(0.5, 0.25), 2);
}

TEST(Chebyshev, SharesReduceAllOfTheSpectrum) {
    for (const double k : {0.1, 3.0, 70.0, 500.0}) {
        const std::vector<double> shares = chebyshev_shares(k, 1e-3);
        double bound = 1.0;
        for (int i = 0; i <= 100; ++i) {
            const double low = 1.0 / (1.0 + k);
            const double eigenvalue = low + (2.0 - 2.0 * low) * i / 100.0;
            double error = 1.0;
            for (const double share : shares) {
                error *= 1.0 - share * eigenvalue;
                bound = std::max(bound, std::fabs(error));
            }
            EXPECT_LE(std::fabs(error), 1e-3) << k << ' ' << eigenvalue;
        }
        EXPECT_LT(bound, 1e4) << k;  // and stays far from what round-off would spoil
    }
    EXPECT_EQ(chebyshev_shares(0.0, 1e-3).size(), 1U);
}

}  // namespace
}  // namespace halocline::incompressible
