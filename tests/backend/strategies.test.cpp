// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Strategies of device loops: words, requests by name, and what does not fit.
#include "halocline/backend/device/plans/strategy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "halocline/core/error.hpp"

namespace halocline::test {

namespace {

using device::StrategyTable;

constexpr DeviceStrategy gather = DeviceStrategy::gather;
constexpr DeviceStrategy once = DeviceStrategy::once;
constexpr std::array<std::string_view, 2> members{"edges", "marks"};

TEST(Strategies, HaveNames) {
    for (const DeviceStrategy strategy : {gather, once}) {
        EXPECT_EQ(device::strategy_from_name(device::strategy_name(strategy)), strategy);
    }
    try {
        static_cast<void>(device::strategy_from_name("gahter"));
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("Did you mean 'gather'?"));
    }
}

/// What names a loop more closely counts: level, then chain, then a loop within, then the usual one.
TEST(Strategies, AreAskedForByName) {
    const StrategyTable table({gather, {{"marks", once}, {"chain", once}, {"chain.L2", gather}}});
    EXPECT_EQ(table.choose({"other", 0}, {}, {}), gather);
    EXPECT_EQ(table.choose({"second", 0}, members, {}), once);
    EXPECT_EQ(table.choose({"chain", 0}, members, {}), once);
    EXPECT_EQ(table.choose({"chain", 2}, members, {}), gather);
}

TEST(Strategies, ThatDoNotFitMakeWayForTheOtherUnlessAskedForByName) {
    const StrategyTable usually_gather({gather, {}});
    EXPECT_EQ(usually_gather.choose("loop", {}, {false, true}), once);
    const StrategyTable usually_once({once, {{"asked", once}, {"gathers", gather}}});
    EXPECT_EQ(usually_once.choose("loop", {}, {true, false}), gather);
    EXPECT_THROW(static_cast<void>(usually_once.choose("asked", {}, {true, false})), ContractError);
    EXPECT_THROW(static_cast<void>(usually_once.choose("gathers", {}, {false, true})),
                 ContractError);
}

}  // namespace

}  // namespace halocline::test
