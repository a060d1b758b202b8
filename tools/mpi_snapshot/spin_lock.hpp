// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A lock for the few tables that threads share; free of cost while one thread at a time calls MPI.
#pragma once

#include <sched.h>

#include <atomic>

namespace halocline::snapshot {

/// Set when MPI was initialised with MPI_THREAD_MULTIPLE.
extern std::atomic<bool> threads_call_at_once;

class SpinLock {
public:
    void lock() {
        while (held_.exchange(true, std::memory_order_acquire)) {
            sched_yield();
        }
    }
    void unlock() { held_.store(false, std::memory_order_release); }

private:
    std::atomic<bool> held_;
};

/// Holds a lock where several threads may call MPI at once, and nothing otherwise.
class MpiLockGuard {
public:
    explicit MpiLockGuard(SpinLock& lock)
        : lock_(threads_call_at_once.load(std::memory_order_relaxed) ? &lock : nullptr) {
        if (lock_ != nullptr) {
            lock_->lock();
        }
    }
    ~MpiLockGuard() {
        if (lock_ != nullptr) {
            lock_->unlock();
        }
    }
    MpiLockGuard(const MpiLockGuard&) = delete;
    MpiLockGuard& operator=(const MpiLockGuard&) = delete;

private:
    SpinLock* lock_;
};

}  // namespace halocline::snapshot
