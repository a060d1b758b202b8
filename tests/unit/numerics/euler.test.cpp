// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Gas law and Euler fluxes against numbers worked out by hand.
#include <cmath>

#include "halocline/numerics/euler.hpp"

#include <gtest/gtest.h>

#include "halocline/loop/pack.hpp"
#include "support/bits.hpp"
#include "support/numbers.hpp"

namespace halocline {

namespace {

Values<double, 8> full_state(const Values<double, 5>& q) {
    Values<double, 3> extra;
    euler::GasState{}(q, extra);
    return {q[0], q[1], q[2], q[3], q[4], extra[0], extra[1], extra[2]};
}

/// rho = 1.4, u = 1.2 along x, p = 1: E = p / 0.4 + rho u^2 / 2 = 2.5 + 1.008 = 3.508, c = 1.
constexpr Values<double, 5> stream{1.4, 1.68, 0.0, 0.0, 3.508};
/// Each number below comes from at most a dozen roundings of values below 8.
constexpr double tolerance = 12 * 8 * 0x1p-53;

TEST(GasState, OfTheFreeStream) {
    const Values<double, 8> state = full_state(stream);
    EXPECT_NEAR(state[euler::inverse_density], 1.0 / 1.4, tolerance);
    EXPECT_NEAR(state[euler::pressure], 1.0, tolerance);
    EXPECT_NEAR(state[euler::wave_speed], 2.2, tolerance);  // 1.2 + 1
}

TEST(GasState, OfAGasAtRest) {
    // rho = 2, E = 5: p = 0.4 * 5 = 2, c = sqrt(1.4 * 2 / 2).
    const Values<double, 8> state = full_state({2.0, 0.0, 0.0, 0.0, 5.0});
    EXPECT_EQ(state[euler::inverse_density], 0.5);
    EXPECT_NEAR(state[euler::pressure], 2.0, tolerance);
    EXPECT_NEAR(state[euler::wave_speed], std::sqrt(1.4), tolerance);
}

TEST(GasState, OfAnObliqueFlow) {
    // rho = 2, u = (2, -1, 2), |u| = 3, E = 14: p = 0.4 (14 - 9) = 2.
    const Values<double, 8> state = full_state({2.0, 4.0, -2.0, 4.0, 14.0});
    EXPECT_NEAR(state[euler::pressure], 2.0, tolerance);
    EXPECT_NEAR(state[euler::wave_speed], 3.0 + std::sqrt(1.4), tolerance);
}

void expect_flux(const Values<double, 5>& actual, const Values<double, 5>& expected) {
    for (int i = 0; i < 5; ++i) {
        EXPECT_NEAR(actual[i], expected[i], 2 * tolerance) << "row " << i;
    }
}

TEST(FluxThrough, TheFreeStreamAlongAndAcross) {
    const Values<double, 8> state = full_state(stream);
    // Along x: mass 1.68; momentum 1.68 * 1.2 + 1 = 3.016; energy 1.2 (3.508 + 1) = 5.4096.
    expect_flux(euler::flux_through<double>(state, 1.0, 0.0, 0.0), {1.68, 3.016, 0.0, 0.0, 5.4096});
    expect_flux(euler::flux_through<double>(state, -0.5, 0.0, 0.0),
                {-0.84, -1.508, 0.0, 0.0, -2.7048});
    // Across: nothing but the pressure.
    expect_flux(euler::flux_through<double>(state, 0.0, 2.0, 0.0), {0.0, 0.0, 2.0, 0.0, 0.0});
}

TEST(FluxThrough, AnObliqueFlowThroughAnObliqueArea) {
    // rho = 2, u = (2, -1, 2), p = 2, E = 14, n = (1, 2, 3): u.n = 6, mass 12;
    // momentum 12 u + 2 n = (26, -8, 30); energy 6 (14 + 2) = 96.
    expect_flux(euler::flux_through<double>(full_state({2.0, 4.0, -2.0, 4.0, 14.0}), 1.0, 2.0, 3.0),
                {12.0, 26.0, -8.0, 30.0, 96.0});
}

TEST(FluxThrough, GivesTheSameBitsInAPack) {
    for (int i = 0; i < 50; ++i) {
        Values<double, 5> q{};
        Values<Pack, 5> packs;
        for (int d = 0; d < 5; ++d) {
            q[d] = (d == 0 || d == 4 ? 20.0 : 0.0) + test::rough_number(5, i, d);
            packs[d] = Pack(q[d]);
        }
        Values<Pack, 3> extra;
        euler::GasState{}(packs, extra);
        const Values<double, 8> state = full_state(q);
        const Values<Pack, 8> wide{packs[0], packs[1], packs[2], packs[3],
                                   packs[4], extra[0], extra[1], extra[2]};
        const double n[] = {test::rough_number(6, i, 0), test::rough_number(6, i, 1),
                            test::rough_number(6, i, 2)};
        const auto flux = euler::flux_through<double>(state, n[0], n[1], n[2]);
        const auto fluxes = euler::flux_through<Pack>(wide, Pack(n[0]), Pack(n[1]), Pack(n[2]));
        for (int d = 0; d < 5; ++d) {
            EXPECT_TRUE(test::same_bits(fluxes[d][pack_lanes - 1], flux[d]));
        }
        for (int d = 0; d < 3; ++d) {
            EXPECT_TRUE(test::same_number(extra[d][pack_lanes - 1], state[5 + d]));
        }
    }
}

}  // namespace

}  // namespace halocline
