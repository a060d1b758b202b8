// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Kernels of the advection-diffusion solver against values worked out by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "halocline/core/error.hpp"
#include "halocline/solver/advection_diffusion/kernels.hpp"

namespace halocline::advection_diffusion {
namespace {

using Vector = Values<double, 3>;
using Scalar = Values<double, 1>;

TEST(LeastSquares, FindsTheGradientOfALinearFunction) {
    const Vector here{0.5, -1.0, 2.0};
    const Vector others[] = {
        {1.5, -1.0, 2.0}, {0.5, 0.0, 2.5}, {0.25, -1.5, 3.0}, {0.0, -2.0, 1.0}};
    const auto phi = [](const Vector& x) { return 3.0 - 2.0 * x[0] + 5.0 * x[1] + 0.5 * x[2]; };
    Values<double, 6> moments{};
    Values<double, 6> unused{};
    Vector sum{};
    Vector sum_there{};
    for (const Vector& there : others) {
        Moments{}(here, there, moments, unused);
        SumDifferences{}(Scalar{phi(here)}, Scalar{phi(there)}, here, there, sum, sum_there);
    }
    Values<double, 6> inverse{};
    Scalar determinant{};
    InvertMoments{}(moments, inverse, determinant);
    Values<double, field_components> field{};
    SolveGradient{}(Scalar{phi(here)}, sum, inverse, field);
    EXPECT_GT(determinant[0], 0.1);
    EXPECT_EQ(field[0], phi(here));
    EXPECT_NEAR(field[1], -2.0, 1e-14);
    EXPECT_NEAR(field[2], 5.0, 1e-14);
    EXPECT_NEAR(field[3], 0.5, 1e-14);
    EXPECT_EQ(field[4], 1.0);
}

TEST(LeastSquares, HasNoDeterminantForNeighboursInAPlane) {
    Values<double, 6> moments{};
    Values<double, 6> unused{};
    for (const Vector& there : {Vector{1, 0, 0}, Vector{0, 1, 0}, Vector{1, 1, 0}}) {
        Moments{}(Vector{0, 0, 0}, there, moments, unused);
    }
    Scalar determinant{7.0};
    InvertMoments{}(moments, unused, determinant);
    EXPECT_EQ(determinant[0], 0.0);
}

TEST(Fluxes, TakeFromUpwindOrFromBothSides) {
    EXPECT_EQ(Upwind::through(2.0, 3.0, 5.0), 6.0);
    EXPECT_EQ(Upwind::through(-2.0, 3.0, 5.0), -10.0);
    EXPECT_EQ(Central::through(2.0, 3.0, 5.0), 8.0);
    EXPECT_EQ(Central::through(-2.0, 3.0, 5.0), -8.0);
}

TEST(Limiters, ScaleStepsIntoTheRoom) {
    const BarthJespersen sharp;
    EXPECT_EQ(sharp.factor(1.0, 0.5, 1.0), 1.0);
    EXPECT_EQ(sharp.factor(1.0, 4.0, 1.0), 0.25);
    EXPECT_EQ(sharp.factor(-1.0, -4.0, 1.0), 0.25);
    EXPECT_EQ(sharp.factor(0.0, 4.0, 1.0), 0.0);
    EXPECT_EQ(sharp.factor(0.0, 0.0, 1.0), 1.0);
    const Venkatakrishnan smooth;
    // (1 + 2 * 2) / (1 + 8 + 2), without the threshold
    EXPECT_DOUBLE_EQ(smooth.factor(1.0, 2.0, 0.0), 5.0 / 11.0);
    EXPECT_NEAR(smooth.factor(1e-6, 2e-6, 1.0), 1.0, 1e-12);  // far below it
    EXPECT_EQ(smooth.factor(0.0, 0.0, 0.0), 1.0);
}

/// phi = 1 + x at both ends of an edge from (0, 0, 0) to (2, 0, 0); a face of area 3 across it.
TEST(EdgeFlux, OfALinearField) {
    const Values<double, field_components> a{1.0, 1.0, 0.0, 0.0, 1.0};
    const Values<double, field_components> b{3.0, 1.0, 0.0, 0.0, 1.0};
    Scalar gain_a{};
    Scalar gain_b{};
    EdgeFlux<Upwind>{{0.5, 9.0, 9.0}, 0.25}(a, b, Vector{0, 0, 0}, Vector{2, 0, 0}, Vector{3, 0, 0},
                                            gain_a, gain_b);
    // u phi(1) A - kappa dphi/dx A = 0.5 * 2 * 3 - 0.25 * 3
    EXPECT_DOUBLE_EQ(gain_a[0], -2.25);
    EXPECT_DOUBLE_EQ(gain_b[0], 2.25);
}

/// Without gradients the difference alone drives diffusion, damped by 4/3.
TEST(EdgeFlux, OfAJump) {
    const Values<double, field_components> a{0.0, 0.0, 0.0, 0.0, 1.0};
    const Values<double, field_components> b{1.0, 0.0, 0.0, 0.0, 1.0};
    Scalar gain_a{};
    Scalar gain_b{};
    EdgeFlux<Central>{{0.0, 0.0, 0.0}, 3.0}(a, b, Vector{0, 0, 0}, Vector{0, 2, 0}, Vector{0, 5, 0},
                                            gain_a, gain_b);
    EXPECT_DOUBLE_EQ(gain_a[0], 3.0 * (4.0 / 3.0) * 5.0 / 2.0);
    EXPECT_DOUBLE_EQ(gain_b[0], -gain_a[0]);
}

TEST(Stages, SolveALinearEquationToThirdOrder) {
    // phi' = -phi from 1: one step of 0.1 is 1 - 0.1 + 0.005 - 0.000166...
    const double dt = 0.1;
    Scalar phi{1.0};
    Scalar start{};
    Scalar change{};
    FirstStage{dt}(Scalar{-2.0 * phi[0]}, Scalar{0.5}, start, phi);
    SecondStage{dt}(Scalar{-2.0 * phi[0]}, Scalar{0.5}, start, phi);
    ThirdStage{dt}(Scalar{-2.0 * phi[0]}, Scalar{0.5}, start, phi, change);
    EXPECT_NEAR(phi[0], 1.0 - dt + dt * dt / 2.0 - dt * dt * dt / 6.0, 1e-15);
    EXPECT_NEAR(change[0], std::pow(1.0 - phi[0], 2), 1e-15);
}

/// Central differences of the exact solution solve the equation.
template <class Problem>
void expect_solution(const Options& options) {
    Problem problem;
    problem.set(options);
    const Vector x{0.3, 0.6, 0.45};
    const double time = 0.2;
    const double h = 1e-3;
    const auto at = [&](int axis, double offset) {
        Vector moved = x;
        moved[axis] += offset;
        return problem.at(moved, time);
    };
    double rate = (problem.at(x, time + h) - problem.at(x, time - h)) / (2.0 * h);
    double scale = std::fabs(rate);
    for (int axis = 0; axis < 3; ++axis) {
        const double slope = (at(axis, h) - at(axis, -h)) / (2.0 * h);
        const double bend = (at(axis, h) - 2.0 * at(axis, 0.0) + at(axis, -h)) / (h * h);
        rate +=
            options.velocity[static_cast<std::size_t>(axis)] * slope - options.diffusivity * bend;
        scale += std::fabs(slope) + std::fabs(bend);
    }
    EXPECT_LT(std::fabs(rate), 1e-5 * scale);
}

TEST(Problems, SolveTheEquation) {
    Options options;
    options.diffusivity = 0.03;
    options.waves_per_length = {1.0, 0.5, -0.25};
    options.width = 0.4;
    expect_solution<Wave>(options);
    expect_solution<Pulse>(options);
}

TEST(NamedChoices, SuggestTheNearestName) {
    std::string said;
    try {
        Fluxes::visit("flux", "upwnd", [](auto) {});
    } catch (const UsageError& error) {
        said = error.what();
    }
    EXPECT_EQ(said, "there is no flux 'upwnd'. Did you mean 'upwind'?");
    bool called = false;
    Limiters::visit("limiter", "none",
                    [&]<class Limiter>(Limiter) { called = std::is_same_v<Limiter, NoLimiter>; });
    EXPECT_TRUE(called);
}

}  // namespace
}  // namespace halocline::advection_diffusion
