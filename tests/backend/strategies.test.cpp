// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Strategies of device loops: words, requests by name, turns and choice; additions from several threads.
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <thread>
#include <vector>

#include "halocline/backend/device/element_run.hpp"
#include "halocline/backend/device/strategy.hpp"
#include "support/bits.hpp"

namespace halocline::test {

namespace {

using device::StrategyEntry;
using device::StrategyTable;

constexpr DeviceStrategy gather = DeviceStrategy::gather;
constexpr DeviceStrategy atomics = DeviceStrategy::atomics;
constexpr DeviceStrategy automatic = DeviceStrategy::automatic;
constexpr std::array<std::string_view, 2> members{"edges", "marks"};

StrategyOptions options_with(DeviceStrategy usual,
                             std::vector<device::StrategyRequest> by_name = {}) {
    return {usual, std::move(by_name), false, {}};
}

TEST(Strategies, HaveNames) {
    for (const DeviceStrategy strategy : {gather, atomics, automatic}) {
        EXPECT_EQ(device::strategy_from_name(device::strategy_name(strategy)), strategy);
    }
    try {
        static_cast<void>(device::strategy_from_name("gahter"));
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find("Did you mean 'gather'?"), std::string::npos);
    }
}

/// What names a loop more closely counts: level, then chain, then a loop within, then the default.
TEST(Strategies, AreAskedForByName) {
    StrategyTable table(
        options_with(gather, {{"marks", atomics}, {"chain", automatic}, {"chain.L2", gather}}));
    EXPECT_EQ(table.entry({"other", 0}, {}, {}).turn(), gather);
    EXPECT_EQ(table.entry({"second", 0}, members, {}).turn(), atomics);
    EXPECT_FALSE(table.entry({"chain", 0}, members, {}).decided());
    EXPECT_TRUE(table.entry({"chain", 2}, members, {}).decided());
    EXPECT_TRUE(table.pending());
    EXPECT_EQ(table.find("chain", 1), nullptr);
}

TEST(Strategies, ThatDoNotFitAreNotTaken) {
    StrategyTable table(options_with(atomics, {{"asked", atomics}}));
    EXPECT_EQ(table.entry("usual", {}, {true, false}).turn(), gather);
    EXPECT_THROW(table.entry("asked", {}, {true, false}), ContractError);
    StrategyTable measuring(options_with(automatic));
    EXPECT_EQ(measuring.entry("no_gather", {}, {false, true}).turn(), atomics);
    EXPECT_EQ(measuring.entry("no_atomics", {}, {true, false}).turn(), gather);
    EXPECT_FALSE(measuring.pending());
}

TEST(Strategies, OfReproducibleRunsGather) {
    EXPECT_THROW(StrategyTable({atomics, {}, true, {}}), ContractError);
    EXPECT_THROW(StrategyTable({gather, {{"loop", atomics}}, true, {}}), ContractError);
    const StrategyOptions options{automatic, {}, true, {}};
    EXPECT_FALSE(device::measures_strategies(options));
    StrategyTable table(options);
    EXPECT_EQ(table.entry("loop", {}, {}).turn(), gather);
    EXPECT_FALSE(table.pending());
}

/// The first execution of each loads kernels: it does not count, however slow.
TEST(Strategies, TakeTurnsUntilTheFasterIsKnown) {
    StrategyEntry entry("loop", automatic, {});
    const std::vector<double> seconds{1.0, 9.0, 4.0, 3.5, 5.0, 3.0, 6.0, 8.0};
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        EXPECT_FALSE(entry.complete());
        EXPECT_EQ(entry.turn(), i % 2 == 0 ? gather : atomics);
        entry.note(seconds[i]);
    }
    EXPECT_TRUE(entry.complete());
    EXPECT_EQ(entry.seconds(gather), 4.0);
    EXPECT_EQ(entry.seconds(atomics), 3.0);
    entry.choose(4.0, 4.5);  // another rank's were slower
    EXPECT_EQ(entry.turn(), gather);
    EXPECT_EQ(entry.seconds(atomics), 4.5);
}

constexpr int threads = 4;

template <class Work>
void on_all_threads(Work work) {
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t) {
        all.emplace_back(work, t);
    }
    for (std::thread& one : all) {
        one.join();
    }
}

TEST(AtomicChanges, LoseNoAddition) {
    double sum = 0.0;
    constexpr int additions = 20000;
    on_all_threads([&](int t) {
        for (int i = 0; i < additions; ++i) {
            device::detail::add_atomically(sum, t + 1);
        }
    });
    EXPECT_EQ(sum, 10.0 * additions);
}

TEST(AtomicChanges, KeepTheExtremesOfATotalOrder) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    double broken = 1.0;
    double zero = 0.0;
    on_all_threads([&](int t) {
        for (int i = 0; i < 5000; ++i) {
            const double value = (i * 7919 % 5000 - 2500) * threads + t;
            device::detail::join_extreme_atomically<true>(low, value);
            device::detail::join_extreme_atomically<false>(high, value);
        }
        device::detail::join_extreme_atomically<true>(
            broken, t == 1 ? std::numeric_limits<double>::quiet_NaN() : -1.0 - t);
        device::detail::join_extreme_atomically<true>(zero, -0.0);
    });
    EXPECT_EQ(low, -2500.0 * threads);
    EXPECT_EQ(high, 2499.0 * threads + threads - 1);
    EXPECT_NE(broken, broken);
    EXPECT_TRUE(same_bits(zero, -0.0));
}

}  // namespace

}  // namespace halocline::test
