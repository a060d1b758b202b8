// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Host code in place of a GPU: one thread at a time, no memory that is shared or far away.
#pragma once

#include "halocline/memory/gpu/figures.hpp"

namespace halocline {

struct EmulatedGpu : GpuFigures {
    /// Two doubles that move together.
    struct alignas(16) Pair {
        double x;
        double y;
    };

    /// Starts a copy to shared memory, which on a GPU passes no register. `sizeof(T)` is 4, 8 or 16.
    template <class T>
    static void copy_to_shared(T* to, const T* from) {
        *to = *from;
    }
    /// Returns when what the calling thread has started to copy is there for it; for others after the
    /// block's next barrier.
    static void finish_copies() {}

    /// What `prefetch` counts in [bytes].
    static constexpr int prefetch_bytes = 16;
    /// Has memory brought into the cache that all multiprocessors share; `begin` and `bytes` are multiples
    /// of `prefetch_bytes`.
    static void prefetch(const void* /*begin*/, int /*bytes*/) {}
};

}  // namespace halocline
