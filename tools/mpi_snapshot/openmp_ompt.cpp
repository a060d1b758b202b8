// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// LLVM's runtime (and Intel's): a tool of OMPT, the tool interface of OpenMP 5.
//
// The few declarations needed are written down here from the OpenMP 5.0 specification, chapter 4,
// because GCC ships no <omp-tools.h>.
#include "call.hpp"
#include "memory.hpp"
#include "openmp.hpp"
#include "spin_lock.hpp"
#include "ticks.hpp"

#include <cstdlib>

namespace halocline::snapshot {

namespace {

union Data {
    std::uint64_t value;
    void* pointer;
};
using Interface = void (*)();
using Lookup = Interface (*)(const char*);
using SetCallback = int (*)(int event, Interface callback);
struct StartResult {
    int (*initialize)(Lookup, int, Data*);
    void (*finalize)(Data*);
    Data tool_data;
};

// Numbers of the specification.
constexpr int event_parallel_begin = 3;
constexpr int event_parallel_end = 4;
constexpr int event_implicit_task = 7;
constexpr int event_sync_region_wait = 16;
constexpr int scope_begin = 1;
constexpr int task_initial = 1;

/// Busy time of one thread of a team, on a cache line of its own.
struct alignas(64) Slot {
    std::atomic<std::uint64_t> busy_ns;
};

/// One running region that is measured; taken from a pool, because parallel_begin must not use the heap.
struct Team {
    Slot* slots;
    unsigned capacity;
    std::atomic<unsigned> threads;
    std::uint64_t beside;
    Team* next;
};

SpinLock pool_lock;
Team* pool = nullptr;

/// A region that the calling thread has begun.
struct Open {
    Region* region;  // null: not counted
    Team* team;      // null: not measured
    std::uint64_t begin;
};

/// The calling thread as a member of a team.
struct Member {
    Team* team;  // null: not measured
    unsigned index;
    bool running;
    std::uint64_t since_ns;
};

constexpr int deepest = 8;  // regions inside each other; those further down are not counted

struct Thread {
    Member member;
    Member outer[deepest];  // what it was in the regions around the present one
    int depth;              // regions that it is a member of
    Open open[deepest];
    int open_count;
};
thread_local constinit Thread self __attribute__((tls_model("initial-exec"))) = {};

using ParallelInfo = int (*)(int, Data**, int*);
ParallelInfo parallel_info = nullptr;

/// Threads of the regions around the one that begins.
std::uint64_t enclosing_threads() {
    std::uint64_t threads = 1;
    Data* parallel = nullptr;
    for (int level = 0, size = 0;
         parallel_info != nullptr && parallel_info(level, &parallel, &size) == 2; ++level) {
        threads *= static_cast<std::uint64_t>(size > 0 ? size : 1);
    }
    return threads;
}

Team* take_team(unsigned threads) {
    pool_lock.lock();
    Team** place = &pool;
    while (*place != nullptr && (*place)->capacity < threads) {
        place = &(*place)->next;
    }
    Team* team = *place;
    if (team != nullptr) {
        *place = team->next;
    }
    pool_lock.unlock();
    if (team == nullptr) {
        team = allocate_array<Team>(1);
        Slot* slots = allocate_array<Slot>(threads);
        if (team == nullptr || slots == nullptr) {
            return nullptr;
        }
        team->slots = slots;
        team->capacity = threads;
    }
    for (unsigned i = 0; i < team->capacity; ++i) {
        team->slots[i].busy_ns.store(0, std::memory_order_relaxed);
    }
    team->threads.store(0, std::memory_order_relaxed);
    return team;
}

void give_back(Team* team) {
    pool_lock.lock();
    team->next = pool;
    pool = team;
    pool_lock.unlock();
}

void stop_clock() {
    Member& member = self.member;
    if (member.team != nullptr && member.running) {
        member.running = false;
        auto& busy = member.team->slots[member.index].busy_ns;
        const std::uint64_t more = thread_cpu_ns() - member.since_ns;
        busy.store(busy.load(std::memory_order_relaxed) + more, std::memory_order_release);
    }
}

void start_clock() {
    Member& member = self.member;
    if (member.team != nullptr && !member.running) {
        member.running = true;
        member.since_ns = thread_cpu_ns();
    }
}

Open open_region(const void* site, unsigned threads) {
    if (!counts_regions()) {
        return {nullptr, nullptr, 0};
    }
    const bool nested = self.depth > 0;
    Region* region = region_of(site, nested);
    Team* team = nullptr;
    if (region != nullptr && region->is_measured()) {
        team = take_team(threads == 0 ? 1 : threads);
    }
    if (team != nullptr) {
        team->beside = nested ? enclosing_threads() : 1;
    }
    return {region, team, ticks()};
}

void on_parallel_begin(Data*, const void*, Data* parallel, unsigned threads, int,
                       const void* site) {
    const void* body = body_of_gomp_call;
    body_of_gomp_call = nullptr;
    parallel->pointer = nullptr;
    if (self.open_count < deepest) {
        // As if the body were a return address, like all sites of this runtime.
        const Open open =
            open_region(body == nullptr ? site : static_cast<const char*>(body) + 1, threads);
        parallel->pointer = open.team;
        self.open[self.open_count] = open;
    }
    ++self.open_count;
}

RegionCall call_of(Team& team, std::uint64_t elapsed) {
    const unsigned threads = team.threads.load(std::memory_order_relaxed);
    RegionCall call{elapsed, threads == 0 ? 1 : threads, 0, 0, team.beside};
    for (unsigned i = 0; i < threads && i < team.capacity; ++i) {
        const std::uint64_t busy = team.slots[i].busy_ns.load(std::memory_order_acquire);
        call.busy_sum_ns += busy;
        call.busy_max_ns = busy > call.busy_max_ns ? busy : call.busy_max_ns;
    }
    return call;
}

void on_parallel_end(Data*, Data*, int, const void*) {
    if (self.open_count == 0 || --self.open_count >= deepest) {
        return;
    }
    const Open& open = self.open[self.open_count];
    if (open.region == nullptr) {
        return;
    }
    const std::uint64_t elapsed = ticks() - open.begin;
    if (open.team == nullptr) {
        open.region->count(elapsed);
    } else {
        open.region->count_measured(call_of(*open.team, elapsed));
        give_back(open.team);
    }
}

void enter_team(Team* team, unsigned threads, unsigned index) {
    if (self.depth < deepest) {
        self.outer[self.depth] = self.member;
    }
    ++self.depth;
    self.member = {};
    if (team != nullptr && index < team->capacity) {
        team->threads.store(threads, std::memory_order_relaxed);
        self.member = {team, index, false, 0};
        start_clock();
    }
}

void leave_team() {
    stop_clock();
    self.member = {};
    if (self.depth > 0 && --self.depth < deepest) {
        self.member = self.outer[self.depth];
    }
}

void on_implicit_task(int endpoint, Data* parallel, Data*, unsigned threads, unsigned index,
                      int flags) {
    if ((flags & task_initial) != 0) {
        return;
    }
    if (endpoint == scope_begin) {
        enter_team(parallel == nullptr ? nullptr : static_cast<Team*>(parallel->pointer), threads,
                   index);
    } else {
        leave_team();
    }
}

/// All threads reach the last barrier of a region before its end is reported: their clocks have stopped then.
void on_sync_region_wait(int, int endpoint, Data* parallel, Data*, const void*) {
    if (self.member.team == nullptr) {
        return;
    }
    if (endpoint == scope_begin) {
        stop_clock();
    } else if (parallel != nullptr && parallel->pointer == self.member.team) {
        start_clock();
    } else {
        self.member.team = nullptr;  // a worker leaves the barrier after its region has ended
    }
}

int initialize(Lookup lookup, int, Data*) {
    const auto set = reinterpret_cast<SetCallback>(lookup("ompt_set_callback"));
    if (set == nullptr) {
        return 0;
    }
    parallel_info = reinterpret_cast<ParallelInfo>(lookup("ompt_get_parallel_info"));
    set(event_parallel_begin, reinterpret_cast<Interface>(on_parallel_begin));
    set(event_parallel_end, reinterpret_cast<Interface>(on_parallel_end));
    set(event_implicit_task, reinterpret_cast<Interface>(on_implicit_task));
    set(event_sync_region_wait, reinterpret_cast<Interface>(on_sync_region_wait));
    ompt_is_active.store(true, std::memory_order_relaxed);
    return 1;
}

void finalize(Data*) {}

StartResult start_result{initialize, finalize, {0}};

}  // namespace

/// Called by the runtime when it starts, before or after MPI_Init.
HALOCLINE_WRAPPER StartResult* ompt_start_tool(unsigned, const char*) {
    const char* folder = std::getenv("HALOCLINE_SNAPSHOT_DIR");
    const char* choice = std::getenv("HALOCLINE_SNAPSHOT_OPENMP");
    const bool wanted = folder != nullptr && (choice == nullptr || *choice != '0');
    return wanted ? &start_result : nullptr;
}

}  // namespace halocline::snapshot
