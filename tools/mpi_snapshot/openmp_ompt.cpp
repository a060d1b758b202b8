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

/// One running region; taken from a pool, because parallel_begin must not use the heap.
struct Team {
    Slot* slots;
    unsigned capacity;
    const void* site;  // known at the begin already for GCC's code, else null
    std::atomic<unsigned> threads;
    std::uint64_t begin_ns;
    Team* next;
};

SpinLock pool_lock;
Team* pool = nullptr;

struct Member {
    Team* team;
    unsigned index;
    bool running;
    std::uint64_t since_ns;
};
thread_local constinit Member member
    __attribute__((tls_model("initial-exec"))) = {nullptr, 0, false, 0};

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
    if (member.team != nullptr && member.running) {
        member.running = false;
        auto& busy = member.team->slots[member.index].busy_ns;
        const std::uint64_t more = thread_cpu_ns() - member.since_ns;
        busy.store(busy.load(std::memory_order_relaxed) + more, std::memory_order_release);
    }
}

void start_clock() {
    if (member.team != nullptr && !member.running) {
        member.running = true;
        member.since_ns = thread_cpu_ns();
    }
}

void on_parallel_begin(Data*, const void*, Data* parallel, unsigned threads, int, const void*) {
    parallel->pointer = nullptr;
    const void* body = body_of_gomp_call;
    body_of_gomp_call = nullptr;
    if (counts_regions() && member.team == nullptr) {
        if (Team* team = take_team(threads == 0 ? 1 : threads)) {
            // As if it were a return address, like all sites of this runtime.
            team->site = body == nullptr ? nullptr : static_cast<const char*>(body) + 1;
            team->begin_ns = monotonic_ns();
            parallel->pointer = team;
        }
    }
}

void on_parallel_end(Data* parallel, Data*, int, const void* site) {
    auto* team = parallel == nullptr ? nullptr : static_cast<Team*>(parallel->pointer);
    if (team == nullptr) {
        return;
    }
    RegionCall call{team->site != nullptr ? team->site : site,
                    team->threads.load(std::memory_order_relaxed), monotonic_ns() - team->begin_ns,
                    0, 0};
    for (unsigned i = 0; i < call.threads && i < team->capacity; ++i) {
        const std::uint64_t busy = team->slots[i].busy_ns.load(std::memory_order_acquire);
        call.busy_sum_ns += busy;
        call.busy_max_ns = busy > call.busy_max_ns ? busy : call.busy_max_ns;
    }
    note_region(call);
    give_back(team);
}

void on_implicit_task(int endpoint, Data* parallel, Data*, unsigned threads, unsigned index,
                      int flags) {
    if ((flags & task_initial) != 0) {
        return;
    }
    if (endpoint != scope_begin) {
        stop_clock();
        member.team = nullptr;
        return;
    }
    auto* team = parallel == nullptr ? nullptr : static_cast<Team*>(parallel->pointer);
    if (team != nullptr && index < team->capacity) {
        team->threads.store(threads, std::memory_order_relaxed);
        member = {team, index, false, 0};
        start_clock();
    }
}

/// All threads reach the last barrier of a region before its end is told: their clocks stand then.
void on_sync_region_wait(int, int endpoint, Data* parallel, Data*, const void*) {
    if (endpoint == scope_begin) {
        stop_clock();
    } else if (parallel != nullptr && parallel->pointer == member.team) {
        start_clock();
    } else {
        member.team = nullptr;  // a worker leaves the barrier after its region has ended
    }
}

int initialize(Lookup lookup, int, Data*) {
    const auto set = reinterpret_cast<SetCallback>(lookup("ompt_set_callback"));
    if (set == nullptr) {
        return 0;
    }
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
