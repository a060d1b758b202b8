// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The functions of `halocline::math` as a list, each for doubles and packs.
#pragma once

#include "halocline/loop/pack_math.hpp"
#include "support/numbers.hpp"

namespace halocline::test {

/// One function of `math`; `y` is what functions of one number ignore.
template <class F>
struct FunctionUnderTest {
    const char* name;
    F call;
};

/// Calls visit(FunctionUnderTest) for the functions whose exact results are not doubles.
template <class Visit>
void for_rounded_functions(Visit&& visit) {
    visit(FunctionUnderTest{"exp", [](auto x, auto) { return math::exp(x); }});
    visit(FunctionUnderTest{"exp2", [](auto x, auto) { return math::exp2(x); }});
    visit(FunctionUnderTest{"log", [](auto x, auto) { return math::log(x); }});
    visit(FunctionUnderTest{"log2", [](auto x, auto) { return math::log2(x); }});
    visit(FunctionUnderTest{"log10", [](auto x, auto) { return math::log10(x); }});
    visit(FunctionUnderTest{"pow", [](auto x, auto y) { return math::pow(x, y); }});
    visit(FunctionUnderTest{"hypot", [](auto x, auto y) { return math::hypot(x, y); }});
    visit(FunctionUnderTest{"sin", [](auto x, auto) { return math::sin(x); }});
    visit(FunctionUnderTest{"cos", [](auto x, auto) { return math::cos(x); }});
    visit(FunctionUnderTest{"tan", [](auto x, auto) { return math::tan(x); }});
    visit(FunctionUnderTest{"atan", [](auto x, auto) { return math::atan(x); }});
    visit(FunctionUnderTest{"atan2", [](auto y, auto x) { return math::atan2(y, x); }});
    visit(FunctionUnderTest{"tanh", [](auto x, auto) { return math::tanh(x); }});
}

/// The same for those whose results are exact.
template <class Visit>
void for_exact_functions(Visit&& visit) {
    visit(FunctionUnderTest{"floor", [](auto x, auto) { return math::floor(x); }});
    visit(FunctionUnderTest{"ceil", [](auto x, auto) { return math::ceil(x); }});
    visit(FunctionUnderTest{"trunc", [](auto x, auto) { return math::trunc(x); }});
    visit(FunctionUnderTest{"round", [](auto x, auto) { return math::round(x); }});
    visit(FunctionUnderTest{"copysign", [](auto x, auto y) { return math::copysign(x, y); }});
}

/// Argument `i` of a list that depends on no machine: all doubles, and sizes about 1.
inline double argument(GlobalIndex i, int which) {
    const std::uint64_t bits = mix(4711, i, which);
    constexpr std::uint64_t spans[] = {2048, 6, 40, 128};
    const std::uint64_t span = spans[i % 4];
    const std::uint64_t exponent =
        span == 2048 ? (bits >> 52) % span : 1023 - span / 2 + (bits >> 52) % span;
    return math::detail::from_bits<double>((bits & 0x800fffffffffffff) | exponent << 52);
}

}  // namespace halocline::test
