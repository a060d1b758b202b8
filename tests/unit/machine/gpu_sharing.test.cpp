// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Who is told that ranks take turns on a GPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "halocline/machine/gpu_sharing.hpp"

namespace halocline::test {

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST(GpuSharing, RanksOnOneGpuAreCounted) {
    EXPECT_THAT(gpu_sharing_notices({{"a", "01:00.0"}, {"a", "02:00.0"}, {"a", "01:00.0"}}),
                ElementsAre(StartsWith("2 ranks take turns on GPU 01:00.0 of a.")));
}

TEST(GpuSharing, EqualNumbersOnTwoHostsAreTwoGpus) {
    EXPECT_THAT(gpu_sharing_notices({{"a", "01:00.0"}, {"b", "01:00.0"}}), IsEmpty());
    EXPECT_THAT(gpu_sharing_notices({{"a", "1"}, {"b", "1"}, {"b", "1"}, {"a", "1"}, {"b", "1"}}),
                ElementsAre(StartsWith("2 ranks take turns on GPU 1 of a."),
                            StartsWith("3 ranks take turns on GPU 1 of b.")));
}

TEST(GpuSharing, NothingToSayWithTheServiceOrWithoutGpus) {
    EXPECT_THAT(gpu_sharing_notices({{"a", "1", true}, {"a", "1", true}}), IsEmpty());
    EXPECT_THAT(gpu_sharing_notices({{"a", ""}, {"a", ""}}), IsEmpty());
}

TEST(GpuSharing, RanksRunAtOnceUnlessTheyTakeTurnsOrHaveNoGpu) {
    EXPECT_TRUE(run_at_once({{"a", "1"}, {"a", "2"}, {"b", "1"}}));
    EXPECT_FALSE(run_at_once({{"a", "1"}, {"a", "2"}, {"a", "1"}}));
    EXPECT_TRUE(run_at_once({{"a", "1", true}, {"a", "2"}, {"a", "1", true}}));
    EXPECT_FALSE(run_at_once({{"a", "1"}, {"b", ""}}));
}

}  // namespace

}  // namespace halocline::test
