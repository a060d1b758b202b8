// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The MPI time of a rank: time in which at least one of its threads was inside MPI.
#pragma once

#include "counter.hpp"
#include "spin_lock.hpp"

#include <cstdint>

namespace halocline::snapshot {

/// Kept only where several threads may be inside at once (MPI_THREAD_MULTIPLE); elsewhere it is the sum
/// over threads. Written under its lock, read by whoever writes a file, perhaps in a signal handler.
class AnyThread {
public:
    void enter(std::uint64_t now);
    void leave(std::uint64_t now);
    /// What is open at `now` included.
    std::uint64_t ticks_until(std::uint64_t now) const {
        const std::uint64_t since = since_.get();
        return ticks_.get() + (since != 0 && now > since ? now - since : 0);
    }

private:
    SpinLock lock_;
    std::uint32_t inside_;
    Counter since_;  // 0: nobody is inside
    std::uint64_t last_end_;
    Counter ticks_;
};
extern AnyThread any_thread;

inline void note_entry(std::uint64_t now) {
    if (threads_call_at_once.load(std::memory_order_relaxed)) [[unlikely]] {
        any_thread.enter(now);
    }
}
inline void note_exit(std::uint64_t now) {
    if (threads_call_at_once.load(std::memory_order_relaxed)) [[unlikely]] {
        any_thread.leave(now);
    }
}

}  // namespace halocline::snapshot
