// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The schedule of trials, played through with times made up here, and how buffers are cut.
#include "collectives/calibration.hpp"

#include "collectives/pieces.hpp"

#include <gtest/gtest.h>

namespace halocline::endpoints {
namespace {

constexpr double bytes = 8000.0;

/// Times of an imaginary machine, and what was spent on it.
struct Machine {
    double plain = 1.0;
    double split = 1.0;
    double spent = 0.0;
    int checks = 0;
    bool affordable = true;
    bool same_results = true;

    void call(Calibration& calibration) {
        switch (calibration.next()) {
            case Step::plain:
                spent += plain;
                break;
            case Step::split:
                spent += split;
                break;
            case Step::check:
                ++checks;
                spent += calibration.split_now() ? split : plain;
                calibration.answer_check(affordable);
                break;
            case Step::verify:
                spent += plain + split;
                calibration.answer_verify(same_results, plain, split);
                break;
            case Step::timed_plain:
                spent += plain;
                calibration.answer_time(plain, bytes);
                break;
            case Step::timed_split:
                spent += split;
                calibration.answer_time(split, bytes);
                break;
        }
    }

    void calls(Calibration& calibration, int count) {
        for (int k = 0; k < count; ++k) {
            call(calibration);
        }
    }
};

TEST(Calibration, KeepsSplitWhereItIsFaster) {
    Calibration calibration;
    Machine machine{.plain = 2.0, .split = 1.0};
    machine.calls(calibration, 1000);
    EXPECT_EQ(calibration.state(), State::on);
    EXPECT_GT(calibration.split_calls(), 950);
    EXPECT_DOUBLE_EQ(calibration.plain_seconds(), 2.0);
    EXPECT_DOUBLE_EQ(calibration.split_seconds(), 1.0);
}

TEST(Calibration, TurnsOffWhereSplitIsSlowerOrNoFaster) {
    for (const double split : {0.98, 1.0, 1.4, 50.0}) {
        Calibration calibration;
        Machine machine{.plain = 1.0, .split = split};
        machine.calls(calibration, 100000);
        EXPECT_TRUE(calibration.lost()) << split;
        EXPECT_LT(calibration.split_calls(), 20) << split;
    }
}

// 100 times slower: one verifying call, or two timed ones a trial, trials at calls 4, 100, 1600, ...
TEST(Calibration, TrialsThatLoseDieOut) {
    Calibration calibration;
    Machine machine{.plain = 1.0, .split = 100.0};
    machine.calls(calibration, 100000);
    EXPECT_LE(calibration.trials(), 5);
    EXPECT_LT(machine.spent, 100000.0 * 1.01);
}

TEST(Calibration, WaitsUntilTheRunCanAffordATrial) {
    Calibration calibration;
    Machine machine{.split = 0.5, .affordable = false};
    machine.calls(calibration, 1000);
    EXPECT_EQ(calibration.state(), State::waiting);
    EXPECT_EQ(calibration.split_calls(), 0);
    EXPECT_EQ(machine.checks, 8);  // at calls 4, 8, 16, ..., 512
    machine.affordable = true;
    machine.calls(calibration, 2000);
    EXPECT_EQ(calibration.state(), State::on);
}

TEST(Calibration, NeverSplitsAgainAfterAWrongResult) {
    Calibration calibration;
    Machine machine{.split = 0.1, .same_results = false};
    machine.calls(calibration, 10000);
    EXPECT_EQ(calibration.state(), State::wrong);
    EXPECT_EQ(calibration.split_calls(), 0);
    EXPECT_EQ(machine.checks, 1);
}

TEST(Calibration, ChangesItsMindWhenTheMachineDoes) {
    Calibration calibration;
    Machine machine{.plain = 2.0, .split = 1.0};
    machine.calls(calibration, 50);
    ASSERT_EQ(calibration.state(), State::on);
    machine.split = 5.0;
    machine.calls(calibration, 400);  // the next trial is at 16 times the calls of the first
    EXPECT_EQ(calibration.state(), State::off);
}

TEST(Calibration, PutsAnUnaskedTrialOff) {
    Calibration calibration;
    for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(calibration.next(), Step::plain);
    }
    EXPECT_EQ(calibration.next(), Step::check);
    calibration.postpone();
    for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(calibration.next(), Step::plain);
    }
    EXPECT_EQ(calibration.next(), Step::check);
}

TEST(Pieces, CoverTheWholeOnce) {
    for (const std::size_t total : {0UL, 1UL, 63UL, 64UL, 1000UL, 1048577UL}) {
        for (int pieces = 1; pieces <= 7; ++pieces) {
            for (const std::size_t unit : {1UL, 64UL}) {
                std::size_t next = 0;
                for (int index = 0; index < pieces; ++index) {
                    const Piece piece = piece_of(total, pieces, index, unit);
                    EXPECT_EQ(piece.first, next);
                    EXPECT_EQ(piece.first % unit, 0U);
                    next += piece.count;
                }
                EXPECT_EQ(next, total);
            }
        }
    }
}

TEST(Pieces, GiveTheRemainderToTheLast) {
    EXPECT_EQ(piece_of(1003, 4, 0).count, 250U);
    EXPECT_EQ(piece_of(1003, 4, 3).count, 253U);
}

TEST(Pieces, CountBeyondThirtyTwoBits) {
    constexpr std::size_t total = (std::size_t{1} << 34) + 5;
    EXPECT_EQ(piece_of(total, 2, 1, 64).first, std::size_t{1} << 33);
    EXPECT_EQ(piece_of(total, 2, 1, 64).count, (std::size_t{1} << 33) + 5);
}

}  // namespace
}  // namespace halocline::endpoints
