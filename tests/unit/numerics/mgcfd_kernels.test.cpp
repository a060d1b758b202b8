// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Kernels of MG-CFD: hand-computed numbers, and the symmetry that edge kernels claim.
#include "halocline/solver/mgcfd/kernels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "halocline/loop/pack.hpp"
#include "support/bits.hpp"
#include "support/numbers.hpp"

namespace halocline::mgcfd {

namespace {

constexpr double roundings = 40 * 8 * 0x1p-53;  // at most 40 roundings of values below 8

template <int n>
Values<double, n> nothing() {
    Values<double, n> values;
    for (int i = 0; i < n; ++i) {
        values[i] = no_increment;
    }
    return values;
}

Values<double, 8> full_state(const Values<double, 5>& q) {
    Values<double, 3> extra;
    euler::GasState{}(q, extra);
    return {q[0], q[1], q[2], q[3], q[4], extra[0], extra[1], extra[2]};
}

/// A valid gas: positive density and pressure.
Values<double, 8> random_state(int seed) {
    const auto number = [&](int d) { return test::rough_number(7, seed, d); };
    const double rho = 0.5 + test::unit_number(8, seed, 0);
    const Values<double, 3> u{number(1), number(2), number(3)};
    const double kinetic = 0.5 * rho * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    return full_state(
        {rho, rho * u[0], rho * u[1], rho * u[2], kinetic + 0.1 + test::unit_number(8, seed, 1)});
}

TEST(FreeStream, IsMach1Point2OfAGasWithSoundSpeedOne) {
    const Values<double, 5> q = FreeStream().conserved();
    const double expected[] = {1.4, 1.68, 0.0, 0.0, 3.508};
    for (int i = 0; i < 5; ++i) {
        EXPECT_NEAR(q[i], expected[i], roundings);
    }
    EXPECT_EQ(FreeStream().state()[euler::pressure], 1.0);
    EXPECT_NEAR(FreeStream().state()[euler::wave_speed], 2.2, roundings);
}

/// What the edge flux takes instead of a weight.
Values<double, 3> half_normal_of(const Values<double, 3>& weight) {
    return {half_normal * weight[0], half_normal * weight[1], half_normal * weight[2]};
}

TEST(EdgeFlux, BetweenEqualStatesIsMinusTheirFlux) {
    // Free stream through (2, 0, 0): nothing to smooth, a loses 2 (1.68, 3.016, 0, 0, 5.4096).
    const Values<double, 8> q = FreeStream().state();
    auto a = nothing<5>();
    auto b = nothing<5>();
    EdgeFlux{}(q, q, half_normal_of({2.0, 0.0, 0.0}), a, b);
    const double lost[] = {3.36, 6.032, 0.0, 0.0, 10.8192};
    for (int i = 0; i < 5; ++i) {
        EXPECT_NEAR(a[i], -lost[i], roundings);
        EXPECT_NEAR(b[i], lost[i], roundings);
    }
}

TEST(EdgeFlux, BetweenGasesAtRestSmoothsAndPushes) {
    // a: rho 2, p 2, E 5, c = sqrt 1.4; b: rho 1, p 0.8, E 2, c = sqrt(1.4 * 0.8).  w = (0, 3, 0).
    // Smoothing: factor = -3 s/2 (c_a + c_b), times (a - b); mean flux: pressure in the y row.
    const auto a_state = full_state({2.0, 0.0, 0.0, 0.0, 5.0});
    const auto b_state = full_state({1.0, 0.0, 0.0, 0.0, 2.0});
    auto a = nothing<5>();
    auto b = nothing<5>();
    EdgeFlux{}(a_state, b_state, half_normal_of({0.0, 3.0, 0.0}), a, b);
    const double factor =
        -3.0 * 0.20000000298023224 * 0.5 * (std::sqrt(1.4) + std::sqrt(1.4 * 0.8));
    const double expected[] = {factor, 0.0, -1.5 * 2.8, 0.0, 3.0 * factor};
    for (int i = 0; i < 5; ++i) {
        EXPECT_NEAR(a[i], expected[i], roundings) << i;
        EXPECT_NEAR(b[i], -expected[i], roundings) << i;
    }
}

/// Calls the kernel with ends as they are and swapped, weight negated; both must agree to the bit.
template <class Kernel, class V>
void expect_symmetric(const Values<V, 8>& a, const Values<V, 8>& b, const Values<V, 3>& w) {
    Values<V, 5> here[2];
    Values<V, 5> there[2];
    for (auto* pair : {here, there}) {
        for (int end = 0; end < 2; ++end) {
            for (int i = 0; i < 5; ++i) {
                pair[end][i] = V(no_increment);
            }
        }
    }
    Kernel{}(a, b, w, here[0], here[1]);
    Kernel{}(b, a, Values<V, 3>{-w[0], -w[1], -w[2]}, there[0], there[1]);
    for (int i = 0; i < 5; ++i) {
        if constexpr (std::is_same_v<V, double>) {
            EXPECT_TRUE(test::same_bits(here[0][i], there[1][i]));
            EXPECT_TRUE(test::same_bits(here[1][i], there[0][i]));
        } else {
            for (int lane = 0; lane < pack_lanes; ++lane) {
                EXPECT_TRUE(test::same_bits(here[0][i][lane], there[1][i][lane]));
                EXPECT_TRUE(test::same_bits(here[1][i][lane], there[0][i][lane]));
            }
        }
    }
}

template <class Kernel>
void expect_symmetric_on_random_states() {
    for (int seed = 0; seed < 400; ++seed) {
        const Values<double, 3> w{test::rough_number(9, seed, 0), test::rough_number(9, seed, 1),
                                  test::rough_number(9, seed, 2)};
        expect_symmetric<Kernel>(random_state(seed), random_state(seed + 1000), w);
        Values<Pack, 8> a;
        Values<Pack, 8> b;
        Values<Pack, 3> wide;
        for (int lane = 0; lane < pack_lanes; ++lane) {
            const auto left = random_state(seed + 13 * lane);
            const auto right = random_state(seed + 17 * lane + 5000);
            for (int d = 0; d < 8; ++d) {
                a[d].set(lane, left[d]);
                b[d].set(lane, right[d]);
            }
            for (int d = 0; d < 3; ++d) {
                wide[d].set(lane, test::rough_number(10, seed + lane, d));
            }
        }
        expect_symmetric<Kernel>(a, b, wide);
    }
}

TEST(EdgeFlux, LooksTheSameFromBothEndsToTheLastBit) {
    expect_symmetric_on_random_states<EdgeFlux>();
}

TEST(EdgeFlux, GivesOneEndWhatTheOtherLoses) {
    for (int seed = 0; seed < 200; ++seed) {
        auto a = nothing<5>();
        auto b = nothing<5>();
        EdgeFlux{}(random_state(seed), random_state(seed + 1), Values<double, 3>{0.3, -0.7, 0.1}, a,
                   b);
        for (int i = 0; i < 5; ++i) {
            EXPECT_EQ(a[i], -b[i]);
        }
    }
}

TEST(BoundaryFlux, DependsOnTheGroup) {
    const auto inside = full_state({2.0, 4.0, -2.0, 4.0, 14.0});  // u = (2, -1, 2), p = 2
    const Values<double, 3> w{1.0, 2.0, 3.0};
    // Wall: the pressure alone. Far field: mean of the free stream's flux and (12, 26, -8, 30, 96).
    const double wall[] = {0.0, 2.0, 4.0, 6.0, 0.0};
    const double far[] = {0.5 * (1.68 + 12.0), 0.5 * (3.016 + 26.0), 0.5 * (2.0 - 8.0),
                          0.5 * (3.0 + 30.0), 0.5 * (5.4096 + 96.0)};
    for (const double group : {-3.0, 0.0, 1.0, 2.0, 3.0, 4.0, 7.0, 8.0, 99.0}) {
        auto flux = nothing<5>();
        BoundaryFlux{}(inside, Values<double, 1>{group}, w, flux);
        for (int i = 0; i < 5; ++i) {
            const double expected = group <= 2.0 ? wall[i] : group <= 7.0 ? far[i] : 0.0;
            EXPECT_NEAR(flux[i], expected, 16 * roundings) << "group " << group << ", row " << i;
        }
    }
}

TEST(BeginVisit, DealsTheTimeStepOutToTheStages) {
    Values<double, 1> time_step;
    Values<double, stages> times;
    BeginVisit{}(Values<double, 1>{6.0}, Values<double, 1>{0.0}, time_step, times);
    EXPECT_EQ(time_step[0], 6.0);
    EXPECT_EQ(times[0], 1.5);
    EXPECT_EQ(times[1], 2.0);
    EXPECT_EQ(times[2], 3.0);
}

TEST(BeginVisit, HoldsTheStateThatAnEarlierVisitSpoilt) {
    const double infinity = std::numeric_limits<double>::infinity();
    Values<double, 1> time_step;
    Values<double, stages> times;
    BeginVisit{}(Values<double, 1>{6.0}, Values<double, 1>{2.0}, time_step, times);
    const Values<double, 5> start{1.0, 2.0, 3.0, 4.0, 5.0};
    const Values<double, 5> flux{infinity, -infinity, 1.0, infinity, 1.0};
    const Values<double, 1> length{1.0};
    Values<double, 5> first;
    Values<double, 5> middle;
    Values<double, 5> last;
    Values<double, 5> kept;
    auto squares = nothing<1>();
    auto bad = nothing<1>();
    FirstStage{}(times, start, length, flux, kept, first);
    MiddleStage{}(times, start, length, flux, middle);
    LastStage{}(times, kept, length, flux, last, squares, bad);
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(first[i], start[i]);
        EXPECT_EQ(middle[i], start[i]);
        EXPECT_EQ(last[i], start[i]);
    }
}

TEST(Stages, DropMomentaThatDoNotCount) {
    const Values<double, stages> times{1.0, 1.0, 1.0};
    const Values<double, 5> start{1.0, 2e-130, -2e-130, 0.0, 1e-200};
    const Values<double, 5> flux{0.0, -1.5e-130, 0.5e-130, 1e-300, 0.0};
    const Values<double, 1> length{1.0};
    Values<double, 5> next;
    MiddleStage{}(times, start, length, flux, next);
    EXPECT_EQ(next[0], 1.0);
    EXPECT_EQ(next[1], 0.0);  // 5e-131
    EXPECT_EQ(next[2], -2e-130 + 0.5e-130);
    EXPECT_EQ(next[3], 0.0);
    EXPECT_EQ(next[4], 1e-200);  // no momentum

    Values<double, 5> first;
    Values<double, 5> kept;
    FirstStage{}(times, start, length, flux, kept, first);
    EXPECT_EQ(first[1], 0.0);
    Values<double, 5> last;
    auto squares = nothing<1>();
    auto bad = nothing<1>();
    LastStage{}(times, kept, length, flux, last, squares, bad);
    EXPECT_EQ(last[1], 0.0);
    EXPECT_EQ(kept[1], -2e-130);  // the change that it makes
}

TEST(StageFactor, TakesTheVolumeFromTheInverseLength) {
    // V = 8, so 1 / h = 1 / 2; dt / (4 - k) = 2 for k = 1.
    EXPECT_EQ(stage_factor<1>(Values<double, stages>{1.0, 2.0, 3.0}, 0.5), 0.25);
}

TEST(InverseLength, IsTheInverseCubeRoot) {
    Values<double, 1> inverse;
    InverseLength{}(Values<double, 1>{8.0}, inverse);
    EXPECT_EQ(inverse[0], 0.5);
}

TEST(LastStage, KeepsTheChangeSumsItsSquareAndCountsWhatIsNoState) {
    const double infinity = std::numeric_limits<double>::infinity();
    const auto bad_after = [](double density_flux, double energy_flux) {
        Values<double, 5> start{1.0, 0.0, 0.0, 0.0, 1.0};
        Values<double, 5> next;
        auto squares = nothing<1>();
        auto bad = nothing<1>();
        LastStage{}(Values<double, stages>{0.0, 0.0, 1.0}, start, Values<double, 1>{1.0},
                    Values<double, 5>{density_flux, 0.0, 0.0, 0.0, energy_flux}, next, squares,
                    bad);
        EXPECT_EQ(next[0], 1.0 + density_flux);
        EXPECT_EQ(start[0], (1.0 + density_flux) - 1.0);
        return bad[0];
    };
    EXPECT_EQ(bad_after(0.5, 0.25), 0.0);
    EXPECT_EQ(bad_after(-1.0, 0.0), 1.0);  // no gas left
    EXPECT_EQ(bad_after(-1.5, 0.0), 1.0);
    EXPECT_EQ(bad_after(infinity, 0.0), 1.0);
    EXPECT_EQ(bad_after(0.0, -infinity), 1.0);
}

TEST(EdgeVolume, GivesEachEndASixthOfLengthTimesArea) {
    auto a = nothing<1>();
    auto b = nothing<1>();
    // d = (0, 3, 4), |d| = 5; |w| = 12: 5 * 12 / 6 = 10.
    EdgeVolume{}(Values<double, 3>{1.0, 0.0, 0.0}, Values<double, 3>{1.0, 3.0, 4.0},
                 Values<double, 3>{12.0, 0.0, 0.0}, a, b);
    EXPECT_NEAR(a[0], 10.0, roundings);
    EXPECT_EQ(a[0], b[0]);
}

TEST(EdgeWeight, PointsAlongTheEdgeDividedByItsLengthAndDamped) {
    Values<double, 3> w{12.0, 0.0, 0.0};
    Values<double, 1> shortest{9.0};
    EdgeWeight{}(Values<double, 3>{0.0, 0.0, 0.0}, Values<double, 3>{0.0, 3.0, 4.0}, w, shortest);
    // Direction (0, 0.6, 0.8), magnitude 12 / 5 times 1e-7; then the factor of the edge flux.
    EXPECT_EQ(w[0], 0.0);
    EXPECT_NEAR(w[1], half_normal * 1.44e-7, 1e-21);
    EXPECT_NEAR(w[2], half_normal * 1.92e-7, 1e-21);
    EXPECT_EQ(shortest[0], 5.0);
}

TEST(ApplyCorrection, ScalesByTheDistanceOfTheParent) {
    // x - x_c = (-1, 2, -2), distance 3.
    Values<double, 5> q{10.0, 10.0, 10.0, 10.0, 10.0};
    const auto apply = [&](double bad_nodes) {
        ApplyCorrection{}(
            Values<double, 1>{bad_nodes}, Values<double, 8>{1.5, 1.5, 1.5, 1.5, 1.5, 1.0, 0.0, 2.0},
            Values<double, 3>{0.0, 2.0, 0.0}, Values<double, 5>{0.5, 0.5, 0.5, 0.5, 1.0}, q);
    };
    apply(1.0);  // somewhere: the state is to be looked at as it is
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(q[i], 10.0);
    }
    apply(0.0);
    const double expected[] = {7.0, 9.0, 8.0, 8.0, 8.5};
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(q[i], expected[i]);
    }
}

TEST(MeanOfChildren, LeavesANodeWithoutChildrenAlone) {
    Values<double, 5> coarse{1.0, 2.0, 3.0, 4.0, 5.0};
    const Values<double, 5> sum{8.0, 8.0, 8.0, 8.0, 8.0};
    MeanOfChildren{}(sum, Values<double, 1>{0.0}, coarse);
    EXPECT_EQ(coarse[4], 5.0);
    MeanOfChildren{}(sum, Values<double, 1>{0.25}, coarse);
    EXPECT_EQ(coarse[4], 2.0);
}

TEST(TimeStepLimit, IsHalfTheLengthOverTheWaveSpeed) {
    Values<double, 1> limit{10.0};
    TimeStepLimit{}(FreeStream().state(), Values<double, 1>{0.5}, limit);
    EXPECT_NEAR(limit[0], 1.0 / 2.2, roundings);
}

}  // namespace

}  // namespace halocline::mgcfd
