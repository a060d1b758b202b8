// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Fields are computed with packs where their function takes them: the values are those of one point after
// the other, and nothing is read behind the last row.
#include "halocline/run/at_points.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "halocline/core/math.hpp"

namespace {

using halocline::run::at_points;

constexpr auto length = [](const auto* state, auto* value) {
    *value = halocline::math::sqrt(state[0] * state[0] + state[4] * state[4]) / state[2];
};

/// The same formula for doubles alone: never called with packs.
constexpr auto plain_length = [](const double* state, double* value) {
    *value = std::sqrt(state[0] * state[0] + state[4] * state[4]) / state[2];
};

/// As many rows as asked for, and no byte more: sanitizers see what is read behind them.
std::vector<double> make_rows(std::int64_t count) {
    std::vector<double> rows;
    for (std::int64_t i = 0; i < 5 * count; ++i) {
        rows.push_back(std::sin(0.7 * static_cast<double>(i)) + 1.5);
    }
    return rows;
}

TEST(at_points, packs_give_the_bits_of_single_points) {
    for (std::int64_t count = 0; count <= 67; ++count) {
        const std::vector<double> rows = make_rows(count);
        std::vector<double> packed(rows.size() / 5, -1.0);
        std::vector<double> single(packed);
        at_points<5, 1, length>(rows.data(), count, packed.data());
        at_points<5, 1, plain_length>(rows.data(), count, single.data());
        EXPECT_EQ(packed, single) << count << " points";
    }
}

TEST(at_points, values_of_several_components_lie_point_by_point) {
    const std::vector<double> rows = make_rows(20);
    std::vector<double> values(40);
    at_points<5, 2, [](const double* state, double* pair) {
        pair[0] = state[1];
        pair[1] = state[3];
    }>(rows.data(), 20, values.data());
    for (std::size_t i = 0; i < 20; ++i) {
        EXPECT_EQ(values[2 * i], rows[5 * i + 1]);
        EXPECT_EQ(values[2 * i + 1], rows[5 * i + 3]);
    }
}

}  // namespace
