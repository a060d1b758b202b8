// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Packs compute in every lane what scalars compute, to the last bit.
#include "halocline/loop/pack.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

#include "support/bits.hpp"
#include "support/numbers.hpp"

namespace halocline {

namespace {

using test::same_number;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Everything awkward, and ordinary numbers of all sizes.
const std::vector<double>& operands() {
    static const std::vector<double> values = [] {
        std::vector<double> list{0.0,
                                 -0.0,
                                 1.0,
                                 -1.0,
                                 infinity,
                                 -infinity,
                                 nan,
                                 5e-324,
                                 -5e-324,
                                 2.2250738585072014e-308,
                                 1.7976931348623157e308,
                                 -1.7976931348623157e308,
                                 1.0 + 0x1p-52,
                                 0.1,
                                 3.0,
                                 1e-200,
                                 1e200};
        for (int i = 0; i < 24; ++i) {
            list.push_back(std::ldexp(test::rough_number(1, i, 0), (i % 7) * 40 - 120));
        }
        return list;
    }();
    return values;
}

/// Calls check(pack of operands starting at i, their scalars) for every start.
template <class Check>
void for_packs(Check&& check, std::size_t stride = 1) {
    const std::vector<double>& all = operands();
    for (std::size_t start = 0; start < all.size(); start += stride) {
        Pack pack(0.0);
        std::array<double, pack_lanes> scalars{};
        for (int lane = 0; lane < pack_lanes; ++lane) {
            scalars[static_cast<std::size_t>(lane)] =
                all[(start + static_cast<std::size_t>(lane) * 5) % all.size()];
            pack.set(lane, scalars[static_cast<std::size_t>(lane)]);
        }
        check(pack, scalars);
    }
}

template <class Operation>
void expect_same_unary(Operation&& operation) {
    for_packs([&](Pack a, const auto& scalars) {
        const Pack result = operation(a);
        for (int lane = 0; lane < pack_lanes; ++lane) {
            const double x = scalars[static_cast<std::size_t>(lane)];
            EXPECT_TRUE(same_number(result[lane], operation(x))) << x;
        }
    });
}

template <class Operation>
void expect_same_binary(Operation&& operation) {
    for_packs([&](Pack a, const auto& left) {
        for (const double y : operands()) {
            const Pack result = operation(a, Pack(y));
            for (int lane = 0; lane < pack_lanes; ++lane) {
                const double x = left[static_cast<std::size_t>(lane)];
                EXPECT_TRUE(same_number(result[lane], operation(x, y))) << x << ", " << y;
            }
        }
    });
}

TEST(Pack, AddsSubtractsMultipliesAndDividesLikeScalars) {
    expect_same_binary([](auto a, auto b) { return a + b; });
    expect_same_binary([](auto a, auto b) { return a - b; });
    expect_same_binary([](auto a, auto b) { return a * b; });
    expect_same_binary([](auto a, auto b) { return a / b; });
    expect_same_unary([](auto a) { return -a; });
    expect_same_unary([](auto a) { return +a; });
}

TEST(Pack, CompoundAssignmentIsTheOperation) {
    expect_same_binary([](auto a, auto b) {
        a += b;
        a *= b;
        a -= b;
        a /= b;
        return a;
    });
}

TEST(Pack, RootsAbsoluteValuesAndExtremesAreThoseOfScalars) {
    expect_same_unary([](auto a) { return sqrt(a); });
    expect_same_unary([](auto a) { return cbrt(a); });
    expect_same_unary([](auto a) { return abs(a); });
    expect_same_binary([](auto a, auto b) { return min(a, b); });
    expect_same_binary([](auto a, auto b) { return max(a, b); });
}

TEST(Pack, SelectsByEachComparison) {
    expect_same_binary([](auto a, auto b) { return select(a < b, a, b); });
    expect_same_binary([](auto a, auto b) { return select(a <= b, a, b); });
    expect_same_binary([](auto a, auto b) { return select(a > b, a, b); });
    expect_same_binary([](auto a, auto b) { return select(a >= b, a, b); });
    expect_same_binary([](auto a, auto b) { return select(a == b, a, b - a); });
    expect_same_binary([](auto a, auto b) { return select(a != b, a, b - a); });
    expect_same_unary([](auto a) { return select(is_finite(a), a, decltype(a)(-7.0)); });
}

TEST(Pack, ComparesWithDoublesOnEitherSide) {
    for (const double c : operands()) {
        expect_same_unary([c](auto a) { return select(a < c, a, decltype(a)(7.0)); });
        expect_same_unary([c](auto a) { return select(c <= a, a, decltype(a)(7.0)); });
        expect_same_unary([c](auto a) { return select(a == c, -a, decltype(a)(7.0)); });
        expect_same_unary([c](auto a) { return select(c != a, -a, decltype(a)(7.0)); });
    }
}

TEST(Pack, JoinsConditionsLikeScalars) {
    for (const bool flag : {false, true}) {
        expect_same_binary([flag](auto a, auto b) {
            return select((a < b && flag) || !(a == b), a, decltype(a)(7.0));
        });
        expect_same_binary([flag](auto a, auto b) {
            return select((flag || a > 0.0) != (b > 0.0), a, decltype(a)(7.0));
        });
    }
}

TEST(Pack, MultiplyAddRoundsAsOftenAsTheScalar) {
    for (const double c : operands()) {
        expect_same_binary([c](auto a, auto b) { return multiply_add(a, b, decltype(a)(c)); });
    }
}

TEST(Pack, KeepsTheSignOfZeroInAllLanes) {
    const Pack negative_zero(-0.0);
    for (int lane = 0; lane < pack_lanes; ++lane) {
        EXPECT_TRUE(std::signbit(negative_zero[lane]));
    }
}

TEST(Pack, LoadsAndStoresInOrder) {
    alignas(64) double from[pack_lanes] = {};
    alignas(64) double to[pack_lanes] = {};
    std::iota(std::begin(from), std::end(from), 1.0);
    const Pack pack = Pack::load(from);
    EXPECT_EQ(pack[0], 1.0);
    EXPECT_EQ(pack[pack_lanes - 1], double{pack_lanes});
    pack.store(to);
    EXPECT_TRUE(test::same_numbers(to, from));
}

/// Lanes of a mask as bits, through what kernels can see of it.
unsigned bits_of(Mask mask) {
    unsigned bits = 0;
    const Pack ones = select(mask, Pack(1.0), Pack(0.0));
    for (int lane = 0; lane < pack_lanes; ++lane) {
        bits |= ones[lane] == 1.0 ? 1U << lane : 0U;
    }
    return bits;
}

TEST(Mask, FirstSetsThatManyLanes) {
    for (int count = 0; count <= pack_lanes; ++count) {
        EXPECT_EQ(bits_of(Mask::first(count)), (1U << count) - 1U);
    }
}

TEST(Mask, FromBitsSetsThoseLanes) {
    for (unsigned bits = 0; bits < 1U << pack_lanes; ++bits) {
        EXPECT_EQ(bits_of(Mask::from_bits(bits)), bits);
        EXPECT_EQ(Mask::from_bits(bits).any(), bits != 0);
    }
}

TEST(Mask, CombinesLaneByLane) {
    constexpr unsigned all = (1U << pack_lanes) - 1U;
    for (unsigned bits = 0; bits <= all; ++bits) {
        const unsigned others = (bits * 5U + 3U) & all;
        const Mask a = Mask::from_bits(bits);
        const Mask b = Mask::from_bits(others);
        EXPECT_EQ(bits_of(a & b), bits & others);
        EXPECT_EQ(bits_of(a | b), bits | others);
        EXPECT_EQ(bits_of(!a), ~bits & all);
        EXPECT_EQ(bits_of(a && b), bits & others);
        EXPECT_EQ(bits_of(a || b), bits | others);
        EXPECT_EQ(bits_of(a == b), ~(bits ^ others) & all);
        EXPECT_EQ(bits_of(a != b), bits ^ others);
    }
}

TEST(Mask, TakesTruthValuesOnly) {
    EXPECT_EQ(bits_of(Mask(true)), (1U << pack_lanes) - 1U);
    EXPECT_EQ(bits_of(Mask(false)), 0U);
    static_assert(!std::is_convertible_v<int, Mask> && !std::is_convertible_v<const char*, Mask>);
}

}  // namespace

}  // namespace halocline
