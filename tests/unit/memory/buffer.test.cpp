// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Buffers: ownership, alignment, refusal.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdint>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "halocline/core/error.hpp"
#include "halocline/memory/buffer.hpp"
#include "halocline/memory/huge_pages.hpp"

namespace halocline {

namespace {

std::uintptr_t address(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

TEST(Buffer, EmptyOwnsNothing) {
    const Buffer<double> none;
    const Buffer<double> zero(0);
    EXPECT_TRUE(none.empty());
    EXPECT_EQ(zero.data(), nullptr);
    EXPECT_EQ(zero.begin(), zero.end());
}

TEST(Buffer, FillsWithAValue) {
    const Buffer<std::int32_t> buffer(5, -1);
    ASSERT_EQ(buffer.size(), 5U);
    for (const std::int32_t value : buffer) {
        EXPECT_EQ(value, -1);
    }
}

TEST(Buffer, StartsOnACacheLineHoweverLarge) {
    for (const std::size_t size : {1U, 3U, 7U, 1000U, 1U << 20}) {
        Buffer<double> buffer(size);
        EXPECT_EQ(address(buffer.data()) % 64, 0U) << size;
        buffer[size - 1] = 1.0;  // the last value is there
        EXPECT_EQ(buffer[size - 1], 1.0);
    }
}

/// Where arrays begin alike, loads wait for stores to others at the same place.
TEST(Buffer, LargeOnesBeginAtDifferentLinesOfAPage) {
    for (const std::size_t bytes : {std::size_t{1} << 18, std::size_t{4} << 20}) {
        std::set<std::uintptr_t> lines;
        std::vector<Buffer<char>> buffers;
        for (int k = 0; k < 8; ++k) {
            buffers.emplace_back(bytes);
            lines.insert(address(buffers.back().data()) % 4096);
            buffers.back()[bytes - 1] = 1;
        }
        EXPECT_EQ(lines.size(), buffers.size()) << bytes;
    }
}

bool gives_huge_pages() {
    std::ifstream setting("/sys/kernel/mm/transparent_hugepage/enabled");
    std::string words;
    std::getline(setting, words);
    return !words.empty() && words.find("[never]") == std::string::npos;
}

long page_faults() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

/// Faults of writing once to every small page of a new buffer.
long faults_of(std::size_t bytes) {
    Buffer<char> buffer(bytes);
    const long before = page_faults();
    for (std::size_t i = 0; i < bytes; i += 4096) {
        buffer[i] = 1;
    }
    return page_faults() - before;
}

TEST(Buffer, LargeOnesFaultInHugePages) {
    if (!gives_huge_pages()) {
        GTEST_SKIP() << "huge pages are 'never' here: runs with 'madvise', Linux' default";
    }
    constexpr long few = 8;  // page tables, and what else this process does
    EXPECT_LE(faults_of(16 * huge_page_bytes - 65536), 16 + few);  // the last one nearly full
    EXPECT_LE(faults_of(huge_page_bytes - 65536), 1 + few);
    constexpr std::size_t rest = 65536;  // not worth a huge page
    EXPECT_LE(faults_of(16 * huge_page_bytes + rest), 16 + few + static_cast<long>(rest / 4096));
}

TEST(Buffer, MovesTakeTheMemoryAlong) {
    Buffer<double> first(3, 2.5);
    const double* memory = first.data();
    Buffer<double> second(std::move(first));
    EXPECT_EQ(second.data(), memory);
    Buffer<double> third(1, 9.0);
    third = std::move(second);
    EXPECT_EQ(third.data(), memory);
    EXPECT_EQ(third.size(), 3U);
    EXPECT_EQ(third[2], 2.5);
}

TEST(Buffer, ReleaseGivesTheMemoryBack) {
    Buffer<double> buffer(100, 1.0);
    buffer.release();
    EXPECT_TRUE(buffer.empty());
    EXPECT_EQ(buffer.data(), nullptr);
    buffer.release();  // once more does nothing
}

TEST(Buffer, RefusalIsASentenceWithTheSize) {
    try {
        const Buffer<double> much(std::size_t{1} << 58);
        FAIL() << "2^61 bytes were granted";
    } catch (const EnvironmentError& error) {
        EXPECT_NE(std::string(error.what()).find("MiB"), std::string::npos) << error.what();
    }
}

static_assert(!std::is_copy_constructible_v<Buffer<double>>);
static_assert(!std::is_copy_assignable_v<Buffer<double>>);
static_assert(std::is_nothrow_move_constructible_v<Buffer<double>>);

TEST(Buffer, LeavesBorrowedMemoryToItsOwner) {
    Buffer<double> owner(4, 1.0);
    {
        Buffer<double> view = Buffer<double>::borrow(owner.data() + 1, 2);
        view[0] = 5.0;
        Buffer<double> moved = std::move(view);
        EXPECT_EQ(moved.size(), 2U);
        moved.release();
    }
    EXPECT_EQ(owner[1], 5.0);
}

}  // namespace

}  // namespace halocline
