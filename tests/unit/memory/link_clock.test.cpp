// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The modelled link, in modelled time: no clock is read here.
#include <gtest/gtest.h>

#include "halocline/memory/emulated_device.hpp"

namespace halocline::detail {
namespace {

// 1000 bytes at 1000 B/s are 1 s, and each copy pays 0.5 s before.
constexpr LinkModel slow{.latency_s = 0.5, .bytes_per_s = 1000.0};

TEST(LinkClock, ACopyEndsLatencyAndTransferAfterItsSubmission) {
    LinkClock clock(slow);
    EXPECT_DOUBLE_EQ(clock.book(CopyDirection::to_host, 1000, 10.0), 11.5);
}

TEST(LinkClock, CopiesOfOneDirectionQueue) {
    LinkClock clock(slow);
    (void)clock.book(CopyDirection::to_host, 1000, 10.0);
    EXPECT_DOUBLE_EQ(clock.book(CopyDirection::to_host, 500, 10.2), 12.5);  // 11.5 + 0.5 + 0.5
}

TEST(LinkClock, DirectionsDoNotWaitForEachOther) {
    LinkClock clock(slow);
    (void)clock.book(CopyDirection::to_host, 1000, 10.0);
    EXPECT_DOUBLE_EQ(clock.book(CopyDirection::to_device, 1000, 10.0), 11.5);
}

TEST(LinkClock, AnIdleLinkStartsAtOnce) {
    LinkClock clock(slow);
    (void)clock.book(CopyDirection::to_host, 1000, 10.0);
    EXPECT_DOUBLE_EQ(clock.book(CopyDirection::to_host, 0, 20.0), 20.5);
}

TEST(LinkModel, BandwidthZeroModelsLatencyOnly) {
    EXPECT_FALSE(LinkModel{}.active());
    EXPECT_DOUBLE_EQ((LinkModel{.latency_s = 0.25}).duration_s(1 << 30), 0.25);
}

}  // namespace
}  // namespace halocline::detail
