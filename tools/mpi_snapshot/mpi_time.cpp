// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Sums over the threads of the rank.
#include "mpi_time.hpp"

#include "any_thread.hpp"
#include "sites.hpp"
#include "thread_record.hpp"

namespace halocline::snapshot {

AnyThread any_thread;

void AnyThread::enter(std::uint64_t now) {
    lock_.lock();
    if (inside_++ == 0) {
        // The clock was read before the lock was held.
        since_.set(now > last_end_ ? now : last_end_);
    }
    lock_.unlock();
}

void AnyThread::leave(std::uint64_t now) {
    lock_.lock();
    if (inside_ > 0 && --inside_ == 0) {
        const std::uint64_t since = since_.get();
        last_end_ = now > since ? now : since;
        // In this order a reader may miss this time for once, but never counts it twice.
        since_.set(0);
        ticks_.add(last_end_ - since);
    }
    lock_.unlock();
}

namespace {

std::uint64_t untimed_ticks(const ThreadRecord& record) {
    std::uint64_t ticks = 0;
    for (int function = 0; function < function_count; ++function) {
        if (const FunctionStats* stats = record.known_stats(function)) {
            ticks += stats->untimed_ticks(record.untimed(function));
        }
    }
    return ticks;
}

}  // namespace

PendingCall pending_call(const ThreadRecord& record, std::uint64_t now) {
    const std::uint64_t function = record.current_function.get();
    const std::uint64_t since = record.current_since_ticks.get();
    if (function == 0 || since > now) {
        return {-1, 0, nullptr};
    }
    const Site* site = record.current_site.load(std::memory_order_acquire);
    // The thread may be one call further already.
    const bool fits = site != nullptr && site->address.load(std::memory_order_acquire) != nullptr &&
                      site->function == function - 1;
    return {static_cast<int>(function) - 1, now - since, fits ? site : nullptr};
}

MpiTicks mpi_ticks_until(std::uint64_t now) {
    std::uint64_t returned = 0, pending = 0, untimed = 0;
    for (const auto* record = first_thread_record(); record != nullptr; record = record->next) {
        returned += record->total().ticks;
        pending += pending_call(*record, now).ticks;
        untimed += untimed_ticks(*record);
    }
    const bool at_once = threads_call_at_once.load(std::memory_order_relaxed);
    return {returned, at_once ? any_thread.ticks_until(now) + untimed : returned + pending};
}

}  // namespace halocline::snapshot
