// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Packs and elements take turns, then the faster of them stays; now and then the other challenges it.
#include "halocline/backend/variant_choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace halocline::test {

namespace {

using Variant = VariantChoice::Variant;

const VariantChoice::Allowed both(0b101);
const VariantChoice::Allowed all(0b111);
const VariantChoice::Allowed rows = VariantChoice::only(Variant::elements_in_rows);

/// Calls until it has chosen; `seconds(variant, calls before)`.
template <class Seconds>
int call_until_chosen(VariantChoice& faster, VariantChoice::Allowed allowed, Seconds seconds) {
    int calls = 0;
    for (; faster.is_trial(allowed) && calls < 100; ++calls) {
        const Variant variant = faster.next(allowed);
        faster.note(variant, seconds(variant, calls));
    }
    return calls;
}

/// Calls, of which trials are timed: `seconds(variant, calls before)`. Returns the variants.
template <class Seconds>
std::vector<Variant> call(VariantChoice& faster, VariantChoice::Allowed allowed, int calls,
                          Seconds seconds) {
    std::vector<Variant> called;
    for (int k = 0; k < calls; ++k) {
        called.push_back(faster.next(allowed));
        if (faster.is_trial(allowed)) {
            faster.note(called.back(), seconds(called.back(), k));
        } else {
            faster.note_settled(allowed);
        }
    }
    return called;
}

/// For `call`.
auto taking(double packs_s, double elements_s) {
    return [=](Variant variant, int) { return variant == Variant::packs ? packs_s : elements_s; };
}

/// The first calls, all of which are trials.
constexpr int first_calls = 2 * VariantChoice::first_turns * VariantChoice::calls_a_turn;

/// The variant chosen after calls in which packs and elements took so long, in seconds.
Variant chosen(double packs_s, double elements_s) {
    VariantChoice faster;
    call_until_chosen(faster, both, taking(packs_s, elements_s));
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

TEST(VariantChoice, TriesWhatIsFarSlowerFewerTimes) {
    const auto calls_of_slow = [](double seconds) {
        VariantChoice faster;
        int slow = 0;
        const int calls = call_until_chosen(faster, both, [&](Variant variant, int) {
            slow += variant == Variant::elements ? 1 : 0;
            return variant == Variant::elements ? seconds : 1.0;
        });
        EXPECT_LT(calls, first_calls);
        EXPECT_EQ(faster.next(both), Variant::packs);
        return slow;
    };
    EXPECT_EQ(calls_of_slow(2.1), VariantChoice::calls_a_turn);
    EXPECT_EQ(calls_of_slow(1.4), 2 * VariantChoice::calls_a_turn);
}

/// One disturbed turn is not enough.
TEST(VariantChoice, TriesAgainWhatIsSlowerOnce) {
    VariantChoice faster;
    int slow = 0;
    call_until_chosen(faster, both, [&](Variant variant, int) {
        slow += variant == Variant::elements ? 1 : 0;
        return variant == Variant::packs ? 1.0 : slow <= VariantChoice::calls_a_turn ? 1.8 : 0.8;
    });
    EXPECT_EQ(faster.next(both), Variant::elements);
}

TEST(VariantChoice, KnowsTheFastestOfSome) {
    VariantChoice faster;
    EXPECT_EQ(faster.next(rows), Variant::elements_in_rows);
    call_until_chosen(faster, both | rows, [](Variant variant, int) {
        return variant == Variant::packs ? 1.25 : variant == Variant::elements ? 1.2 : 1.0;
    });
    EXPECT_EQ(faster.least_s(both), 1.2);
    EXPECT_EQ(faster.next(both), Variant::elements);
    EXPECT_EQ(faster.next(both | rows), Variant::elements_in_rows);
    EXPECT_FALSE(faster.is_trial(rows));
}

TEST(VariantChoice, LeavesAWayThatMayNoLongerBeTaken) {
    VariantChoice faster;
    call_until_chosen(faster, both, taking(1.0, 0.8));
    EXPECT_EQ(faster.next(VariantChoice::only_packs()), Variant::packs);
}

TEST(VariantChoice, TriesAWayThatMayBeTakenLater) {
    VariantChoice faster;
    call_until_chosen(faster, both, [](Variant, int) { return 1.0; });
    EXPECT_TRUE(faster.is_trial(all));
    EXPECT_EQ(faster.next(all), Variant::cached_packs);
}

/// Calls that are no trials.
void settle(VariantChoice& faster, VariantChoice::Allowed allowed, int calls) {
    for (int call = 0; call < calls; ++call) {
        EXPECT_FALSE(faster.is_trial(allowed)) << call;
        faster.note_settled(allowed);
    }
}

/// A turn whose calls take so long.
void turn(VariantChoice& faster, Variant expected, double seconds) {
    for (int call = 0; call < VariantChoice::calls_a_turn; ++call) {
        EXPECT_TRUE(faster.is_trial(both));
        EXPECT_EQ(faster.next(both), expected);
        faster.note(expected, seconds);
    }
}

/// Elements are faster, and it is time for a duel.
VariantChoice settled_with_elements() {
    VariantChoice faster;
    EXPECT_EQ(call_until_chosen(faster, both, taking(1.0, 0.8)), first_calls);
    settle(faster, both, VariantChoice::calls_between_duels);
    return faster;
}

TEST(VariantChoice, LetsOthersChallengeTheFastestNowAndThen) {
    VariantChoice faster = settled_with_elements();
    turn(faster, Variant::packs, 1.0);
    turn(faster, Variant::elements, 0.8);
    settle(faster, both, VariantChoice::calls_between_duels);
    EXPECT_EQ(faster.next(both), Variant::packs);
}

TEST(VariantChoice, ReplacesTheFastestByWhoWinsTwoBouts) {
    VariantChoice faster = settled_with_elements();
    for (int bout = 0; bout < VariantChoice::bouts; ++bout) {
        turn(faster, Variant::packs, 0.7);
        turn(faster, Variant::elements, 0.8);
    }
    EXPECT_FALSE(faster.is_trial(both));
    EXPECT_EQ(faster.next(both), Variant::packs);
}

TEST(VariantChoice, KeepsTheFastestWhereOneBoutOfTwoIsLost) {
    VariantChoice faster = settled_with_elements();
    turn(faster, Variant::packs, 1.0);
    turn(faster, Variant::elements, 1.7);
    turn(faster, Variant::packs, 1.0);
    turn(faster, Variant::elements, 1.0);
    EXPECT_FALSE(faster.is_trial(both));
    EXPECT_EQ(faster.next(both), Variant::elements);
}

TEST(VariantChoice, ComparesTurnsBesideEachOtherOnly) {
    VariantChoice faster = settled_with_elements();
    turn(faster, Variant::packs, 0.5);  // faster than elements ever were, as these are now
    turn(faster, Variant::elements, 0.4);
    EXPECT_EQ(faster.next(both), Variant::elements);
    EXPECT_DOUBLE_EQ(faster.least_s(VariantChoice::only_packs()), 1.0);
}

TEST(VariantChoice, LetsAChallengerTryAgainThatWasDisturbed) {
    VariantChoice faster = settled_with_elements();
    turn(faster, Variant::packs, 5.0);
    turn(faster, Variant::elements, 0.8);
    EXPECT_DOUBLE_EQ(faster.least_s(VariantChoice::only_packs()), 1.0);
    settle(faster, both, VariantChoice::calls_between_duels);
    EXPECT_TRUE(faster.is_trial(both));
    EXPECT_EQ(faster.next(both), Variant::packs);
}

TEST(VariantChoice, LetsAChampionChallengeAgainThatWasDisturbedInItsDuel) {
    VariantChoice faster = settled_with_elements();
    for (int bout = 0; bout < VariantChoice::bouts; ++bout) {
        turn(faster, Variant::packs, 1.0);
        turn(faster, Variant::elements, 5.0);
    }
    settle(faster, both, VariantChoice::calls_between_duels);
    for (int bout = 0; bout < VariantChoice::bouts; ++bout) {
        turn(faster, Variant::elements, 0.8);
        turn(faster, Variant::packs, 1.0);
    }
    EXPECT_EQ(faster.next(both), Variant::elements);
}

TEST(VariantChoice, EndsADuelWhoseChampionMayNotRun) {
    VariantChoice faster = settled_with_elements();
    turn(faster, Variant::packs, 0.7);
    EXPECT_FALSE(faster.is_trial(VariantChoice::only_packs()));
    faster.note_settled(VariantChoice::only_packs());
    EXPECT_FALSE(faster.is_trial(both));
    EXPECT_EQ(faster.next(both), Variant::elements);
}

TEST(VariantChoice, LetsEachChallengeInTurn) {
    VariantChoice faster;
    std::vector<Variant> challengers;
    for (int k = 0; k < 500; ++k) {
        const bool is_trial = faster.is_trial(all);
        const Variant variant = faster.next(all);
        if (is_trial) {
            faster.note(variant, variant == Variant::packs ? 1.0 : 1.2);
        } else {
            faster.note_settled(all);
        }
        if (k > 200 && is_trial && variant != Variant::packs) {
            challengers.push_back(variant);
        }
    }
    ASSERT_GT(challengers.size(), 8);
    for (std::size_t k = 4; k < challengers.size(); ++k) {
        EXPECT_EQ(challengers[k], challengers[k - 4]);
    }
    EXPECT_NE(challengers[0], challengers[2]);
}

TEST(VariantChoice, DuelsGetRarer) {
    VariantChoice faster;
    const auto packs_of = [&](int calls) {
        const std::vector<Variant> called = call(faster, both, calls, taking(1.0, 0.8));
        return std::count(called.begin(), called.end(), Variant::packs);
    };
    packs_of(100);
    const auto at_first = packs_of(1000);
    EXPECT_GT(at_first, 40);
    EXPECT_LT(at_first, 120);
    packs_of(100'000);
    EXPECT_LT(packs_of(1000), 3);
}

TEST(VariantChoice, FindsTheFasterWhereItsFirstTurnsWereDisturbed) {
    VariantChoice faster;
    call(faster, both, first_calls, taking(1.0, 1.8));
    EXPECT_EQ(faster.next(both), Variant::packs);
    call(faster, both, 2 * VariantChoice::calls_between_duels, taking(1.0, 0.8));
    EXPECT_EQ(faster.next(both), Variant::elements);
}

/// Two-ended loops try elements later than packs: what the machine did meanwhile shall not count.
TEST(VariantChoice, TriesAllAgainWhereOthersMayRunThatCouldNot) {
    VariantChoice faster;
    const VariantChoice::Allowed packs = VariantChoice::only_packs();
    faster.admit(packs);
    call(faster, packs, 100, taking(1.0, 0.0));
    faster.admit(packs);
    EXPECT_FALSE(faster.is_trial(packs));
    faster.admit(both);
    EXPECT_EQ(call_until_chosen(faster, both, taking(2.0, 1.6)), first_calls);
    EXPECT_EQ(faster.next(both), Variant::elements);
}

/// Two-ended loops try elements later; in a shuffled file these take 25 times as long.
TEST(VariantChoice, EndsATurnThatIsLostAfterItsFirstCall) {
    VariantChoice faster;
    call(faster, VariantChoice::only_packs(), 100, taking(1.0, 0.0));
    EXPECT_FALSE(faster.is_short_run());
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
    call_until_chosen(faster, both, [](Variant, int) { return 1.0; });
    for (int call = 0; call < VariantChoice::calls_a_turn; ++call) {
        EXPECT_TRUE(faster.is_trial(rows, both));
        EXPECT_TRUE(faster.has_first_turns_left(rows, both));
        EXPECT_EQ(faster.next(rows, both), Variant::elements_in_rows);
        faster.note(Variant::elements_in_rows, 2.1);
    }
    EXPECT_FALSE(faster.is_trial(rows, both));
    EXPECT_FALSE(faster.has_first_turns_left(rows, both));
    EXPECT_TRUE(faster.is_trial(rows));
}

TEST(VariantChoice, KnowsWhichVariantsComeNearTheBest) {
    VariantChoice faster;
    EXPECT_FALSE(faster.is_near_best(Variant::elements, both));
    call_until_chosen(faster, both, taking(1.0, 1.2));
    EXPECT_TRUE(faster.is_near_best(Variant::elements, both));
    EXPECT_TRUE(faster.was_tried(Variant::elements));
    EXPECT_FALSE(faster.was_tried(Variant::elements_in_rows));
    VariantChoice slower;
    call_until_chosen(slower, both, taking(1.0, 1.4));
    EXPECT_FALSE(slower.is_near_best(Variant::elements, both));
}

/// Calls of a loop whose dats have to be moved for elements in rows, which takes `visit_s` there and back.
/// They lie so for visits only. Returns the calls, counted from the first one, that were in rows.
template <class Seconds>
std::vector<int> visits(VariantChoice& faster, int calls, double visit_s, Seconds seconds) {
    std::vector<int> in_rows;
    for (int k = 0; k < calls; ++k) {
        const VariantChoice::Allowed visit = faster.visit(both | rows);
        const VariantChoice::Allowed here = visit.any() ? visit : both;
        const Variant variant = faster.next(here, both | rows);
        if (variant == Variant::elements_in_rows) {
            in_rows.push_back(k);
        }
        if (faster.is_trial(here, both | rows)) {
            faster.note(variant, seconds(variant, k));
        } else {
            faster.note_settled(here, rows, visit_s);
        }
    }
    return in_rows;
}

/// All have had their first turns; elements in rows seemed to take 1.8 times as long as packs.
VariantChoice settled_with_packs() {
    VariantChoice faster;
    call_until_chosen(faster, both | rows, taking(1.0, 1.8));
    EXPECT_EQ(faster.next(both | rows), Variant::packs);
    return faster;
}

TEST(VariantChoice, VisitsWhatLiesElsewhere) {
    VariantChoice faster = settled_with_packs();
    const auto in_rows =
        visits(faster, 2 * VariantChoice::calls_between_duels, 0.1, taking(1.0, 0.7));
    EXPECT_EQ(in_rows.size(), VariantChoice::bouts * VariantChoice::calls_a_turn);
    EXPECT_EQ(faster.next(both | rows), Variant::elements_in_rows);
    EXPECT_DOUBLE_EQ(faster.least_s(rows), 0.7);
}

TEST(VariantChoice, VisitsWhenTheLoopRanFarLongerThanMovingTakes) {
    const auto first = [](double visit_s) {
        VariantChoice faster = settled_with_packs();
        return visits(faster, 1000, visit_s, taking(1.0, 1.5)).front();
    };
    EXPECT_LT(first(0.1), 50);
    EXPECT_GT(first(20.0), 32 * 20);
}

TEST(VariantChoice, VisitsGetRarerByHalves) {
    VariantChoice faster = settled_with_packs();
    const auto in_rows = visits(faster, 10'000, 0.1, taking(1.0, 1.5));
    EXPECT_GE(in_rows.size(), 7 * VariantChoice::calls_a_turn);
    EXPECT_LE(in_rows.size(), 10 * VariantChoice::calls_a_turn);
    EXPECT_EQ(faster.next(both | rows), Variant::packs);
}

/// Caches are full of what was moved; it would be no sign that they should lie otherwise.
TEST(VariantChoice, LosesNothingOnVisits) {
    VariantChoice faster;
    call_until_chosen(faster, both | rows, taking(1.0, 1.0));
    EXPECT_FALSE(visits(faster, 100, 0.1, taking(1.0, 1.2)).empty());
    EXPECT_DOUBLE_EQ(faster.least_s(rows), 1.0);
}

TEST(VariantChoice, DoesNotVisitWhatTookFarTooLong) {
    VariantChoice faster;
    call_until_chosen(faster, both | rows, taking(1.0, 4.5));
    EXPECT_TRUE(visits(faster, 1000, 0.1, taking(1.0, 4.5)).empty());
}

TEST(VariantChoice, DoesNotVisitWhatCountsAsFaster) {
    VariantChoice faster;
    const auto seconds = [](Variant variant, int) {
        return variant == Variant::elements_in_rows ? 0.7 : 1.0;
    };
    call_until_chosen(faster, both | rows, seconds);
    EXPECT_TRUE(visits(faster, 1000, 0.1, seconds).empty());
    EXPECT_EQ(faster.next(both | rows), Variant::elements_in_rows);
}

/// The dats may be moved for what is won, so a second disturbed bout shall not count for more than a first.
TEST(VariantChoice, CountsTheLesserOfTwoWinsOnAVisit) {
    VariantChoice faster = settled_with_packs();
    int bout = 0;
    visits(faster, 2 * VariantChoice::calls_between_duels, 0.1, [&](Variant variant, int) {
        bout += variant == Variant::elements_in_rows ? 1 : 0;
        return variant != Variant::elements_in_rows ? 1.0
               : bout > VariantChoice::calls_a_turn ? 0.2
                                                    : 0.9;
    });
    EXPECT_DOUBLE_EQ(faster.least_s(rows), 0.9);
}

TEST(VariantChoice, PutsNobodyOutForWhatWasWonOnAVisit) {
    VariantChoice faster = settled_with_packs();
    visits(faster, 2 * VariantChoice::calls_between_duels, 0.1, taking(1.0, 0.01));
    EXPECT_EQ(faster.next(both | rows), Variant::elements_in_rows);
    EXPECT_GT(faster.least_s(rows), 0.5);
}

TEST(VariantChoice, DoesNotVisitWhatMayNotRun) {
    VariantChoice faster = settled_with_packs();
    settle(faster, both, 1);
    while (!faster.visit(both | rows).any()) {
        faster.note_settled(both, rows, 0.0);
    }
    EXPECT_EQ(faster.visit(both | rows), rows);
    EXPECT_FALSE(faster.visit(both).any());
    EXPECT_FALSE(faster.is_trial(both));
    faster.note_settled(both);
    EXPECT_FALSE(faster.visit(both | rows).any());
}

TEST(VariantChoice, LooksNoMoreAtWhatTookTwiceAsLongInTwoTurns) {
    VariantChoice faster;
    const auto elements_of = [&](int calls) {
        const std::vector<Variant> called = call(faster, both, calls, taking(1.0, 3.0));
        return std::count(called.begin(), called.end(), Variant::elements);
    };
    EXPECT_EQ(elements_of(first_calls), VariantChoice::calls_a_turn);
    EXPECT_EQ(elements_of(10'000), VariantChoice::calls_a_turn);
}

}  // namespace

}  // namespace halocline::test
