// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Packs and elements take turns, then the faster of them stays; later turns are rare.
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
        faster.note(variant, seconds(variant, calls), allowed);
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
            faster.note(called.back(), seconds(called.back(), k), allowed);
        } else {
            faster.note_settled();
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
        faster.note(expected, 1.0, all);
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
    EXPECT_LT(calls, first_calls);
    EXPECT_EQ(faster.next(both), Variant::packs);
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

TEST(VariantChoice, GivesEachAnotherTurnNowAndThen) {
    VariantChoice faster;
    call_until_chosen(faster, both, taking(1.0, 0.8));
    for (const Variant expected : {Variant::packs, Variant::elements, Variant::packs}) {
        for (int call = 0; call < VariantChoice::calls_between_turns; ++call) {
            EXPECT_FALSE(faster.is_trial(both)) << call;
            EXPECT_EQ(faster.next(both), Variant::elements);
            faster.note_settled();
        }
        for (int call = 0; call < VariantChoice::calls_a_turn; ++call) {
            EXPECT_TRUE(faster.is_trial(both));
            EXPECT_EQ(faster.next(both), expected);
            faster.note(expected, expected == Variant::packs ? 1.0 : 0.8, both);
        }
    }
}

TEST(VariantChoice, LaterTurnsGetRarer) {
    VariantChoice faster;
    const auto packs_of = [&](int calls) {
        const std::vector<Variant> called = call(faster, both, calls, taking(1.0, 0.8));
        return std::count(called.begin(), called.end(), Variant::packs);
    };
    packs_of(first_calls);
    const auto at_first = packs_of(1000);
    EXPECT_GT(at_first, 20);
    EXPECT_LT(at_first, 50);
    packs_of(100'000);
    EXPECT_LT(packs_of(1000), 3);
}

TEST(VariantChoice, FindsTheFasterWhereItsFirstTurnsWereDisturbed) {
    VariantChoice faster;
    call(faster, both, first_calls, taking(1.0, 1.8));
    EXPECT_EQ(faster.next(both), Variant::packs);
    call(faster, both, 3 * VariantChoice::calls_between_turns, taking(1.0, 0.8));
    EXPECT_EQ(faster.next(both), Variant::elements);
}

TEST(VariantChoice, StaysWithTheFasterWhereLaterTurnsAreDisturbed) {
    VariantChoice faster;
    call(faster, both, first_calls, taking(1.0, 0.8));
    // A turn of each and one more of packs.
    call(faster, both, 3 * VariantChoice::calls_between_turns, taking(1.0, 1.8));
    EXPECT_EQ(faster.next(both), Variant::elements);
}

TEST(VariantChoice, ForgetsTimesThatAreOld) {
    VariantChoice faster;
    call(faster, both, first_calls, taking(0.5, 0.9));
    EXPECT_EQ(faster.next(both), Variant::packs);
    call(faster, both, 200, taking(1.2, 0.9));
    EXPECT_EQ(faster.next(both), Variant::elements);
}

TEST(VariantChoice, ExpectsWhatMayNotRunToGetSlowerWithTheRest) {
    VariantChoice faster;
    call_until_chosen(faster, both, taking(1.0, 1.0));
    call_until_chosen(faster, rows, [](Variant, int) { return 0.8; });
    EXPECT_EQ(faster.least_s(rows), 0.8);
    call(faster, both, 200, taking(2.0, 2.0));
    EXPECT_DOUBLE_EQ(faster.least_s(both), 2.0);
    EXPECT_DOUBLE_EQ(faster.least_s(rows), 1.6);
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
        faster.note(Variant::elements_in_rows, 2.0, rows);
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
    VariantChoice slower;
    call_until_chosen(slower, both, taking(1.0, 1.4));
    EXPECT_FALSE(slower.is_near_best(Variant::elements, both));
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
