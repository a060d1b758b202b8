// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Integers of kernels: one and a pack of them do the same, and never trap.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "halocline/loop/integer_pack.hpp"
#include "halocline/loop/integer_sum.hpp"
#include "halocline/loop/rows.hpp"

namespace halocline {
namespace {

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::array<std::int64_t, 12> samples{
    0, 1, -1, 2, -3, 1000003, -1000003, (std::int64_t{1} << 53) + 1, -5, 63, least, most};

IntegerPack pack_of(std::int64_t first, std::int64_t others) {
    IntegerPack pack = others;
    pack.set(pack_lanes - 1, first);
    return pack;
}

/// Calls `function` with one integer and with packs of which the last lane holds the same.
template <class Function>
void expect_alike(Function function) {
    for (const std::int64_t a : samples) {
        for (const std::int64_t b : samples) {
            const Integer<double> one = function(Integer<double>(a), Integer<double>(b));
            const IntegerPack packed = function(pack_of(a, 11), pack_of(b, 0));
            EXPECT_EQ(packed[pack_lanes - 1], one.lanes) << a << " and " << b;
        }
    }
}

TEST(Integers, ComputeAlikeInPacks) {
    expect_alike([](auto a, auto b) { return a + b; });
    expect_alike([](auto a, auto b) { return a - b; });
    expect_alike([](auto a, auto b) { return a * b; });
    expect_alike([](auto a, auto b) { return a / b; });
    expect_alike([](auto a, auto b) { return a % b; });
    expect_alike([](auto a, auto b) { return (a & b) | (~a ^ b); });
    expect_alike([](auto a, auto b) { return (a << 7) + (b >> 3) - 5; });
    expect_alike([](auto a, auto b) { return -min(a, b) + max(b, 3) * abs(a); });
    expect_alike(
        [](auto a, auto b) { return select(a < b || a == 3, a, 4) + select(!(a >= b), 1, b); });
    expect_alike([](auto a, auto b) { return to_integer(to_real(a) * to_real(b)); });
}

enum Group : std::int32_t { inner, wall, outflow = -3 };

TEST(Integers, MeetNamesOfEnums) {
    expect_alike([](auto a, auto b) {
        return select(a == outflow || b > wall, a & wall, b) + select(a != inner, wall, b);
    });
    EXPECT_EQ((Integer<double>(outflow) + wall).lanes, -2);
}

TEST(Integers, WrapAndDivideWithoutTraps) {
    using One = Integer<double>;
    EXPECT_EQ((One(most) + 1).lanes, least);
    EXPECT_EQ((One(least) / -1).lanes, least);
    EXPECT_EQ((One(least) % -1).lanes, 0);
    EXPECT_EQ((One(7) / 0).lanes, 0);
    EXPECT_EQ((One(-7) % 0).lanes, -7);
    EXPECT_EQ((One(-7) / 2).lanes, -3);
    EXPECT_EQ((One(-7) % 2).lanes, -1);
}

TEST(Integers, BecomeRealByRoundingToNearest) {
    EXPECT_EQ(to_real(Integer<double>((std::int64_t{1} << 53) + 1)), 0x1p53);
    EXPECT_EQ(to_real(Integer<double>((std::int64_t{1} << 53) + 3)), 0x1p53 + 4);
    EXPECT_EQ(to_integer(-2.99).lanes, -2);
    EXPECT_EQ(to_integer(0x1p62).lanes, std::int64_t{1} << 62);
    EXPECT_EQ(to_integer(0x1p63).lanes, least);
    EXPECT_EQ(to_integer(std::numeric_limits<double>::quiet_NaN()).lanes, least);
}

/// Around every power of two, where halves meet and where rounding begins, and at random.
TEST(Integers, BecomeRealInPacksAsAlone) {
    const auto expect_same_bits = [](std::int64_t a) {
        const Pack packed = to_real(pack_of(a, 11));
        EXPECT_EQ(std::bit_cast<std::uint64_t>(packed[pack_lanes - 1]),
                  std::bit_cast<std::uint64_t>(to_real(Integer<double>(a))))
            << a;
        EXPECT_EQ(packed[0], pack_lanes > 1 ? 11.0 : packed[0]);
    };
    for (int power = 0; power < 64; ++power) {
        for (std::uint64_t near = 0; near < 7; ++near) {
            const std::uint64_t bits = (std::uint64_t{1} << power) + near - 3;
            expect_same_bits(std::bit_cast<std::int64_t>(bits));
            expect_same_bits(std::bit_cast<std::int64_t>(~bits));
        }
    }
    std::uint64_t random = 1;
    for (int k = 0; k < 10000; ++k) {
        random = random * 6364136223846793005ULL + 1442695040888963407ULL;
        expect_same_bits(std::bit_cast<std::int64_t>(random ^ random >> 29) >> k % 60);
    }
}

TEST(IntegerSums, AreExactBeyondTheirWay) {
    IntegerSum sum;
    for (int i = 0; i < 100; ++i) {
        sum.add(most);
        sum.add(IntegerPack(least), Mask::first(1));
    }
    EXPECT_EQ(IntegerSum::value_of(sum.high(), sum.low()), -100);
    IntegerSum other;
    other.add(most);
    EXPECT_EQ(IntegerSum::value_of(other.high(), other.low()), most);
    other.merge(sum);
    EXPECT_EQ(IntegerSum::value_of(other.high(), other.low()), most - 100);
    other.add(101);
    EXPECT_EQ(IntegerSum::value_of(other.high(), other.low()), std::nullopt);
}

/// Rows of every width and type come as lanes, widened.
template <class T, int n>
void expect_rows() {
    alignas(64) std::array<T, 64 * 16> memory;
    for (std::size_t i = 0; i < memory.size(); ++i) {
        memory[i] = static_cast<T>(static_cast<double>(i) * 1.7 - 300.0);
    }
    const T* rows[pack_lanes];
    for (int lane = 0; lane < pack_lanes; ++lane) {
        rows[lane] = memory.data() + lane * 37 % 11 * n;
    }
    const auto values = detail::as_values<T>(load_rows<n>(rows));
    for (int d = 0; d < n; ++d) {
        for (int lane = 0; lane < pack_lanes; ++lane) {
            EXPECT_EQ(detail::narrowed_lane<T>(values[d], lane), rows[lane][d]) << n << ", " << d;
        }
    }
}

template <class T>
void expect_rows_of_any_width() {
    [&]<int... n>(std::integer_sequence<int, n...>) { (expect_rows<T, n + 1>(), ...); }
    (std::make_integer_sequence<int, 17>{});
}

TEST(StoredRows, AreWidenedWhateverTheirTypeAndWidth) {
    expect_rows_of_any_width<float>();
    expect_rows_of_any_width<std::int32_t>();
    expect_rows_of_any_width<std::int64_t>();
    expect_rows_of_any_width<double>();
}

}  // namespace
}  // namespace halocline
