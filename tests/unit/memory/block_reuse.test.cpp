// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/memory/block_reuse.hpp"

#include <gtest/gtest.h>

#include "halocline/memory/buffer.hpp"

namespace halocline {
namespace {

constexpr std::size_t part = std::size_t{1} << 20;  ///< 8 MiB of doubles, in whole huge pages
constexpr std::size_t slack = 4096;                 ///< leaves room for what buffers add
constexpr std::size_t large = part - slack;
constexpr std::size_t twice_as_large = 2 * part - slack;

const double* place_of_a_freed_block(std::size_t size) {
    const Buffer<double> block(size, 1.0);
    return block.data();
}

TEST(BlockReuse, LaterBuffersTakeTheFrontOfFreedBlocks) {
    BlockReuse reuse;
    const double* const place = place_of_a_freed_block(twice_as_large);
    const Buffer<double> front(large, 2.0);
    const Buffer<double> rest(large, 3.0);
    EXPECT_EQ(front.data(), place);
    EXPECT_EQ(rest.data(), place + part);
    EXPECT_EQ(front[large - 1], 2.0);
}

TEST(BlockReuse, NeighboursBecomeOneBlockAgain) {
    BlockReuse reuse;
    const double* const place = place_of_a_freed_block(twice_as_large);
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
