// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Errors of `halocline::math` against mpmath, at the points of make_references.py.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

#include "functions_under_test.hpp"
#include "support/bits.hpp"

namespace halocline::test {

namespace {

/// What make_references.py writes in a line.
struct Reference {
    double x = 0.0;
    double y = 0.0;
    double nearest = 0.0;
    int last_bit = 0;
    double above = 0.0;  ///< units of the last bit from `nearest` to the exact result
};

/// Streams read no hexadecimal numbers.
double hexadecimal(std::istream& in) {
    std::string word;
    in >> word;
    return std::strtod(word.c_str(), nullptr);
}

bool read(std::istream& in, Reference& point) {
    point.x = hexadecimal(in);
    point.y = hexadecimal(in);
    point.nearest = hexadecimal(in);
    return static_cast<bool>(in >> point.last_bit >> point.above);
}

/// In units of the last bit. The difference is exact where it is small, and large where it is not.
double error_of(double result, const Reference& point) {
    return std::fabs(std::ldexp(result - point.nearest, -point.last_bit) - point.above);
}

/// Promised bounds (docs/kernels.md). Half a unit is the last rounding; the rest are the roundings of
/// what is added last, by its share of the result: e^x 0.068 thrice, tanh x the same in numerator and
/// denominator, atan and ln what their first cubic terms are. Numbers that were multiplied by a long
/// logarithm, and roots, have no such share.
const std::map<std::string, double>& bounds() {
    static const std::map<std::string, double> list{
        {"exp", 0.67},  {"exp2", 0.67},  {"log", 0.60}, {"log2", 0.51}, {"log10", 0.51},
        {"pow", 0.67},  {"hypot", 0.51}, {"sin", 0.65}, {"cos", 0.65},  {"tan", 0.70},
        {"atan", 0.70}, {"atan2", 0.70}, {"tanh", 0.80}};
    return list;
}

/// A subnormal result is rounded a second time, after half of its bits or less were dropped.
double bound_of(const std::string& name, const Reference& point) {
    return bounds().at(name) + (point.last_bit == -1074 ? 0.25 : 0.0);
}

TEST(MathAccuracy, StaysWithinThePromisedBounds) {
    const char* folder = std::getenv("HALOCLINE_MATH_REFERENCES");
    ASSERT_NE(folder, nullptr) << "set it to the folder that make_references.py wrote";
    for_rounded_functions([&](auto function) {
        const std::string path = std::string(folder) + "/" + function.name + ".txt";
        std::ifstream in(path);
        double worst = 0.0;
        double worst_subnormal = 0.0;
        long points = 0;
        for (Reference point; read(in, point); ++points) {
            const double error = error_of(function.call(point.x, point.y), point);
            double& largest = point.last_bit == -1074 ? worst_subnormal : worst;
            largest = std::isnan(error) || error > largest ? error : largest;
            ASSERT_LE(error, bound_of(function.name, point))
                << std::hexfloat << function.name << "(" << point.x << ", " << point.y << ")";
        }
        EXPECT_GE(points, 1000) << path;
        std::printf("%-6s %8ld points, largest error %.3f, of subnormal results %.3f\n",
                    function.name, points, worst, worst_subnormal);
    });
}

}  // namespace

}  // namespace halocline::test
