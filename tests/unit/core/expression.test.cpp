// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Formulae: values, what they depend on, and a sentence for each kind of mistake.
#include "halocline/core/expression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <locale>
#include <numbers>

#include "halocline/core/error.hpp"

namespace halocline {
namespace {

TEST(Expression, HasTheValuesOfItsFormula) {
    EXPECT_EQ(Expression("2")(1, 1, 1, 1), 2.0);
    EXPECT_EQ(Expression("x - 2*y + z/4 - t^2")(1.0, 2.0, 3.0, 4.0), 1.0 - 4.0 + 0.75 - 16.0);
    EXPECT_EQ(Expression("x < 0.5 ? 1 : -1")(0.25, 0, 0, 0), 1.0);
    EXPECT_EQ(Expression("sin(pi*x) + exp(y) + e")(0.5, 1, 0, 0),
              std::sin(std::numbers::pi * 0.5) + std::exp(1.0) + std::numbers::e);
}

TEST(Expression, KnowsWhatItDependsOn) {
    EXPECT_TRUE(Expression("x*t").uses_time());
    EXPECT_FALSE(Expression("tan(x)").uses_time());
    EXPECT_TRUE(Expression("0.0").is_constant_zero());
    EXPECT_TRUE(Expression("2 - 2").is_constant_zero());
    EXPECT_FALSE(Expression("x").is_constant_zero());  // zero at the origin alone
}

struct CommaPoint : std::numpunct<char> {
    [[nodiscard]] char do_decimal_point() const override { return ','; }
};

TEST(Expression, ReadsNumbersWithAPointWhateverTheLocaleSays) {
    const std::locale before = std::locale::global(std::locale(std::locale(), new CommaPoint));
    const double value = Expression("max(0.1, 1.5e-1)*x")(2.0, 0, 0, 0);
    std::locale::global(before);
    EXPECT_EQ(value, 0.3);
}

std::string complaint(const std::string& text) {
    try {
        static_cast<void>(Expression(text));
    } catch (const InputError& error) {
        return error.what();
    }
    return "none";
}

TEST(Expression, SaysWhatIsWrongAndWhere) {
    using testing::HasSubstr;
    EXPECT_THAT(complaint("sqrtt(x)"), HasSubstr("Did you mean 'sqrt'?"));
    EXPECT_THAT(complaint("4*r"), HasSubstr("'r' is unknown"));
    EXPECT_THAT(complaint("2*(x + 1"), HasSubstr("position 9"));
    EXPECT_THAT(complaint("1 +"), HasSubstr("cannot be read"));
    EXPECT_THAT(complaint("sin(x, y)"), HasSubstr("Too many parameters"));
    EXPECT_THAT(complaint(""), HasSubstr("empty"));
    EXPECT_THAT(complaint("1, 2"), HasSubstr("2 values"));
}

}  // namespace
}  // namespace halocline
