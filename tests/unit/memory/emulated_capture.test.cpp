// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Recordings of several streams keep the rules of CUDA: what it would refuse is refused here.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "halocline/core/error.hpp"
#include "halocline/memory/emulated_device.hpp"

namespace halocline::test {

namespace {

class Capture : public ::testing::Test {
protected:
    EmulatedDevice device;
    std::unique_ptr<Stream> first = device.make_stream();
    std::unique_ptr<Stream> second = device.make_stream();
    std::vector<int> log;

    void note(Stream& stream, int number) {
        device.launch(stream, [this, number] { log.push_back(number); });
    }
    void chain(Stream& earlier, Stream& later) {
        const std::unique_ptr<Event> event = device.make_event();
        earlier.record(*event);
        later.wait(*event);
    }
};

TEST_F(Capture, WorkOfAStreamThatCameInIsInTheGraph) {
    device.begin_capture(*first);
    note(*first, 1);
    chain(*first, *second);
    note(*second, 2);
    chain(*second, *first);
    note(*first, 3);
    const std::unique_ptr<Graph> graph = device.end_capture(*first);
    EXPECT_EQ(graph->size(), 3);
    EXPECT_TRUE(log.empty());
    graph->launch(*first);
    graph->launch(*first);
    first->synchronize();
    EXPECT_EQ(log, (std::vector<int>{1, 2, 3, 1, 2, 3}));
}

TEST_F(Capture, AStreamOutsideRunsAtOnce) {
    device.begin_capture(*first);
    note(*second, 2);
    second->synchronize();
    EXPECT_EQ(log, std::vector<int>{2});
    EXPECT_EQ(device.end_capture(*first)->size(), 0);
}

TEST_F(Capture, AStreamThatNobodyWaitsForIsRefused) {
    device.begin_capture(*first);
    chain(*first, *second);
    note(*second, 1);
    EXPECT_THROW(static_cast<void>(device.end_capture(*first)), ContractError);
}

TEST_F(Capture, WorkAfterTheLastWaitIsRefused) {
    device.begin_capture(*first);
    chain(*first, *second);
    chain(*second, *first);
    note(*second, 1);
    EXPECT_THROW(static_cast<void>(device.end_capture(*first)), ContractError);
}

TEST_F(Capture, WaitingThroughAThirdStreamCounts) {
    const std::unique_ptr<Stream> third = device.make_stream();
    device.begin_capture(*first);
    chain(*first, *second);
    note(*second, 1);
    chain(*second, *third);
    chain(*third, *first);
    EXPECT_EQ(device.end_capture(*first)->size(), 1);
}

TEST_F(Capture, APointOutsideTheRecordingIsRefused) {
    note(*second, 1);
    const std::unique_ptr<Event> outside = device.make_event();
    second->record(*outside);
    device.begin_capture(*first);
    EXPECT_THROW(first->wait(*outside), ContractError);
}

TEST_F(Capture, TheHostCannotWaitForARecordedPoint) {
    device.begin_capture(*first);
    const std::unique_ptr<Event> inside = device.make_event();
    first->record(*inside);
    EXPECT_THROW(inside->wait(), ContractError);
    EXPECT_THROW(first->synchronize(), ContractError);
}

TEST_F(Capture, StreamsAreFreeAgainAfterwards) {
    device.begin_capture(*first);
    chain(*first, *second);
    chain(*second, *first);
    static_cast<void>(device.end_capture(*first));
    note(*second, 4);
    second->synchronize();
    EXPECT_EQ(log, std::vector<int>{4});
}

}  // namespace

}  // namespace halocline::test
