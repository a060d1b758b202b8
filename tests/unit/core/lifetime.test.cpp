// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Who watches an object sees it end and move, and is not mistaken when another takes its place.
#include "halocline/core/lifetime.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace halocline {
namespace {

TEST(Lifetime, OfNothingIsExpired) { EXPECT_TRUE(Lifetime::Watch().expired()); }

TEST(Lifetime, EndsWithItsObject) {
    std::optional<Lifetime> object(std::in_place);
    const Lifetime::Watch watch = object->watch();
    EXPECT_FALSE(watch.expired());
    object.reset();
    EXPECT_TRUE(watch.expired());
}

TEST(Lifetime, IsNotThatOfTheNextObjectInTheSamePlace) {
    std::optional<Lifetime> object(std::in_place);
    const Lifetime::Watch watch = object->watch();
    object.reset();
    const std::vector<Lifetime> others(100);
    EXPECT_TRUE(watch.expired());
    for (const Lifetime& other : others) {
        EXPECT_FALSE(other.watch().expired());
    }
}

TEST(Lifetime, MovesWithItsObject) {
    Lifetime first;
    const Lifetime::Watch watch = first.watch();
    std::optional<Lifetime> second(std::move(first));
    EXPECT_FALSE(watch.expired());
    EXPECT_TRUE(first.watch().expired());
    second.reset();
    EXPECT_TRUE(watch.expired());
}

TEST(Lifetime, EndsWhereAnotherIsMovedTo) {
    Lifetime first;
    Lifetime second;
    const Lifetime::Watch of_first = first.watch();
    const Lifetime::Watch of_second = second.watch();
    first = std::move(second);
    EXPECT_TRUE(of_first.expired());
    EXPECT_FALSE(of_second.expired());
}

TEST(Lifetime, OfACopyIsItsOwn) {
    std::optional<Lifetime> first(std::in_place);
    const Lifetime second = *first;
    const Lifetime::Watch of_first = first->watch();
    first.reset();
    EXPECT_TRUE(of_first.expired());
    EXPECT_FALSE(second.watch().expired());
}

TEST(Lifetime, MayBeginAndEndOnAnyThread) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([] {
            for (int k = 0; k < 1000; ++k) {
                std::optional<Lifetime> object(std::in_place);
                const Lifetime::Watch watch = object->watch();
                EXPECT_FALSE(watch.expired());
                object.reset();
                EXPECT_TRUE(watch.expired());
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
}

}  // namespace
}  // namespace halocline
