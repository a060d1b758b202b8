// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Packs and elements take turns, then the faster of them stays.
#include "halocline/backend/faster_way.hpp"

#include <gtest/gtest.h>

namespace halocline::test {

namespace {

using Way = FasterWay::Way;

const FasterWay::Allowed both(0b101);
const FasterWay::Allowed all(0b111);

/// Calls until it has chosen; `seconds(way, calls before)`.
template <class Seconds>
int call_until_chosen(FasterWay& faster, FasterWay::Allowed allowed, Seconds seconds) {
    int calls = 0;
    for (; faster.is_trying(allowed) && calls < 100; ++calls) {
        const Way way = faster.turn(allowed);
        faster.note(way, seconds(way, calls));
    }
    return calls;
}

/// The way chosen after calls in which packs and elements took so long, in seconds.
Way chosen(double packs_s, double elements_s) {
    FasterWay faster;
    call_until_chosen(faster, both,
                      [&](Way way, int) { return way == Way::packs ? packs_s : elements_s; });
    return faster.turn(both);
}

TEST(FasterWay, TakesTurnsBeginningWithPacks) {
    FasterWay faster;
    for (const Way expected : {Way::packs, Way::cached_packs, Way::elements, Way::packs}) {
        EXPECT_EQ(faster.turn(all), expected);
        faster.note(expected, 1.0);
    }
}

TEST(FasterWay, KeepsTheFaster) {
    EXPECT_EQ(chosen(1.0, 0.8), Way::elements);
    EXPECT_EQ(chosen(0.8, 1.0), Way::packs);
}

TEST(FasterWay, KeepsPacksWhereThereIsNoDifferenceToSpeakOf) {
    EXPECT_EQ(chosen(1.0, 0.99), Way::packs);
}

TEST(FasterWay, DoesNotLookAtFirstCallsNorAtOutliers) {
    FasterWay faster;
    call_until_chosen(faster, both, [&](Way way, int calls) {
        if (calls < 2) {
            return way == Way::packs ? 0.0 : 9.0;
        }
        return way == Way::packs ? 1.0 : (calls == 5 ? 7.0 : 0.9);
    });
    EXPECT_EQ(faster.turn(both), Way::elements);
}

TEST(FasterWay, TriesWhatIsFarSlowerNoMoreThanTwice) {
    FasterWay faster;
    int slow = 0;
    const int calls = call_until_chosen(faster, both, [&](Way way, int) {
        slow += way == Way::elements ? 1 : 0;
        return way == Way::elements ? 2.0 : 1.0;
    });
    EXPECT_EQ(slow, 2);
    EXPECT_LT(calls, 2 * FasterWay::trials);
    EXPECT_EQ(faster.turn(both), Way::packs);
}

TEST(FasterWay, LooksLongerAtWaysThatAreClose) {
    FasterWay faster;
    const int calls = call_until_chosen(faster, both, [](Way way, int before) {
        if (way == Way::packs) {
            return 1.0;
        }
        return before < 2 * FasterWay::trials ? 1.05 : 0.8;
    });
    EXPECT_GT(calls, 2 * FasterWay::trials);
    EXPECT_EQ(faster.turn(both), Way::elements);
}

TEST(FasterWay, TakesNoTimeWhereThereIsNoChoice) {
    const FasterWay faster;
    EXPECT_FALSE(faster.is_trying(FasterWay::only_packs()));
    EXPECT_EQ(faster.turn(FasterWay::only_packs()), Way::packs);
}

TEST(FasterWay, LeavesAWayThatMayNoLongerBeTaken) {
    FasterWay faster;
    call_until_chosen(faster, both, [](Way way, int) { return way == Way::packs ? 1.0 : 0.8; });
    EXPECT_EQ(faster.turn(FasterWay::only_packs()), Way::packs);
}

TEST(FasterWay, TriesAWayThatMayBeTakenLater) {
    FasterWay faster;
    call_until_chosen(faster, both, [](Way, int) { return 1.0; });
    EXPECT_TRUE(faster.is_trying(all));
    EXPECT_EQ(faster.turn(all), Way::cached_packs);
}

}  // namespace

}  // namespace halocline::test
