// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/memory/block_reuse.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "halocline/memory/buffer.hpp"
#include "halocline/memory/huge_pages.hpp"

namespace halocline {
namespace {

constexpr std::size_t part = std::size_t{1} << 20;  ///< 8 MiB of doubles, in whole huge pages
constexpr std::size_t slack = 4096;                 ///< leaves room for what buffers add
constexpr std::size_t large = part - slack;
constexpr std::size_t twice_as_large = 2 * part - slack;

/// Where the memory of a buffer begins: a huge page in whose first small page the buffer does.
std::uintptr_t block_of(const Buffer<double>& buffer) {
    return reinterpret_cast<std::uintptr_t>(buffer.data()) / huge_page_bytes * huge_page_bytes;
}

std::uintptr_t place_of_a_freed_block(std::size_t size) {
    const Buffer<double> block(size, 1.0);
    return block_of(block);
}

TEST(BlockReuse, LaterBuffersTakeTheFrontOfFreedBlocks) {
    BlockReuse reuse;
    const std::uintptr_t place = place_of_a_freed_block(twice_as_large);
    const Buffer<double> front(large, 2.0);
    const Buffer<double> rest(large, 3.0);
    EXPECT_EQ(block_of(front), place);
    EXPECT_EQ(block_of(rest), place + part * sizeof(double));
    EXPECT_EQ(front[large - 1], 2.0);
}

TEST(BlockReuse, NeighboursBecomeOneBlockAgain) {
    BlockReuse reuse;
    const std::uintptr_t place = place_of_a_freed_block(twice_as_large);
    {
        const Buffer<double> front(large, 2.0);
        const Buffer<double> rest(large, 3.0);
    }
    EXPECT_EQ(place_of_a_freed_block(twice_as_large), place);
}

TEST(BlockReuse, NothingIsKeptAfterItsEnd) {
    BlockReuse reuse;
    static_cast<void>(place_of_a_freed_block(large));
    reuse.end();
    EXPECT_EQ(detail::free_blocks().take(part * sizeof(double)), nullptr);
    static_cast<void>(place_of_a_freed_block(large));
    EXPECT_EQ(detail::free_blocks().take(part * sizeof(double)), nullptr);
}

}  // namespace
}  // namespace halocline
