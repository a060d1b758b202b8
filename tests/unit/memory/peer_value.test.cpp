// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Values that say by themselves which round wrote them.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include "halocline/memory/peer_value.hpp"

namespace halocline::test {

namespace {

TEST(PeerValue, KeepsAllBits) {
    PeerValue place{};
    std::uint32_t round = 0;
    for (const std::uint64_t bits :
         {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{0x8000000000000000},
          std::uint64_t{0x7ff8dead0000beef}, std::uint64_t{0x00000001ffffffff}}) {
        put_bits(&place, bits, ++round);
        EXPECT_EQ(take_bits(&place, round), bits);
    }
}

TEST(PeerValue, IsNotTakenBeforeItsRound) {
    PeerValue place{};
    put_bits(&place, 1, 1);
    std::atomic<bool> taken{false};
    std::uint64_t value = 0;
    std::thread taker([&] {
        value = take_bits(&place, 2);
        taken = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(taken);
    put_bits(&place, 2, 2);
    taker.join();
    EXPECT_EQ(value, 2U);
}

TEST(PeerValue, NoHalfOfAnotherRoundIsTaken) {
    constexpr std::uint32_t rounds = 20000;
    const auto bits_of = [](std::uint32_t round) { return std::uint64_t{round} << 32 | ~round; };
    std::array<PeerValue, 2> slots{};
    std::array<PeerValue, 2> answers{};  // who writes round r + 2 knows that round r was taken
    std::thread writer([&] {
        for (std::uint32_t r = 1; r <= rounds; ++r) {
            put_bits(&slots[r % 2], bits_of(r), r);
            if (r > 1) {
                take_bits(&answers[(r - 1) % 2], r - 1);
            }
        }
    });
    std::uint32_t wrong = 0;
    for (std::uint32_t r = 1; r <= rounds; ++r) {
        wrong += take_bits(&slots[r % 2], r) == bits_of(r) ? 0U : 1U;
        put_bits(&answers[r % 2], 0, r);
    }
    writer.join();
    EXPECT_EQ(wrong, 0U);
}

}  // namespace

}  // namespace halocline::test
