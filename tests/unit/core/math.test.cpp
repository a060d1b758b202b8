// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The scalar functions kernels call: what they do with zeros of both signs, NaN and infinities.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "halocline/core/math.hpp"
#include "halocline/core/values.hpp"

namespace halocline {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Math, FiniteMeansNeitherInfiniteNorNan) {
    EXPECT_TRUE(is_finite(0.0));
    EXPECT_TRUE(is_finite(-1.7976931348623157e308));
    EXPECT_TRUE(is_finite(5e-324));
    EXPECT_FALSE(is_finite(infinity));
    EXPECT_FALSE(is_finite(-infinity));
    EXPECT_FALSE(is_finite(nan));
}

TEST(Math, MinAndMaxKeepTheFirstOfEquals) {
    EXPECT_TRUE(std::signbit(min(-0.0, 0.0)));
    EXPECT_FALSE(std::signbit(min(0.0, -0.0)));
    EXPECT_TRUE(std::signbit(max(-0.0, 0.0)));
}

TEST(Math, SelectIsTheBranch) {
    EXPECT_EQ(select(true, 1.0, 2.0), 1.0);
    EXPECT_EQ(select(false, 1.0, 2.0), 2.0);
}

TEST(Math, NoIncrementIsNeutralToTheLastBit) {
    for (const double value : {0.0, -0.0, 1.0, -5e-324, infinity, -infinity}) {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(value + no_increment),
                  std::bit_cast<std::uint64_t>(value));
    }
}

TEST(Math, MultiplyAddFusesWhereTheProcessorDoes) {
    // (1 + 2^-30)^2 = 1 + 2^-29 + 2^-60; rounded to double the last term is lost.
    const double a = 1.0 + 0x1p-30;
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    EXPECT_EQ(multiply_add(a, a, -(1.0 + 0x1p-29)), 0x1p-60);
#else
    EXPECT_EQ(multiply_add(a, a, -(1.0 + 0x1p-29)), 0.0);
#endif
}

}  // namespace

}  // namespace halocline
