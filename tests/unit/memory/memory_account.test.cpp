// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What buffers count as, from allocation to release.
#include <gtest/gtest.h>

#include <cstdint>
#include <thread>
#include <utility>

#include "halocline/memory/buffer.hpp"
#include "halocline/memory/memory_account.hpp"

namespace halocline {

namespace {

/// How much more than at the beginning of a test.
class Growth {
public:
    explicit Growth(MemoryUse use) : use_(use), before_(buffer_bytes(use)) {}
    [[nodiscard]] std::int64_t bytes() const { return buffer_bytes(use_) - before_; }

private:
    MemoryUse use_;
    std::int64_t before_;
};

TEST(MemoryAccount, CountsABufferUntilItIsGone) {
    const Growth values(MemoryUse::values);
    for (const std::size_t size : {std::size_t{1}, std::size_t{1000}, std::size_t{1} << 20}) {
        {
            const Buffer<double> buffer(size);
            EXPECT_EQ(values.bytes(), static_cast<std::int64_t>(size * sizeof(double)));
        }
        EXPECT_EQ(values.bytes(), 0);
    }
}

TEST(MemoryAccount, KeepsTheUseThatABufferWasMadeFor) {
    const Growth values(MemoryUse::values), plans(MemoryUse::plans), copies(MemoryUse::copies);
    Buffer<std::int32_t> plan;
    {
        const MemoryScope outer(MemoryUse::plans);
        plan = Buffer<std::int32_t>(100);
        {
            const MemoryScope inner(MemoryUse::copies);
            const Buffer<double> copy(50);
            EXPECT_EQ(copies.bytes(), 400);
        }
        EXPECT_EQ(copies.bytes(), 0);
        const Buffer<double> other(10);
        EXPECT_EQ(plans.bytes(), 480);
    }
    EXPECT_EQ(plans.bytes(), 400);
    Buffer<std::int32_t> moved = std::move(plan);
    EXPECT_EQ(plans.bytes(), 400);
    moved.release();
    EXPECT_EQ(plans.bytes(), 0);
    EXPECT_EQ(values.bytes(), 0);
}

TEST(MemoryAccount, ScopesOfOneThreadDoNotReachAnother) {
    const Growth values(MemoryUse::values), plans(MemoryUse::plans);
    const MemoryScope scope(MemoryUse::plans);
    std::thread([&] {
        const Buffer<double> buffer(100);
        EXPECT_EQ(values.bytes(), 800);
        EXPECT_EQ(plans.bytes(), 0);
    }).join();
}

TEST(MemoryAccount, DoesNotCountWhatABufferBorrows) {
    Buffer<double> owner(8);
    const Growth values(MemoryUse::values);
    { const Buffer<double> view = Buffer<double>::borrow(owner.data(), owner.size()); }
    EXPECT_EQ(values.bytes(), 0);
}

}  // namespace

}  // namespace halocline
