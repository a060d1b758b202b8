// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// How many calls the program made in which MPI's locks would cost time.
#pragma once

#include <atomic>
#include <cstdint>

namespace halocline::endpoints {

class CallCount {
public:
    /// A load and a store, not a locked increment: the number is asked for only where threads of the
    /// program take turns.
    static void add() {
        calls_.store(calls_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
    [[nodiscard]] static std::int64_t get() { return calls_.load(std::memory_order_relaxed); }

private:
    static inline std::atomic<std::int64_t> calls_{0};
};

}  // namespace halocline::endpoints
