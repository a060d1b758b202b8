// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The list of thread records and the parts of a record that appear on first use.
#include "thread_record.hpp"

#include "session.hpp"

#include <sys/syscall.h>
#include <unistd.h>

namespace halocline::snapshot {

namespace {

std::atomic<ThreadRecord*> first_record{nullptr};

ThreadRecord* adopt_orphan() {
    for (ThreadRecord* record = first_thread_record(); record != nullptr; record = record->next) {
        bool expected = false;
        if (record->in_use.compare_exchange_strong(expected, true, std::memory_order_acq_rel)) {
            return record;
        }
    }
    return nullptr;
}

ThreadRecord* new_record() {
    auto* record = allocate_array<ThreadRecord>(1);
    if (record == nullptr) {
        return nullptr;
    }
    record->in_use.store(true, std::memory_order_relaxed);
    ThreadRecord* first = first_record.load(std::memory_order_relaxed);
    do {
        record->next = first;
    } while (!first_record.compare_exchange_weak(first, record, std::memory_order_release));
    return record;
}

}  // namespace

ThreadRecord* first_thread_record() { return first_record.load(std::memory_order_acquire); }

ThreadRecord* attach_thread() {
    ThreadRecord* record = adopt_orphan();
    if (record == nullptr) {
        record = new_record();
    }
    if (record != nullptr) {
        record->tid.store(static_cast<pid_t>(syscall(SYS_gettid)), std::memory_order_relaxed);
        record->recent_generation = 0;
    }
    return record;
}

void detach_thread(ThreadRecord* record) { record->in_use.store(false, std::memory_order_release); }

void FunctionStats::stand_for_untimed(RecentSites& recent, std::uint64_t ticks) {
    // The first calls are all timed: a program that makes few of them gets their true time.
    constexpr std::uint64_t timed_at_first = 64;
    constexpr std::uint32_t untimed_in_a_row = 63;
    if (bins[0].calls.get() < timed_at_first) {
        return;
    }
    // A call during which the thread lost its core stands for itself alone.
    constexpr std::uint64_t ordinary_factor = 8;
    if (ticks <= ordinary_factor * bins[0].least.get()) {
        ordinary_calls.add(1);
        ordinary_ticks.add(ticks);
    }
    if (recent.untimed_left.load(std::memory_order_relaxed) == 0) {
        untimed_granted.add(untimed_in_a_row);
        recent.untimed_left.store(untimed_in_a_row, std::memory_order_relaxed);
    }
}

void ThreadRecord::note_point(Function function, int members, std::uint64_t bytes,
                              std::uint64_t ticks) {
    PointTable* table = points.load(std::memory_order_relaxed);
    if (table == nullptr) [[unlikely]] {
        table = allocate_array<PointTable>(1);
        if (table == nullptr) {
            return;
        }
        points.store(table, std::memory_order_release);
    }
    table->note(function, members, bin_of(bytes), bytes, ticks);
}

void FunctionStats::note_time(int bin, std::uint64_t ticks) {
    TimeClasses* classes = times[bin].load(std::memory_order_relaxed);
    if (classes == nullptr) {
        classes = allocate_array<TimeClasses>(1);
        if (classes == nullptr) {
            return;
        }
        times[bin].store(classes, std::memory_order_release);
    }
    classes->note(ticks);
}

std::uint64_t FunctionStats::untimed_ticks(std::uint64_t calls) const {
    const std::uint64_t ordinary = ordinary_calls.get();
    if (calls == 0 || ordinary == 0) {
        return calls == 0 || bins[0].least.empty() ? 0 : calls * bins[0].least.get();
    }
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(static_cast<Wide>(calls) * ordinary_ticks.get() / ordinary);
}

FunctionStats* ThreadRecord::stats(Function function) {
    auto& place = functions[static_cast<int>(function)];
    FunctionStats* found = place.load(std::memory_order_relaxed);
    if (found == nullptr) [[unlikely]] {
        found = allocate_array<FunctionStats>(1);
        place.store(found, std::memory_order_release);
    }
    return found;
}

CallTotal ThreadRecord::total(int function) const {
    const FunctionStats* stats = functions[function].load(std::memory_order_acquire);
    if (stats == nullptr) {
        return {0, 0};
    }
    const std::uint64_t not_timed = untimed(function);
    CallTotal sum{not_timed + stats->deferred_calls.get() - stats->late_calls.get(),
                  stats->untimed_ticks(not_timed) + stats->initiation_ticks.get()};
    for (const Bin& bin : stats->bins) {
        sum.calls += bin.calls.get();
        sum.ticks += bin.ticks.get();
    }
    return sum;
}

CallTotal ThreadRecord::total() const {
    CallTotal sum{0, 0};
    for (int function = 0; function < function_count; ++function) {
        const CallTotal each = total(function);
        sum.calls += each.calls;
        sum.ticks += each.ticks;
    }
    return sum;
}

Peer* ThreadRecord::peer(int world_rank) {
    if (world_rank < 0 || world_rank >= session.ranks) {
        return nullptr;
    }
    Peer* row = peers.load(std::memory_order_relaxed);
    if (row == nullptr) [[unlikely]] {
        row = allocate_array<Peer>(static_cast<std::size_t>(session.ranks));
        if (row == nullptr) {
            return nullptr;
        }
        peers.store(row, std::memory_order_release);
    }
    return row + world_rank;
}

}  // namespace halocline::snapshot
