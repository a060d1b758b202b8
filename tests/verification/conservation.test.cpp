// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What leaves one node enters another: edge fluxes sum to zero, and all of it to the boundary's share.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "halocline/loop/exact_sum.hpp"
#include "support/numbers.hpp"
#include "verification/flux_problem.hpp"

namespace halocline::test {

namespace {

/// A gas with no smoothness at all.
State wild_state(GlobalIndex id) {
    const double rho = 0.5 + unit_number(1, id, 0);
    const Values<double, 3> u{unit_number(2, id, 0) - 0.5, unit_number(2, id, 1) - 0.5,
                              unit_number(2, id, 2) - 0.5};
    const double kinetic = 0.5 * rho * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    return {rho, rho * u[0], rho * u[1], rho * u[2], kinetic + 1.0 + unit_number(3, id, 0)};
}

struct Total {
    double sum = 0.0;
    double size = 0.0;  ///< sum of absolute values: what rounding is relative to
};

Total total_of(const std::vector<State>& sums, int d) {
    ExactSum sum;
    Total total;
    for (const State& row : sums) {
        sum.add(row[d]);
        total.size += std::fabs(row[d]);
    }
    total.sum = sum.value();
    return total;
}

class Conservation : public ::testing::TestWithParam<Backend> {
protected:
    BoxMesh box{{11, 0.5, 4, 1.0}};
};

/// Both ends of an edge get the same number with opposite signs, exactly; a node's sum of six rounds
/// at most five times, each by half a unit of a partial sum, which six fluxes of the size of the
/// largest bound. So the total is at most nodes * 5 * 6 * largest flux * 2^-53.
TEST_P(Conservation, EdgeFluxesSumToZero) {
    const auto sums = flux_sums<mgcfd::EdgeFlux>(box, GetParam(), false, wild_state);
    double largest_area = 0.0;
    for (GlobalIndex node = 0; node < box.size(); ++node) {
        largest_area = std::max(largest_area, box.surface(node));
    }
    const double largest_flux = 10.0 * largest_area;  // fluxes of these states stay below 10
    for (int d = 0; d < 5; ++d) {
        const Total total = total_of(sums, d);
        EXPECT_LE(std::fabs(total.sum),
                  static_cast<double>(box.size()) * 30 * largest_flux * 0x1p-53);
        EXPECT_GT(total.size, 1e-3) << "nothing flows, nothing is proven";
    }
}

TEST_P(Conservation, WhatIsLeftIsTheBoundarysShare) {
    const auto inside = flux_sums<mgcfd::EdgeFlux>(box, GetParam(), false, wild_state);
    const auto all = flux_sums<mgcfd::EdgeFlux>(box, GetParam(), true, wild_state);
    for (int d = 0; d < 5; ++d) {
        double boundary = 0.0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const bool within = box.is_inside(static_cast<GlobalIndex>(i));
            EXPECT_TRUE(!within || all[i][d] == inside[i][d]);
            boundary += within ? 0.0 : all[i][d] - inside[i][d];
        }
        const Total total = total_of(all, d);
        EXPECT_NEAR(total.sum, boundary, 1e-12 * std::max(1.0, total.size));
    }
}

std::string backend_name_of(const ::testing::TestParamInfo<Backend>& info) {
    return backend_name(info.param);
}

INSTANTIATE_TEST_SUITE_P(Backends, Conservation,
                         ::testing::Values(Backend::serial, Backend::openmp, Backend::check),
                         backend_name_of);

}  // namespace

}  // namespace halocline::test
