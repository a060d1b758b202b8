// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What one thread of the program did: written by that thread alone, read by whoever writes a file.
#pragma once

#include "collective_points.hpp"
#include "counter.hpp"
#include "functions.hpp"
#include "memory.hpp"
#include "sites.hpp"
#include "time_classes.hpp"

#include <mpi.h>
#include <sys/types.h>

#include <atomic>
#include <bit>
#include <cstdint>

namespace halocline::snapshot {

struct Communicator;
struct TrackedEntry;
class SiteTable;

/// Bin 0: no bytes; bin b: 2^(b-1) to 2^b - 1 bytes.
inline constexpr int bin_count = 48;
inline int bin_of(std::uint64_t bytes) {
    const int bin = static_cast<int>(std::bit_width(bytes));
    return bin < bin_count ? bin : bin_count - 1;
}

struct Bin {
    Counter calls;
    Counter bytes;
    Counter ticks;
    Least least;
};

/// Calls without a size, the most frequent, need the first cache line alone: the program has used the
/// caches for itself since the last call.
struct alignas(64) FunctionStats {
    Counter longest;
    Counter untimed_granted;  // calls that were not timed or need not be: see `untimed`
    Counter ordinary_calls;   // timed calls that stand for those which are not
    Counter ordinary_ticks;
    Bin bins[bin_count];
    Counter deferred_calls;    // size not known at the call: not in the bins
    Counter initiation_ticks;  // time of those
    Counter late_calls;        // entered into bins when their message had arrived
    Counter received_bytes;
    Counter completed_bytes;
    Counter polling_ticks;
    Counter device_calls;
    Counter device_bytes;
    std::atomic<TimeClasses*> times[bin_count];  // null where no call entered

    /// Enters the time of a call of this size.
    void note_time(int bin, std::uint64_t ticks);
    /// A timed call of a function most of whose calls are not: grants the next ones.
    void stand_for_untimed(RecentSites& recent, std::uint64_t ticks);
    /// The time of so many of them, from the mean of the ordinary ones.
    std::uint64_t untimed_ticks(std::uint64_t calls) const;
};

/// Traffic with one rank of MPI_COMM_WORLD.
struct Peer {
    Counter sent_messages, sent_bytes;
    Counter received_messages, received_bytes;
    Counter put_messages, put_bytes;
    Counter get_messages, get_bytes;
    Counter collective_messages, collective_bytes;
};

struct CallTotal {
    std::uint64_t calls, ticks;
};

struct RecentCommunicator {
    MPI_Comm handle;
    Communicator* communicator;
};

/// Zero-filled when made; lives as long as the process and serves another thread when its own ends.
struct alignas(64) ThreadRecord {
    // What most calls need, in one cache line.
    Counter current_function;  // 1 + Function while inside MPI, else 0
    Counter current_since_ticks;
    std::atomic<const Site*> current_site;       // where that call comes from; null: not known
    RecentCommunicator recent_communicators[2];  // these two of the owning thread only
    std::uint64_t recent_generation;

    std::atomic<SiteTable*> sites;
    RecentSites recent[function_count];
    std::atomic<FunctionStats*> functions[function_count];
    std::atomic<Peer*> peers;
    std::atomic<PointTable*> points;
    Counter unknown_peer_bytes;
    Counter unknown_peer_received_bytes;  // part of them
    /// Where calls of inquiries count when call sites are switched off.
    Site no_site;

    std::atomic<pid_t> tid;
    std::atomic<bool> is_main;
    std::atomic<bool> in_use;
    ThreadRecord* next;

    // Of the owning thread only.
    Scratch<TrackedEntry> entries;
    Scratch<MPI_Status> statuses;

    FunctionStats* stats(Function function);
    /// What there is of it already; null before the first counted call.
    FunctionStats* known_stats(Function function) const {
        return known_stats(static_cast<int>(function));
    }
    FunctionStats* known_stats(int function) const {
        return functions[function].load(std::memory_order_relaxed);
    }
    /// Calls of the function that were not timed; they are in no bin.
    std::uint64_t untimed(int function) const {
        const FunctionStats* stats = known_stats(function);
        return stats == nullptr ? 0
                                : stats->untimed_granted.get() -
                                      recent[function].untimed_left.load(std::memory_order_relaxed);
    }
    /// Calls that have returned, and their time.
    CallTotal total(int function) const;
    /// Of all functions.
    CallTotal total() const;
    Peer* peer(int world_rank);
    /// Enters a collective call on a communicator of so many members.
    void note_point(Function function, int members, std::uint64_t bytes, std::uint64_t ticks);
};

/// Newest record first; follow `next`.
ThreadRecord* first_thread_record();

/// A record for the calling thread: an orphaned one or a new one; null when memory is out.
ThreadRecord* attach_thread();

/// Lets a record serve another thread; its counts stay.
void detach_thread(ThreadRecord* record);

}  // namespace halocline::snapshot
