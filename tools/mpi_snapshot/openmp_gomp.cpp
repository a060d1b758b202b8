// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// GCC's runtime: its entry points for parallel regions and barriers. It has no tool interface.
//
// The outlined body of a region is replaced by one that reads the thread's processor clock before and
// after. Barriers inside are taken out, because threads spin there.
#include "call.hpp"
#include "modules.hpp"
#include "openmp.hpp"
#include "ticks.hpp"

#include <dlfcn.h>

namespace halocline::snapshot {

namespace {

using Body = void (*)(void*);

using Ask = int (*)();
using AskLevel = int (*)(int);

/// What all threads of one call share.
struct Team {
    void*
        reductions;  // first: the runtime finds task reductions by the first word of a body's data
    Body body;
    void* data;
    std::atomic<std::uint64_t> threads, busy_sum_ns, busy_max_ns;
};

/// What an entry point was called with.
struct Outlined {
    Body body;
    void* data;
    void* reductions;  // null where it has none
};

/// The calling thread inside a measured region.
struct Member {
    bool inside;
    std::uint64_t since_ns;
    std::uint64_t busy_ns;
};
thread_local constinit Member member __attribute__((tls_model("initial-exec"))) = {false, 0, 0};

void measured_body(void* argument) {
    auto& team = *static_cast<Team*>(argument);
    const Member outer = member;
    member = {true, thread_cpu_ns(), 0};
    team.body(team.data);
    const std::uint64_t busy = member.busy_ns + thread_cpu_ns() - member.since_ns;
    member = outer;
    team.threads.fetch_add(1, std::memory_order_relaxed);
    team.busy_sum_ns.fetch_add(busy, std::memory_order_relaxed);
    std::uint64_t most = team.busy_max_ns.load(std::memory_order_relaxed);
    while (most < busy &&
           !team.busy_max_ns.compare_exchange_weak(most, busy, std::memory_order_relaxed)) {
    }
}

std::int32_t module_of(const char* symbol) { return place_of(dlsym(RTLD_NEXT, symbol)).module; }

/// LLVM's runtime has these entry points, too, and tells of its regions itself (openmp_ompt.cpp). Not
/// asked by `ompt_is_active`: the runtime may start in this very call.
bool llvm_serves() {
    static const bool serves = dlsym(RTLD_NEXT, "__kmpc_fork_call") != nullptr &&
                               dlsym(RTLD_NEXT, "GOMP_parallel") != nullptr &&
                               module_of("GOMP_parallel") == module_of("__kmpc_fork_call");
    return serves;
}

/// Also where the runtime was loaded by dlopen: ask the files that have it.
void* find_in_runtime(const char* name) {
    if (void* found = dlsym(RTLD_NEXT, name)) {
        return found;
    }
    for (const char* file : {"libgomp", "libomp", "libiomp5"}) {
        const char* path = loaded_file(file);
        void* handle = path == nullptr ? nullptr : dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
        void* found = handle == nullptr ? nullptr : dlsym(handle, name);
        if (found != nullptr) {
            return found;
        }
    }
    return nullptr;
}

/// Regions around the calling thread.
int enclosing_regions() {
    static const auto level = reinterpret_cast<Ask>(find_in_runtime("omp_get_level"));
    return level == nullptr ? 0 : level();
}

/// How many threads they have together.
std::uint64_t enclosing_threads(int levels) {
    static const auto size = reinterpret_cast<AskLevel>(find_in_runtime("omp_get_team_size"));
    std::uint64_t threads = 1;
    for (int level = 1; level <= levels && size != nullptr; ++level) {
        threads *= static_cast<std::uint64_t>(size(level) > 0 ? size(level) : 1);
    }
    return threads;
}

/// Runs `start(body, data)` with the measuring body around the program's.
template <class Start>
void measure_region(Region& region, const Outlined& call, int levels, Start start) {
    Team team{call.reductions, call.body, call.data, {0}, {0}, {0}};
    const std::uint64_t begin = ticks();
    start(&measured_body, static_cast<void*>(&team));
    const std::uint64_t elapsed = ticks() - begin;
    const std::uint64_t threads = team.threads.load();
    region.count_measured({elapsed, threads == 0 ? 1 : threads, team.busy_sum_ns.load(),
                           team.busy_max_ns.load(), enclosing_threads(levels)});
}

template <class Start>
void run_region(const Outlined& call, Start start) {
    const auto* site = reinterpret_cast<const void*>(call.body);
    if (llvm_serves()) {
        body_of_gomp_call = site;
        return start(call.body, call.data);
    }
    if (!counts_regions()) {
        return start(call.body, call.data);
    }
    const int levels = enclosing_regions();
    Region* region = region_of(site, levels > 0);
    if (region == nullptr) {
        return start(call.body, call.data);
    }
    if (region->is_measured()) {
        return measure_region(*region, call, levels, start);
    }
    const std::uint64_t begin = ticks();
    start(call.body, call.data);
    region->count(ticks() - begin);
}

template <class Start>
void run_region(Body body, void* data, Start start) {
    run_region(Outlined{body, data, nullptr}, start);
}

#define HALOCLINE_RUNTIME(name, ...) \
    static const auto real_function = reinterpret_cast<__VA_ARGS__>(find_in_runtime(#name))

/// Takes the time in a barrier out of the thread's busy time.
template <class Wait>
auto wait_with(Wait wait) {
    if (!member.inside) {
        return wait();
    }
    member.busy_ns += thread_cpu_ns() - member.since_ns;
    const auto result = wait();
    member.since_ns = thread_cpu_ns();
    return result;
}

}  // namespace

thread_local constinit const void* body_of_gomp_call = nullptr;

HALOCLINE_WRAPPER void GOMP_parallel(Body body, void* data, unsigned threads, unsigned flags) {
    HALOCLINE_RUNTIME(GOMP_parallel, void (*)(Body, void*, unsigned, unsigned));
    run_region(body, data, [&](Body b, void* d) { real_function(b, d, threads, flags); });
}

HALOCLINE_WRAPPER unsigned GOMP_parallel_reductions(Body body, void* data, unsigned threads,
                                                    unsigned flags) {
    HALOCLINE_RUNTIME(GOMP_parallel_reductions, unsigned (*)(Body, void*, unsigned, unsigned));
    unsigned came = 0;
    run_region({body, data, *static_cast<void**>(data)},
               [&](Body b, void* d) { came = real_function(b, d, threads, flags); });
    return came;
}

HALOCLINE_WRAPPER void GOMP_parallel_sections(Body body, void* data, unsigned threads,
                                              unsigned count, unsigned flags) {
    HALOCLINE_RUNTIME(GOMP_parallel_sections, void (*)(Body, void*, unsigned, unsigned, unsigned));
    run_region(body, data, [&](Body b, void* d) { real_function(b, d, threads, count, flags); });
}

#define HALOCLINE_PARALLEL_LOOP(name)                                                          \
    HALOCLINE_WRAPPER void name(Body body, void* data, unsigned threads, long start, long end, \
                                long step, long chunk, unsigned flags) {                       \
        HALOCLINE_RUNTIME(name,                                                                \
                          void (*)(Body, void*, unsigned, long, long, long, long, unsigned));  \
        run_region(body, data, [&](Body b, void* d) {                                          \
            real_function(b, d, threads, start, end, step, chunk, flags);                      \
        });                                                                                    \
    }
HALOCLINE_PARALLEL_LOOP(GOMP_parallel_loop_static)
HALOCLINE_PARALLEL_LOOP(GOMP_parallel_loop_dynamic)
HALOCLINE_PARALLEL_LOOP(GOMP_parallel_loop_guided)
HALOCLINE_PARALLEL_LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
HALOCLINE_PARALLEL_LOOP(GOMP_parallel_loop_nonmonotonic_guided)

#define HALOCLINE_PARALLEL_RUNTIME_LOOP(name)                                                  \
    HALOCLINE_WRAPPER void name(Body body, void* data, unsigned threads, long start, long end, \
                                long step, unsigned flags) {                                   \
        HALOCLINE_RUNTIME(name, void (*)(Body, void*, unsigned, long, long, long, unsigned));  \
        run_region(body, data, [&](Body b, void* d) {                                          \
            real_function(b, d, threads, start, end, step, flags);                             \
        });                                                                                    \
    }
HALOCLINE_PARALLEL_RUNTIME_LOOP(GOMP_parallel_loop_runtime)
HALOCLINE_PARALLEL_RUNTIME_LOOP(GOMP_parallel_loop_nonmonotonic_runtime)
HALOCLINE_PARALLEL_RUNTIME_LOOP(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

#define HALOCLINE_BARRIER(name)              \
    HALOCLINE_WRAPPER void name() {          \
        HALOCLINE_RUNTIME(name, void (*)()); \
        wait_with([&] {                      \
            real_function();                 \
            return 0;                        \
        });                                  \
    }
HALOCLINE_BARRIER(GOMP_barrier)
HALOCLINE_BARRIER(GOMP_loop_end)
HALOCLINE_BARRIER(GOMP_sections_end)

#define HALOCLINE_CANCEL_BARRIER(name)                     \
    HALOCLINE_WRAPPER bool name() {                        \
        HALOCLINE_RUNTIME(name, bool (*)());               \
        return wait_with([&] { return real_function(); }); \
    }
HALOCLINE_CANCEL_BARRIER(GOMP_barrier_cancel)
HALOCLINE_CANCEL_BARRIER(GOMP_loop_end_cancel)
HALOCLINE_CANCEL_BARRIER(GOMP_sections_end_cancel)

}  // namespace halocline::snapshot
