// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Packs and elements take turns, then the faster of them stays.
#include "halocline/backend/variant_choice.hpp"

#include <gtest/gtest.h>

namespace halocline::test {

namespace {

using Variant = VariantChoice::Variant;

const VariantChoice::Allowed both(0b101);
const VariantChoice::Allowed all(0b111);

/// Calls until it has chosen; `seconds(variant, calls before)`.
template <class Seconds>
int call_until_chosen(VariantChoice& faster, VariantChoice::Allowed allowed, Seconds seconds) {
    int calls = 0;
    for (; faster.has_trials_left(allowed) && calls < 100; ++calls) {
        const Variant variant = faster.next(allowed);
        faster.note(variant, seconds(variant, calls));
    }
    return calls;
}

/// The variant chosen after calls in which packs and elements took so long, in seconds.
Variant chosen(double packs_s, double elements_s) {
    VariantChoice faster;
    call_until_chosen(faster, both, [&](Variant variant, int) {
        return variant == Variant::packs ? packs_s : elements_s;
    });
    return faster.next(both);
}

TEST(VariantChoice, TakesTurnsBeginningWithPacks) {
    VariantChoice faster;
    for (const Variant expected :
         {Variant::packs, Variant::packs, Variant::cached_packs, Variant::cached_packs,
          Variant::elements, Variant::elements, Variant::packs}) {
        EXPECT_EQ(faster.next(all), expected);
        faster.note(expected, 1.0);
    }
}

TEST(VariantChoice, KeepsTheFaster) {
    EXPECT_EQ(chosen(1.0, 0.8), Variant::elements);
    EXPECT_EQ(chosen(0.8, 1.0), Variant::packs);
}

TEST(VariantChoice, KeepsPacksWhereThereIsNoDifferenceToSpeakOf) {
    EXPECT_EQ(chosen(1.0, 0.99), Variant::packs);
}

/// The first call of a turn finds in the caches what the other variant left there.
TEST(VariantChoice, DoesNotLookAtTheFirstCallsOfTurnsNorAtOutliers) {
    VariantChoice faster;
    call_until_chosen(faster, both, [&](Variant variant, int calls) {
        if (calls % VariantChoice::calls_a_turn == 0) {
            return variant == Variant::packs ? 0.0 : 9.0;
        }
        return variant == Variant::packs ? 1.0 : (calls == 7 ? 7.0 : 0.9);
    });
    EXPECT_EQ(faster.next(both), Variant::elements);
}

TEST(VariantChoice, TriesWhatIsFarSlowerNoMoreThanTwice) {
    VariantChoice faster;
    int slow = 0;
    const int calls = call_until_chosen(faster, both, [&](Variant variant, int) {
        slow += variant == Variant::elements ? 1 : 0;
        return variant == Variant::elements ? 2.0 : 1.0;
    });
    EXPECT_EQ(slow, 2);
    EXPECT_LT(calls, 2 * VariantChoice::trials);
    EXPECT_EQ(faster.next(both), Variant::packs);
}

TEST(VariantChoice, LooksLongerAtWaysThatAreClose) {
    VariantChoice faster;
    const int calls = call_until_chosen(faster, both, [](Variant variant, int before) {
        if (variant == Variant::packs) {
            return 1.0;
        }
        return before < 2 * VariantChoice::trials ? 1.05 : 0.8;
    });
    EXPECT_GT(calls, 2 * VariantChoice::trials);
    EXPECT_EQ(faster.next(both), Variant::elements);
}

TEST(VariantChoice, KnowsTheFastestOfSome) {
    VariantChoice faster;
    const VariantChoice::Allowed rows = VariantChoice::only(Variant::elements_in_rows);
    EXPECT_EQ(faster.next(rows), Variant::elements_in_rows);
    call_until_chosen(faster, both | rows, [](Variant variant, int) {
        return variant == Variant::packs ? 1.25 : variant == Variant::elements ? 1.2 : 1.0;
    });
    EXPECT_EQ(faster.least_s(both), 1.2);
    EXPECT_EQ(faster.next(both), Variant::elements);
    EXPECT_EQ(faster.next(both | rows), Variant::elements_in_rows);
    EXPECT_FALSE(faster.has_trials_left(rows));
}

TEST(VariantChoice, LeavesAWayThatMayNoLongerBeTaken) {
    VariantChoice faster;
    call_until_chosen(faster, both,
                      [](Variant variant, int) { return variant == Variant::packs ? 1.0 : 0.8; });
    EXPECT_EQ(faster.next(VariantChoice::only_packs()), Variant::packs);
}

TEST(VariantChoice, TriesAWayThatMayBeTakenLater) {
    VariantChoice faster;
    call_until_chosen(faster, both, [](Variant, int) { return 1.0; });
    EXPECT_TRUE(faster.has_trials_left(all));
    EXPECT_EQ(faster.next(all), Variant::cached_packs);
}

/// Runs as many calls as stand before the second round.
void settle(VariantChoice& faster, VariantChoice::Allowed allowed) {
    for (int call = 0; call < VariantChoice::calls_to_second_round; ++call) {
        EXPECT_FALSE(faster.has_trials_left(allowed)) << call;
        faster.note_settled(allowed);
    }
}

TEST(VariantChoice, LooksAgainWhereTheFirstRoundWasDisturbed) {
    VariantChoice faster;
    call_until_chosen(faster, both, [](Variant variant, int) {
        return variant == Variant::packs ? 1.0 : 1.4;  // elements take 0.8 else
    });
    settle(faster, both);
    EXPECT_TRUE(faster.has_trials_left(both));
    call_until_chosen(faster, both,
                      [](Variant variant, int) { return variant == Variant::packs ? 1.0 : 0.8; });
    EXPECT_EQ(faster.next(both), Variant::elements);
}

TEST(VariantChoice, BelievesTheLastRoundWhereEarlierTimesWereBetter) {
    VariantChoice faster;
    call_until_chosen(faster, both,
                      [](Variant variant, int) { return variant == Variant::packs ? 0.5 : 0.9; });
    settle(faster, both);
    call_until_chosen(faster, both,
                      [](Variant variant, int) { return variant == Variant::packs ? 1.2 : 0.9; });
    EXPECT_EQ(faster.next(both), Variant::elements);
}

/// Two-ended loops try elements in the second round; in a shuffled file these take 25 times as long.
TEST(VariantChoice, EndsATurnThatIsLostAfterItsFirstCall) {
    VariantChoice faster;
    const VariantChoice::Allowed packs = VariantChoice::only_packs();
    call_until_chosen(faster, packs, [](Variant, int) { return 1.0; });
    settle(faster, packs);
    int slow = 0;
    call_until_chosen(faster, both, [&](Variant variant, int) {
        slow += variant == Variant::elements ? 1 : 0;
        return variant == Variant::elements ? 25.0 : 1.0;
    });
    EXPECT_EQ(slow, 1);
    EXPECT_EQ(faster.next(both), Variant::packs);
}

TEST(VariantChoice, ComparesWithVariantsOfAnotherCall) {
    VariantChoice faster;
    const VariantChoice::Allowed rows = VariantChoice::only(Variant::elements_in_rows);
    call_until_chosen(faster, both, [](Variant, int) { return 1.0; });
    for (int call = 0; call < VariantChoice::calls_a_turn; ++call) {
        EXPECT_TRUE(faster.has_trials_left(rows, both));
        EXPECT_EQ(faster.next(rows, both), Variant::elements_in_rows);
        faster.note(Variant::elements_in_rows, 2.0);
    }
    EXPECT_FALSE(faster.has_trials_left(rows, both));
    EXPECT_TRUE(faster.has_trials_left(rows));
}

TEST(VariantChoice, KnowsWhichVariantsComeNearTheBest) {
    VariantChoice faster;
    EXPECT_FALSE(faster.is_near_best(Variant::elements, both));
    call_until_chosen(faster, both,
                      [](Variant variant, int) { return variant == Variant::packs ? 1.0 : 1.2; });
    EXPECT_TRUE(faster.is_near_best(Variant::elements, both));
    VariantChoice slower;
    call_until_chosen(slower, both,
                      [](Variant variant, int) { return variant == Variant::packs ? 1.0 : 1.4; });
    EXPECT_FALSE(slower.is_near_best(Variant::elements, both));
}

TEST(VariantChoice, LooksNoMoreAtWhatTakesTwiceAsLong) {
    VariantChoice faster;
    call_until_chosen(faster, both,
                      [](Variant variant, int) { return variant == Variant::packs ? 1.0 : 3.0; });
    settle(faster, both);
    int slow = 0;
    call_until_chosen(faster, both, [&](Variant variant, int) {
        slow += variant == Variant::elements ? 1 : 0;
        return 4.0;
    });
    EXPECT_EQ(slow, 0);
    EXPECT_EQ(faster.next(both), Variant::packs);
}

}  // namespace

}  // namespace halocline::test
