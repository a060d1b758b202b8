// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Values that kernels of one device write into the memory of another, which waits for each of them by
// itself: no fence, no flag behind the data. The same on an emulated device, whose kernels are host code.
#pragma once

#include <cstdint>

#include "halocline/core/types.hpp"

#if !defined(HALOCLINE_ON_GPU)
#include <sched.h>

#include <atomic>
#endif

namespace halocline {

/// 64 bits in two words, each half beside the number of the round that wrote it: a word is written in
/// one piece, so who sees the number sees the half. Rounds count from 1; memory begins as zeros.
/// (The idea of data that carries its own flag: protocol LL of NCCL.)
struct alignas(16) PeerValue {
    std::uint64_t word[2];  ///< half of the bits above, round below
};

namespace detail {

HALOCLINE_HD inline std::uint64_t with_round(std::uint64_t half, std::uint32_t round) {
    return half << 32 | round;
}

/// Both words, each of one piece but not together.
HALOCLINE_HD inline PeerValue read_words(const PeerValue* from) {
    PeerValue words;
#if defined(__HIP_DEVICE_COMPILE__)
    auto* own = const_cast<PeerValue*>(from);
    for (int i = 0; i < 2; ++i) {
        words.word[i] =
            __hip_atomic_load(&own->word[i], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
    }
#elif defined(HALOCLINE_ON_GPU)
    asm volatile("ld.volatile.global.v2.u64 {%0, %1}, [%2];"
                 : "=l"(words.word[0]), "=l"(words.word[1])
                 : "l"(from)
                 : "memory");
#else
    auto* own = const_cast<PeerValue*>(from);
    words.word[0] = std::atomic_ref(own->word[0]).load(std::memory_order_relaxed);
    words.word[1] = std::atomic_ref(own->word[1]).load(std::memory_order_relaxed);
#endif
    return words;
}

HALOCLINE_HD inline void pause_polling() {
#if !defined(HALOCLINE_ON_GPU)
    sched_yield();
#endif
}

}  // namespace detail

/// Writes `bits` for `round`, which must not have been written before.
HALOCLINE_HD inline void put_bits(PeerValue* to, std::uint64_t bits, std::uint32_t round) {
    const std::uint64_t low = detail::with_round(bits & 0xffffffffU, round);
    const std::uint64_t high = detail::with_round(bits >> 32, round);
#if defined(__HIP_DEVICE_COMPILE__)
    __hip_atomic_store(&to->word[0], low, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
    __hip_atomic_store(&to->word[1], high, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
#elif defined(HALOCLINE_ON_GPU)
    asm volatile("st.volatile.global.v2.u64 [%0], {%1, %2};" ::"l"(to), "l"(low), "l"(high)
                 : "memory");
#else
    std::atomic_ref(to->word[0]).store(low, std::memory_order_relaxed);
    std::atomic_ref(to->word[1]).store(high, std::memory_order_relaxed);
#endif
}

/// Waits until `round` has written it.
HALOCLINE_HD inline std::uint64_t take_bits(const PeerValue* from, std::uint32_t round) {
    while (true) {
        const PeerValue seen = detail::read_words(from);
        if (static_cast<std::uint32_t>(seen.word[0]) == round &&
            static_cast<std::uint32_t>(seen.word[1]) == round) {
            return (seen.word[1] & 0xffffffff00000000U) | seen.word[0] >> 32;
        }
        detail::pause_polling();
    }
}

}  // namespace halocline
