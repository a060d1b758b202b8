// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Packs and elements take turns, then the faster of them stays.
#include "halocline/backend/faster_way.hpp"

#include <gtest/gtest.h>

namespace halocline::test {

namespace {

using Way = FasterWay::Way;

/// After calls in which packs and elements took so long, in seconds.
FasterWay after_trials(double packs_s, double elements_s) {
    FasterWay faster;
    for (int call = 0; call < 2 * FasterWay::trials; ++call) {
        EXPECT_FALSE(faster.decided());
        faster.note(faster.turn() == Way::packs ? packs_s : elements_s);
    }
    EXPECT_TRUE(faster.decided());
    return faster;
}

TEST(FasterWay, TakesTurnsBeginningWithPacks) {
    FasterWay faster;
    EXPECT_EQ(faster.turn(), Way::packs);
    faster.note(1.0);
    EXPECT_EQ(faster.turn(), Way::elements);
}

TEST(FasterWay, KeepsTheFaster) {
    EXPECT_EQ(after_trials(1.0, 0.5).turn(), Way::elements);
    EXPECT_EQ(after_trials(0.5, 1.0).turn(), Way::packs);
}

TEST(FasterWay, KeepsPacksWhereThereIsNoDifferenceToSpeakOf) {
    EXPECT_EQ(after_trials(1.0, 0.99).turn(), Way::packs);
}

TEST(FasterWay, DoesNotLookAtFirstCallsNorAtOutliers) {
    FasterWay faster;
    faster.note(0.0);  // packs
    faster.note(9.0);  // elements
    for (int call = 2; call < 2 * FasterWay::trials; ++call) {
        faster.note(call % 2 == 0 ? 1.0 : (call == 3 ? 7.0 : 0.5));
    }
    EXPECT_EQ(faster.turn(), Way::elements);
}

}  // namespace

}  // namespace halocline::test
