// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Work on several streams of the emulated device: what depends waits, what does not runs at once.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <future>
#include <memory>
#include <random>
#include <vector>

#include "halocline/backend/device/plans/stream_order.hpp"
#include "halocline/memory/emulated_device.hpp"

namespace halocline::test {

namespace {

using device::DatRegion;
using device::StreamOrder;
using device::StreamUse;

/// Stands for memory on the device; nobody looks into it.
const void* memory(std::uintptr_t id) { return reinterpret_cast<const void*>(id); }
StreamUse reads(std::uintptr_t id, DatRegion region = DatRegion::whole) {
    return {memory(id), region, false};
}
StreamUse changes(std::uintptr_t id, DatRegion region = DatRegion::whole) {
    return {memory(id), region, true};
}

class Streams : public ::testing::Test {
protected:
    EmulatedDevice device;
    std::unique_ptr<Stream> main = device.make_stream();
    StreamOrder order{device, *main};

    void run(const char* stream, std::vector<StreamUse> uses, std::function<void()> work) {
        order.run(order.index(stream), uses,
                  [&](Stream& on) { device.launch(on, std::move(work)); });
    }
};

/// Work that goes on only when the test says so: a stream that is certainly still busy.
class Gate {
public:
    void open() { promise_.set_value(); }
    std::function<void()> passing(std::function<void()> work) {
        return [future = promise_.get_future().share(), work = std::move(work)] {
            future.wait();
            work();
        };
    }

private:
    std::promise<void> promise_;
};

TEST_F(Streams, AReaderOnAnotherStreamWaitsForTheChange) {
    Gate gate;
    int value = 0;
    int seen = -1;
    run("a", {changes(1)}, gate.passing([&] { value = 7; }));
    run("b", {reads(1)}, [&] { seen = value; });
    gate.open();
    order.synchronize();
    EXPECT_EQ(seen, 7);
    EXPECT_EQ(order.waits(), 1);
}

TEST_F(Streams, AChangeWaitsForReadersElsewhere) {
    Gate gate;
    int value = 3;
    int seen = -1;
    run("a", {changes(1)}, [] {});
    run("b", {reads(1)}, gate.passing([&] { seen = value; }));
    run("a", {changes(1)}, [&] { value = 4; });
    gate.open();
    order.synchronize();
    EXPECT_EQ(seen, 3);
}

TEST_F(Streams, IndependentWorkRunsWhileAnotherStreamIsBusy) {
    Gate gate;
    std::promise<void> done;
    run("a", {changes(1)}, gate.passing([] {}));
    run("b", {changes(2)}, [&] { done.set_value(); });
    done.get_future().wait();  // would never end if b waited for a
    gate.open();
    order.synchronize();
    EXPECT_EQ(order.waits(), 0);
}

TEST_F(Streams, CoreElementsRunWhileTheHaloTravels) {
    Gate gate;
    std::promise<void> core_done;
    std::vector<int> log;
    run("compute", {changes(1)}, [&] { log.push_back(0); });
    run("copies", {reads(1, DatRegion::owned), changes(1, DatRegion::halo)},
        gate.passing([&] { log.push_back(2); }));
    run("compute", {reads(1, DatRegion::owned), changes(2, DatRegion::owned)}, [&] {
        log.push_back(1);
        core_done.set_value();
    });
    run("compute", {reads(1), changes(2, DatRegion::owned)}, [&] { log.push_back(3); });
    core_done.get_future().wait();
    gate.open();
    order.synchronize();
    EXPECT_EQ(log, (std::vector<int>{0, 1, 2, 3}));
}

TEST_F(Streams, TheNextStepChangesOwnedValuesOnlyAfterTheyWerePacked) {
    Gate gate;
    int value = 1;
    int packed = 0;
    run("compute", {changes(1)}, [] {});
    run("copies", {reads(1, DatRegion::owned), changes(1, DatRegion::halo)},
        gate.passing([&] { packed = value; }));
    run("compute", {changes(1, DatRegion::owned)}, [&] { value = 2; });
    gate.open();
    order.synchronize();
    EXPECT_EQ(packed, 1);
}

TEST_F(Streams, WaitsAreNotRepeated) {
    for (int i = 0; i < 5; ++i) {
        run("a", {changes(1)}, [] {});
    }
    EXPECT_EQ(order.waits(), 0);
    run("b", {reads(1)}, [] {});
    run("b", {reads(1)}, [] {});
    EXPECT_EQ(order.waits(), 1);
    order.synchronize();
}

TEST_F(Streams, ANewStreamComesAfterWhatTheMainOneDidAlone) {
    Gate gate;
    int value = 0;
    int seen = -1;
    run("", {changes(1)}, gate.passing([&] { value = 7; }));
    run("a", {reads(1)}, [&] { seen = value; });
    gate.open();
    order.synchronize();
    EXPECT_EQ(seen, 7);
}

TEST_F(Streams, JoinAndForkMakeAllWaitForAll) {
    Gate gate;
    int sum = 0;
    int seen_by_main = -1;
    int seen_by_b = -1;
    static_cast<void>(order.index("b"));
    run("a", {changes(1)}, gate.passing([&] { sum = 1; }));
    order.join();
    device.launch(*main, [&] { seen_by_main = sum; });
    order.fork();
    run("b", {reads(2)}, [&] { seen_by_b = seen_by_main; });
    gate.open();
    order.synchronize();
    EXPECT_EQ(seen_by_main, 1);
    EXPECT_EQ(seen_by_b, 1);
}

TEST_F(Streams, ARecordingTakesTheOtherStreamsIn) {
    int value = 1;
    int seen = 0;
    static_cast<void>(order.index("a"));
    device.begin_capture(*main);
    order.fork();
    run("a", {changes(1)}, [&] { value *= 3; });
    run("", {reads(1)}, [&] { seen = value; });
    order.join();
    const std::unique_ptr<Graph> graph = device.end_capture(*main);
    order.forget();
    EXPECT_EQ(value, 1);
    for (int i = 0; i < 2; ++i) {
        order.join();
        graph->launch(*main);
        order.fork();
        run("a", {reads(1)}, [] {});
    }
    order.synchronize();
    EXPECT_EQ(seen, 9);
}

/// Random work on random streams gives what the same work gives one after the other.
TEST_F(Streams, RandomWorkGivesTheResultOfOneStream) {
    constexpr std::size_t dats = 6;
    struct Step {
        std::size_t from;
        std::size_t to;
        int stream;
    };
    std::mt19937 random(5);
    std::vector<Step> steps;
    for (int i = 0; i < 400; ++i) {
        steps.push_back({random() % dats, random() % dats, static_cast<int>(random() % 3)});
    }
    std::array<std::uint64_t, dats> expected{1, 2, 3, 4, 5, 6};
    std::array<std::uint64_t, dats> found = expected;
    const auto apply = [](std::array<std::uint64_t, dats>& values, const Step& step) {
        values[step.to] = values[step.to] * 31 + values[step.from];
    };
    constexpr std::array names{"a", "b", "c"};
    for (const Step& step : steps) {
        apply(expected, step);
        run(names[static_cast<std::size_t>(step.stream)], {reads(step.from), changes(step.to)},
            [&found, &apply, step] { apply(found, step); });
    }
    order.synchronize();
    EXPECT_EQ(found, expected);
    EXPECT_GT(order.waits(), 0);
}

}  // namespace

}  // namespace halocline::test
