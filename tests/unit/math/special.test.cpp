// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Special values of `halocline::math`: ISO C, annex F.9 (10 in C11), and results that are exact.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "functions_under_test.hpp"
#include "support/bits.hpp"

namespace halocline::test {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double largest = std::numeric_limits<double>::max();
constexpr double smallest = 5e-324;
constexpr double pi = 0x1.921fb54442d18p+1;

#define EXPECT_NUMBER(expression, wanted) \
    EXPECT_TRUE(same_number(expression, wanted)) << #expression << " is " << (expression)

TEST(MathSpecial, ExponentialsReachZeroAndInfinity) {
    EXPECT_NUMBER(math::exp(0.0), 1.0);
    EXPECT_NUMBER(math::exp(-0.0), 1.0);
    EXPECT_NUMBER(math::exp(infinity), infinity);
    EXPECT_NUMBER(math::exp(-infinity), 0.0);
    EXPECT_NUMBER(math::exp(largest), infinity);
    EXPECT_NUMBER(math::exp(-largest), 0.0);
    EXPECT_NUMBER(math::exp(nan), nan);
    EXPECT_NUMBER(math::exp2(-1074.0), smallest);
    EXPECT_NUMBER(math::exp2(-1075.0), 0.0);  // half of the smallest: ties to even
    EXPECT_NUMBER(math::exp2(1024.0), infinity);
    EXPECT_NUMBER(math::exp2(nan), nan);
    for (int k = -1074; k < 1024; ++k) {
        EXPECT_NUMBER(math::exp2(static_cast<double>(k)), std::ldexp(1.0, k));
    }
}

TEST(MathSpecial, LogarithmsOfPowersAreWhole) {
    for (int k = -1074; k < 1024; ++k) {
        EXPECT_NUMBER(math::log2(std::ldexp(1.0, k)), static_cast<double>(k));
    }
    double power = 1.0;
    for (int k = 0; k <= 22; ++k, power *= 10.0) {
        EXPECT_NUMBER(math::log10(power), static_cast<double>(k));
    }
}

TEST(MathSpecial, LogarithmsOfWhatIsNotPositive) {
    const auto expect = [](auto logarithm) {
        EXPECT_NUMBER(logarithm(0.0), -infinity);
        EXPECT_NUMBER(logarithm(-0.0), -infinity);
        EXPECT_NUMBER(logarithm(-smallest), nan);
        EXPECT_NUMBER(logarithm(-infinity), nan);
        EXPECT_NUMBER(logarithm(infinity), infinity);
        EXPECT_NUMBER(logarithm(nan), nan);
        EXPECT_NUMBER(logarithm(1.0), 0.0);
    };
    expect([](double x) { return math::log(x); });
    expect([](double x) { return math::log2(x); });
    expect([](double x) { return math::log10(x); });
}

TEST(MathSpecial, OddFunctionsKeepTheSignOfZeroAndTinyNumbers) {
    const auto expect = [](auto odd) {
        for (const double x : {0.0, -0.0, smallest, -smallest, 1e-310, -1e-300}) {
            EXPECT_NUMBER(odd(x), x);
        }
        EXPECT_NUMBER(odd(nan), nan);
    };
    expect([](double x) { return math::sin(x); });
    expect([](double x) { return math::tan(x); });
    expect([](double x) { return math::atan(x); });
    expect([](double x) { return math::tanh(x); });
}

TEST(MathSpecial, InfiniteArguments) {
    EXPECT_NUMBER(math::sin(infinity), nan);
    EXPECT_NUMBER(math::cos(-infinity), nan);
    EXPECT_NUMBER(math::tan(infinity), nan);
    EXPECT_NUMBER(math::cos(0.0), 1.0);
    EXPECT_NUMBER(math::tanh(infinity), 1.0);
    EXPECT_NUMBER(math::tanh(-infinity), -1.0);
    EXPECT_NUMBER(math::atan(infinity), pi / 2);
    EXPECT_NUMBER(math::atan(-infinity), -pi / 2);
}

TEST(MathSpecial, AngleOfAPointOnAnAxisOrAtInfinity) {
    EXPECT_NUMBER(math::atan2(0.0, 0.0), 0.0);
    EXPECT_NUMBER(math::atan2(-0.0, 0.0), -0.0);
    EXPECT_NUMBER(math::atan2(0.0, -0.0), pi);
    EXPECT_NUMBER(math::atan2(-0.0, -2.0), -pi);
    EXPECT_NUMBER(math::atan2(0.0, 2.0), 0.0);
    EXPECT_NUMBER(math::atan2(1.0, 0.0), pi / 2);
    EXPECT_NUMBER(math::atan2(-1.0, -0.0), -pi / 2);
    EXPECT_NUMBER(math::atan2(1.0, infinity), 0.0);
    EXPECT_NUMBER(math::atan2(-1.0, infinity), -0.0);
    EXPECT_NUMBER(math::atan2(1.0, -infinity), pi);
    EXPECT_NUMBER(math::atan2(infinity, 1.0), pi / 2);
    EXPECT_NUMBER(math::atan2(infinity, infinity), pi / 4);
    EXPECT_NUMBER(math::atan2(-infinity, -infinity), -0x1.2d97c7f3321d2p+1);  // -3 pi / 4
    EXPECT_NUMBER(math::atan2(nan, 1.0), nan);
    EXPECT_NUMBER(math::atan2(1.0, nan), nan);
    EXPECT_NUMBER(math::atan2(smallest, smallest), pi / 4);
    EXPECT_NUMBER(math::atan2(largest, largest), pi / 4);
    EXPECT_NUMBER(math::atan2(smallest, largest), 0.0);
}

TEST(MathSpecial, PowersOfZeroAndInfinity) {
    EXPECT_NUMBER(math::pow(0.0, -3.0), infinity);
    EXPECT_NUMBER(math::pow(-0.0, -3.0), -infinity);
    EXPECT_NUMBER(math::pow(-0.0, -2.0), infinity);
    EXPECT_NUMBER(math::pow(-0.0, -2.5), infinity);
    EXPECT_NUMBER(math::pow(-0.0, -infinity), infinity);
    EXPECT_NUMBER(math::pow(-0.0, 3.0), -0.0);
    EXPECT_NUMBER(math::pow(-0.0, 2.0), 0.0);
    EXPECT_NUMBER(math::pow(-0.0, 0.5), 0.0);
    EXPECT_NUMBER(math::pow(-infinity, -3.0), -0.0);
    EXPECT_NUMBER(math::pow(-infinity, -2.0), 0.0);
    EXPECT_NUMBER(math::pow(-infinity, 3.0), -infinity);
    EXPECT_NUMBER(math::pow(-infinity, 0.5), infinity);
    EXPECT_NUMBER(math::pow(infinity, -0.5), 0.0);
    EXPECT_NUMBER(math::pow(infinity, 0.5), infinity);
}

TEST(MathSpecial, PowersWithInfiniteExponents) {
    EXPECT_NUMBER(math::pow(-1.0, infinity), 1.0);
    EXPECT_NUMBER(math::pow(-1.0, -infinity), 1.0);
    EXPECT_NUMBER(math::pow(0.5, infinity), 0.0);
    EXPECT_NUMBER(math::pow(-0.5, -infinity), infinity);
    EXPECT_NUMBER(math::pow(1.0 + 0x1p-52, infinity), infinity);
    EXPECT_NUMBER(math::pow(1.0 + 0x1p-52, -infinity), 0.0);
    EXPECT_NUMBER(math::pow(1.0 - 0x1p-53, largest), 0.0);
    EXPECT_NUMBER(math::pow(1.0 - 0x1p-53, -largest), infinity);
}

TEST(MathSpecial, PowersThatAreOneOrNone) {
    EXPECT_NUMBER(math::pow(nan, 0.0), 1.0);
    EXPECT_NUMBER(math::pow(nan, -0.0), 1.0);
    EXPECT_NUMBER(math::pow(1.0, nan), 1.0);
    EXPECT_NUMBER(math::pow(nan, 1.0), nan);
    EXPECT_NUMBER(math::pow(-1.0, nan), nan);
    EXPECT_NUMBER(math::pow(-2.0, 0.5), nan);
    EXPECT_NUMBER(math::pow(-infinity, nan), nan);
}

TEST(MathSpecial, WholePowersAreExactWhereTheyFit) {
    for (int base = -20; base <= 20; ++base) {
        double exact = 1.0;
        for (int k = 0; k <= 12; ++k, exact *= base) {  // 20^12 < 2^53
            EXPECT_NUMBER(math::pow(static_cast<double>(base), static_cast<double>(k)), exact);
        }
    }
    EXPECT_NUMBER(math::pow(-2.0, 0x1p53 - 1.0), -infinity);
    EXPECT_NUMBER(math::pow(-2.0, 0x1p53), infinity);
    EXPECT_NUMBER(math::pow(-2.0, -1073.0), -2 * smallest);
}

TEST(MathSpecial, LengthsOfInfiniteAndExactSides) {
    EXPECT_NUMBER(math::hypot(infinity, nan), infinity);
    EXPECT_NUMBER(math::hypot(nan, -infinity), infinity);
    EXPECT_NUMBER(math::hypot(nan, 1.0), nan);
    EXPECT_NUMBER(math::hypot(1.0, nan), nan);
    EXPECT_NUMBER(math::hypot(nan, 0.0), nan);
    EXPECT_NUMBER(math::hypot(0.0, -0.0), 0.0);
    EXPECT_NUMBER(math::hypot(-3e300, 4e300), 5e300);
    EXPECT_NUMBER(math::hypot(3 * smallest, 4 * smallest), 5 * smallest);
    EXPECT_NUMBER(math::hypot(largest, largest), infinity);
}

TEST(MathSpecial, WholeNumbersAreThoseOfTheStandard) {
    for (GlobalIndex i = 0; i < 20000; ++i) {
        for (const double x : {argument(i, 0), std::ldexp(static_cast<double>(i) - 1e4, -1)}) {
            EXPECT_NUMBER(math::floor(x), std::floor(x));
            EXPECT_NUMBER(math::ceil(x), std::ceil(x));
            EXPECT_NUMBER(math::trunc(x), std::trunc(x));
            EXPECT_NUMBER(math::round(x), std::round(x));
        }
    }
    for (const double x : {0.0, -0.0, infinity, -infinity, nan, 0.5 - 0x1p-54, -0.5 + 0x1p-54,
                           0x1p52 - 0.5, 0x1p52 + 1.0, -0x1p53}) {
        EXPECT_NUMBER(math::floor(x), std::floor(x));
        EXPECT_NUMBER(math::ceil(x), std::ceil(x));
        EXPECT_NUMBER(math::trunc(x), std::trunc(x));
        EXPECT_NUMBER(math::round(x), std::round(x));
    }
}

}  // namespace

}  // namespace halocline::test
