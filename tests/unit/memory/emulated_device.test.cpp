// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The emulated device: bytes arrive, every copy is counted, and host code cannot cheat.
#include "halocline/memory/emulated_device.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <numeric>
#include <optional>
#include <thread>
#include <vector>

#include "halocline/core/error.hpp"

namespace halocline {
namespace {

std::vector<unsigned char> counting(std::size_t size) {
    std::vector<unsigned char> bytes(size);
    std::iota(bytes.begin(), bytes.end(), static_cast<unsigned char>(1));
    return bytes;
}

TEST(EmulatedDevice, BytesSurviveTheWayThereAndBack) {
    EmulatedDevice device;
    const std::vector<unsigned char> sent = counting(100'003);
    std::vector<unsigned char> received(sent.size(), 0);
    const SpaceBuffer memory(MemoryKind::device, sent.size(), &device);
    copy_now(device, memory.data(), sent.data(), sent.size(), CopyDirection::to_device);
    copy_now(device, received.data(), memory.data(), sent.size(), CopyDirection::to_host);
    EXPECT_EQ(received, sent);
}

TEST(EmulatedDevice, OutOfMemoryIsASentenceWithTheSizes) {
    EmulatedDeviceOptions options;
    options.memory_bytes = 64 << 10;
    EmulatedDevice device(options);
    EXPECT_EQ(device.info().memory_bytes, 64 << 10);
    const SpaceBuffer kept(MemoryKind::device, 40 << 10, &device);
    { const SpaceBuffer freed(MemoryKind::device, 20 << 10, &device); }
    const SpaceBuffer pinned(MemoryKind::pinned, 1 << 20, &device);
    try {
        const SpaceBuffer wanted(MemoryKind::device, 30 << 10, &device);
        FAIL() << "30 KiB fitted into 24";
    } catch (const EnvironmentError& error) {
        EXPECT_NE(std::string(error.what()).find("30 KiB wanted; the emulated device has 24 of 64"),
                  std::string::npos)
            << error.what();
    }
    const SpaceBuffer fits(MemoryKind::device, 24 << 10, &device);
}

TEST(EmulatedDevice, PartsOfAnAllocationCanBeCopied) {
    EmulatedDevice device;
    const std::vector<unsigned char> sent = counting(64);
    unsigned char received = 0;
    const SpaceBuffer memory(MemoryKind::device, 64, &device);
    copy_now(device, memory.data(), sent.data(), 64, CopyDirection::to_device);
    copy_now(device, &received, memory.data() + 41, 1, CopyDirection::to_host);
    EXPECT_EQ(received, 42);
}

TEST(EmulatedDevice, CountsEveryCopyByDirection) {
    EmulatedDevice device;
    std::vector<unsigned char> host(1000);
    const SpaceBuffer a(MemoryKind::device, 1000, &device);
    const SpaceBuffer b(MemoryKind::device, 1000, &device);
    copy_now(device, a.data(), host.data(), 1000, CopyDirection::to_device);
    copy_now(device, b.data(), a.data(), 300, CopyDirection::on_device);
    copy_now(device, host.data(), b.data(), 70, CopyDirection::to_host);
    copy_now(device, host.data(), b.data(), 7, CopyDirection::to_host);
    const TransferCounts counts = device.counts();
    EXPECT_EQ(counts.to_device_copies, 1);
    EXPECT_EQ(counts.to_device_bytes, 1000);
    EXPECT_EQ(counts.on_device_copies, 1);
    EXPECT_EQ(counts.on_device_bytes, 300);
    EXPECT_EQ(counts.to_host_copies, 2);
    EXPECT_EQ(counts.to_host_bytes, 77);
    EXPECT_EQ(counts.link_copies(), 3);
    EXPECT_EQ(counts.link_bytes(), 1077);
}

TEST(EmulatedDevice, WorkOfAStreamRunsInOrderAndEventsTellHowFar) {
    EmulatedDevice device;
    const std::unique_ptr<Stream> stream = device.make_stream();
    const std::unique_ptr<Event> event = device.make_event();
    EXPECT_TRUE(event->done()) << "an event that was never placed holds nobody up";
    const SpaceBuffer memory(MemoryKind::device, sizeof(int), &device);
    auto* value = static_cast<int*>(device.kernel_address(memory.data()));
    const int three = 3;
    int result = 0;
    std::atomic<bool> go{false};
    device.launch(*stream, [&] { go.wait(false); });
    stream->copy(memory.data(), &three, sizeof three, CopyDirection::to_device);
    device.launch(*stream, [=] { *value = *value * 5 + 1; });
    stream->copy(&result, memory.data(), sizeof result, CopyDirection::to_host);
    stream->record(*event);
    EXPECT_FALSE(event->done());
    EXPECT_EQ(result, 0);
    go = true;
    go.notify_all();
    event->wait();
    EXPECT_EQ(result, 16);
}

TEST(EmulatedDevice, AStreamWaitsForTheEventOfAnother) {
    EmulatedDevice device;
    const std::unique_ptr<Stream> first = device.make_stream();
    const std::unique_ptr<Stream> second = device.make_stream();
    const std::unique_ptr<Event> event = device.make_event();
    std::atomic<bool> go{false};
    std::vector<int> order;  // the event orders the two threads
    device.launch(*first, [&] {
        go.wait(false);
        order.push_back(1);
    });
    first->record(*event);
    second->wait(*event);
    second->record(*event);  // placed again at once: the wait above is for the earlier point
    device.launch(*second, [&] { order.push_back(2); });
    go = true;
    go.notify_all();
    second->synchronize();
    EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

class ReleasedMemory : public ::testing::TestWithParam<MemoryKind> {};

TEST_P(ReleasedMemory, StaysUntilTheWorkThatUsesItIsDone) {
    EmulatedDevice device;
    const std::unique_ptr<Stream> stream = device.make_stream();
    std::optional<SpaceBuffer> memory(std::in_place, GetParam(), 64, &device);
    const bool is_pinned = GetParam() == MemoryKind::pinned;
    void* address = is_pinned ? memory->data() : device.kernel_address(memory->data());
    std::atomic<bool> has_begun{false};
    std::atomic<bool> has_ended{false};
    device.launch(*stream, [&] {
        has_begun = true;
        has_begun.notify_all();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        std::memset(address, 1, 64);
        has_ended = true;
    });
    has_begun.wait(false);
    memory.reset();
    EXPECT_TRUE(has_ended);
}

INSTANTIATE_TEST_SUITE_P(Kinds, ReleasedMemory,
                         ::testing::Values(MemoryKind::device, MemoryKind::pinned));

TEST(EmulatedDevice, WorkMayReleaseMemoryItself) {
    EmulatedDevice device;
    const std::unique_ptr<Stream> stream = device.make_stream();
    std::optional<SpaceBuffer> memory(std::in_place, MemoryKind::device, 64, &device);
    device.launch(*stream, [&] { memory.reset(); });
    stream->synchronize();
    EXPECT_FALSE(memory.has_value());
}

TEST(EmulatedDevice, AnotherMappingSeesTheSameBytes) {
    EmulatedDevice owner;
    EmulatedDevice guest;
    const std::vector<unsigned char> sent = counting(5000);
    std::vector<unsigned char> received(sent.size(), 0);
    const SpaceBuffer memory(MemoryKind::device, sent.size(), &owner);
    void* opened = guest.open(owner.share(memory.data()));
    copy_now(guest, opened, sent.data(), sent.size(), CopyDirection::to_device);
    guest.close(opened);
    copy_now(owner, received.data(), memory.data(), sent.size(), CopyDirection::to_host);
    EXPECT_EQ(received, sent);
}

TEST(EmulatedDevice, RefusesPointersThatAreNoDeviceMemory) {
    EmulatedDevice device;
    std::vector<unsigned char> host(16);
    const std::unique_ptr<Stream> stream = device.make_stream();
    EXPECT_THROW(stream->copy(host.data(), host.data(), 16, CopyDirection::to_device),
                 ContractError);
    const SpaceBuffer memory(MemoryKind::device, 16, &device);
    EXPECT_THROW((void)device.kernel_address(memory.data() + 8192), ContractError);
    EXPECT_THROW((void)device.share(memory.data() + 1), ContractError);
    EXPECT_EQ(device.counts().link_copies(), 0) << "a refused copy is no copy";
}

TEST(EmulatedDevice, ShowsItsMemoryToMpiOnlyWhenAsked) {
    EmulatedDevice closed;
    const SpaceBuffer hidden(MemoryKind::device, 8, &closed);
    EXPECT_FALSE(closed.can_pass_to_mpi().possible);
    EXPECT_THROW((void)closed.mpi_address(hidden.data()), ContractError);
    EmulatedDevice open({.link = {}, .mpi_access = true});
    const SpaceBuffer shown(MemoryKind::device, 8, &open);
    static_cast<char*>(open.mpi_address(shown.data()))[7] = 'x';
    char read = 0;
    copy_now(open, &read, shown.data() + 7, 1, CopyDirection::to_host);
    EXPECT_EQ(read, 'x');
}

using EmulatedDeviceDeathTest = ::testing::Test;

TEST(EmulatedDeviceDeathTest, HostCodeThatReadsDeviceMemoryFaultsWithASentence) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto touch = [] {
        explain_device_faults();
        EmulatedDevice device;
        const SpaceBuffer memory(MemoryKind::device, 4096, &device);
        volatile const std::byte* bytes = memory.data();
        [[maybe_unused]] const std::byte read = bytes[17];
    };
    EXPECT_EXIT(touch(), ::testing::KilledBySignal(SIGSEGV), "a transfer is missing");
}

TEST(EmulatedDeviceDeathTest, HostCodeThatWritesDeviceMemoryFaults) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto touch = [] {
        explain_device_faults();
        EmulatedDevice device;
        const SpaceBuffer memory(MemoryKind::device, 4096, &device);
        volatile std::byte* bytes = memory.data();
        bytes[4095] = std::byte{1};
    };
    EXPECT_EXIT(touch(), ::testing::KilledBySignal(SIGSEGV), "a transfer is missing");
}

TEST(SpaceBuffer, NeedsADeviceForItsMemory) {
    EXPECT_THROW(SpaceBuffer(MemoryKind::pinned, 8, nullptr), ContractError);
    const SpaceBuffer host(MemoryKind::host, 8, nullptr);
    EXPECT_EQ(host.size_bytes(), 8U);
}

}  // namespace
}  // namespace halocline
