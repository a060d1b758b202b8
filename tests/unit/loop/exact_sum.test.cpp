// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Order-independent sums: against 128-bit integers, over orders, groupings and fake ranks.
#include "halocline/loop/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "support/bits.hpp"
#include "support/numbers.hpp"

namespace halocline {

namespace {

using test::same_bits;

double sum_in_order(const std::vector<double>& terms) {
    ExactSum sum;
    for (const double term : terms) {
        sum.add(term);
    }
    return sum.value();
}

double sum_in_packs(const std::vector<double>& terms) {
    ExactSum sum;
    for (std::size_t begin = 0; begin < terms.size(); begin += pack_lanes) {
        Pack pack(1e300);  // lanes beyond the end hold what must not count
        const int lanes = static_cast<int>(std::min<std::size_t>(pack_lanes, terms.size() - begin));
        for (int lane = 0; lane < lanes; ++lane) {
            pack.set(lane, terms[begin + static_cast<std::size_t>(lane)]);
        }
        sum.add(pack, Mask::first(lanes));
    }
    return sum.value();
}

/// Terms dealt out to `ranks` sums whose states are merged, last first.
double sum_over_fake_ranks(const std::vector<double>& terms, std::size_t ranks) {
    std::vector<ExactSum> sums(ranks);
    for (std::size_t i = 0; i < terms.size(); ++i) {
        sums[(i * i + 3 * i) % ranks].add(terms[i]);
    }
    ExactSum total;
    for (std::size_t rank = ranks; rank-- > 0;) {
        total.merge(sums[rank].state());
    }
    return total.value();
}

void shuffle(std::vector<double>& terms, int seed) {
    for (std::size_t i = terms.size(); i > 1; --i) {
        std::swap(terms[i - 1], terms[test::mix(seed, static_cast<GlobalIndex>(i), 0) % i]);
    }
}

/// Every order and grouping gives the bits of the first.
void expect_order_does_not_matter(std::vector<double> terms) {
    const double first = sum_in_order(terms);
    for (int seed = 0; seed < 20; ++seed) {
        shuffle(terms, seed);
        EXPECT_TRUE(same_bits(sum_in_order(terms), first)) << "order " << seed;
        EXPECT_TRUE(same_bits(sum_in_packs(terms), first)) << "packs, order " << seed;
        EXPECT_TRUE(same_bits(sum_over_fake_ranks(terms, 3), first)) << "3 ranks, order " << seed;
        EXPECT_TRUE(same_bits(sum_over_fake_ranks(terms, 7), first)) << "7 ranks, order " << seed;
    }
}

__extension__ using WideInteger = __int128;

/// The exact sum of multiples of 2^-60 below 2^40 in size, rounded once.
double exact(const std::vector<double>& terms) {
    WideInteger total = 0;
    for (const double term : terms) {
        total += static_cast<WideInteger>(std::ldexp(term, 60));
    }
    return std::ldexp(static_cast<double>(total), -60);
}

/// (number of terms) 2^-77 (largest term), and the rounding of the result.
double error_bound(const std::vector<double>& terms, double result) {
    double largest = 0.0;
    for (const double term : terms) {
        largest = std::max(largest, std::fabs(term));
    }
    return std::ldexp(static_cast<double>(terms.size()) * largest, -77) +
           std::ldexp(std::fabs(result), -52);
}

/// Terms of both signs between 2^low and 2^high, multiples of 2^-60.
std::vector<double> terms_between(int low, int high, int count, int seed) {
    std::vector<double> terms;
    for (int i = 0; i < count; ++i) {
        const auto spread = static_cast<unsigned>(high - low);
        const int exponent = low + static_cast<int>(test::mix(seed, i, 1) % spread);
        const double term = std::ldexp(1.0 + test::unit_number(seed, i, 2), exponent);
        terms.push_back((test::mix(seed, i, 3) & 1U) != 0 ? term : -term);
        terms.back() = std::ldexp(std::rint(std::ldexp(terms.back(), 60)), -60);
    }
    return terms;
}

TEST(ExactSum, OfNothingIsZero) {
    ExactSum sum;
    EXPECT_EQ(sum.value(), 0.0);
}

TEST(ExactSum, OfFewTermsIsExact) {
    EXPECT_EQ(sum_in_order({1.5}), 1.5);
    EXPECT_EQ(sum_in_order({1.0, 0x1p-50}), 1.0 + 0x1p-50);
    EXPECT_EQ(sum_in_order({0x1p30, 1.0, -0x1p30}), 1.0);
}

/// A larger term that waits behind a smaller one must not be counted on the smaller one's scale.
TEST(ExactSum, TakesTermsOfGrowingAndFallingSize) {
    EXPECT_EQ(sum_in_order({-27.0, 0.5}), -26.5);
    EXPECT_EQ(sum_in_order({0.5, -27.0}), -26.5);
    EXPECT_EQ(sum_in_order({1e10, 1.0, 1e-5, 2.0}), 10000000003.00001);
    EXPECT_EQ(sum_in_order({1e-5, 1.0, 1e10, 2.0}), 10000000003.00001);
}

TEST(ExactSum, OfExactNumbersIsExact) {
    std::vector<double> terms;
    double expected = 0.0;
    for (int i = 0; i < 5000; ++i) {
        terms.push_back(test::exact_number(3, i, 0));
        expected += terms.back();
    }
    EXPECT_EQ(sum_in_order(terms), expected);
    EXPECT_EQ(sum_in_packs(terms), expected);
}

TEST(ExactSum, StaysWithinItsErrorBound) {
    for (int seed = 0; seed < 40; ++seed) {
        const std::vector<double> terms = terms_between(-50, -40 + 2 * seed, 300, seed);
        const double result = sum_in_order(terms);
        EXPECT_LE(std::fabs(result - exact(terms)), error_bound(terms, result)) << seed;
    }
}

/// Terms far below the largest add up, they are not lost one by one.
TEST(ExactSum, CountsManyTermsFarBelowTheLargest) {
    for (const int exponent : {-53, -60, -70}) {
        std::vector<double> terms(4096, std::ldexp(0.99, exponent));
        terms.push_back(1.0);
        const double right = 1.0 + 4096 * std::ldexp(0.99, exponent);
        EXPECT_LE(std::fabs(sum_in_order(terms) - right), error_bound(terms, right)) << exponent;
    }
}

TEST(ExactSum, OfSimilarTermsDoesNotDependOnOrder) {
    expect_order_does_not_matter(terms_between(-4, 4, 500, 1));
}

TEST(ExactSum, AcrossOneOrTwoDigitsDoesNotDependOnOrder) {
    for (int seed = 0; seed < 20; ++seed) {
        expect_order_does_not_matter(terms_between(-30, 38, 64, seed));
        expect_order_does_not_matter(terms_between(20, 32, 9, seed));
    }
}

TEST(ExactSum, AcrossManyDigitsDoesNotDependOnOrder) {
    for (int seed = 0; seed < 20; ++seed) {
        std::vector<double> terms;
        for (int i = 0; i < 40; ++i) {
            const int exponent = static_cast<int>(test::mix(seed, i, 9) % 1700U) - 850;
            terms.push_back(std::ldexp(test::rough_number(seed, i, 4), exponent));
        }
        expect_order_does_not_matter(terms);
    }
}

/// Smaller by three digits: dropped or rounded up, but the same in both orders.
TEST(ExactSum, OfOneSmallAndOneLargeTermDoesNotDependOnOrder) {
    for (int shift = 20; shift < 120; ++shift) {
        for (const double small : {0.25, 0.5, 0.5000001, 0.75, 0.999}) {
            const double large = std::ldexp(1.0, shift);
            EXPECT_TRUE(same_bits(sum_in_order({small, large}), sum_in_order({large, small})))
                << small << " and 2^" << shift;
        }
    }
}

TEST(ExactSum, OfManyTermsKeepsCounting) {
    // More than 2^20 packs: the lanes' partial sums are moved on the way.
    ExactSum sum;
    const int packs = (1 << 20) + 5;
    for (int i = 0; i < packs; ++i) {
        sum.add(Pack(1.0 + 0x1p-40), Mask::first(pack_lanes));
    }
    EXPECT_EQ(sum.value(), double{pack_lanes} * packs * (1.0 + 0x1p-40));
}

TEST(ExactSum, OfWhatIsNotFiniteIsNan) {
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double bad : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_TRUE(std::isnan(sum_in_order({1.0, bad, 2.0})));
        EXPECT_TRUE(std::isnan(sum_in_packs({bad})));
        EXPECT_TRUE(std::isnan(sum_over_fake_ranks({1.0, bad, 2.0}, 3)));
    }
}

TEST(ExactSum, IgnoresInactiveLanesWhateverTheyHold) {
    ExactSum sum;
    Pack pack(std::numeric_limits<double>::quiet_NaN());
    pack.set(2, 4.0);
    sum.add(pack, Mask::from_bits(1U << 2));
    EXPECT_EQ(sum.value(), 4.0);
}

TEST(ExactSum, CanBeReadAndContinued) {
    ExactSum sum;
    sum.add(1.0);
    EXPECT_EQ(sum.value(), 1.0);
    sum.add(1e12);
    EXPECT_EQ(sum.value(), 1e12 + 1.0);
    ExactSum copy(sum.state());
    copy.add(-1.0);
    EXPECT_EQ(copy.value(), 1e12);
    EXPECT_EQ(sum.value(), 1e12 + 1.0);
}

/// Memory that held something else, as a stack does. Small sums raise no grid, which would hide it.
TEST(ExactSum, FromAStateIsComplete) {
    for (const double term : {0.0, 0x1p-900, 3.0}) {
        for (const int rubbish : {0x00, 0x3f, 0x7f, 0xc1, 0xff}) {
            ExactSum sum;
            sum.add(term);
            alignas(ExactSum) std::array<std::byte, sizeof(ExactSum)> memory;
            std::memset(memory.data(), rubbish, memory.size());
            asm volatile("" : : "r"(memory.data()) : "memory");  // or nobody would store the bytes
            auto* const copy = new (memory.data()) ExactSum(sum.state());
            EXPECT_EQ(copy->value(), term) << rubbish;
            copy->add(0x1p-40);
            copy->add(-term);
            EXPECT_EQ(copy->value(), 0x1p-40) << rubbish;
            std::destroy_at(copy);
        }
    }
}

TEST(ExactSum, TakesTinyAndHugeTerms) {
    EXPECT_EQ(sum_in_order({0x1p-900, 0x1p-900}), 0x1p-899);
    EXPECT_EQ(sum_in_order({0x1p970, 0x1p970}), 0x1p971);
}

}  // namespace

}  // namespace halocline
