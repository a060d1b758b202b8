// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Where workers go, for masks as launchers set them.
#include "collectives/placement.hpp"

#include <gtest/gtest.h>

#include <initializer_list>

namespace halocline::endpoints {
namespace {

cpu_set_t cpus(std::initializer_list<int> list) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int cpu : list) {
        CPU_SET(static_cast<std::size_t>(cpu), &set);
    }
    return set;
}

bool is(const cpu_set_t& set, std::initializer_list<int> list) {
    const cpu_set_t expected = cpus(list);
    return CPU_EQUAL(&set, &expected) != 0;
}

TEST(Placement, UsesTheFurtherCoresOfABoundRank) {
    const auto places = place_workers({cpus({0, 1}), cpus({2, 3})}, 1, cpus({0, 1, 2, 3}), 2);
    ASSERT_EQ(places.size(), 1U);
    EXPECT_TRUE(is(places[0], {3}));
}

TEST(Placement, SharesOutWhatUnboundRanksShare) {
    const cpu_set_t all = cpus({0, 1, 2, 3});
    EXPECT_TRUE(is(place_workers({all, all}, 0, all, 2)[0], {1}));
    EXPECT_TRUE(is(place_workers({all, all}, 1, all, 2)[0], {3}));
    EXPECT_EQ(cpus_of_rank({all, all}, 1), 2);
}

TEST(Placement, TakesFreeCoresWhenARankIsBoundToOne) {
    const auto places = place_workers({cpus({0}), cpus({1})}, 1, cpus({0, 1, 2, 3}), 2);
    EXPECT_TRUE(is(places[0], {3}));
}

TEST(Placement, NeverTakesTheCoreOfAnotherRank) {
    const auto places = place_workers({cpus({0}), cpus({1})}, 0, cpus({0, 1}), 3);
    ASSERT_EQ(places.size(), 2U);
    EXPECT_TRUE(is(places[0], {}));
    EXPECT_TRUE(is(places[1], {}));
}

TEST(Placement, GivesMoreRanksThanCoresNoPlace) {
    const cpu_set_t all = cpus({0, 1});
    EXPECT_TRUE(is(place_workers({all, all, all}, 0, all, 2)[0], {}));
    EXPECT_EQ(cpus_of_rank({all, all, all}, 0), 1);
}

}  // namespace
}  // namespace halocline::endpoints
