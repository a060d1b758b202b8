// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The flushing thread: sleeps, writes, sleeps longer up to the limit.
#include "flusher.hpp"

#include "device.hpp"
#include "report.hpp"
#include "tool_scope.hpp"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

namespace halocline::snapshot {

namespace {

constexpr std::uint64_t first_interval_ns = 250'000'000;
constexpr std::uint64_t finalize_grace_ns = 100'000'000;
constexpr std::size_t stack_bytes = 512 * 1024;

pthread_t thread;
sem_t woken;
std::atomic<bool> running{false};
std::atomic<bool> stopping{false};
std::atomic<int> tid{0};

/// True: woken before the time.
bool sleep_for(std::uint64_t interval_ns) {
    timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);  // the time of day may jump by hours
    const std::uint64_t ns = static_cast<std::uint64_t>(until.tv_nsec) + interval_ns;
    until.tv_sec += static_cast<time_t>(ns / 1'000'000'000u);
    until.tv_nsec = static_cast<long>(ns % 1'000'000'000u);
    int code = 0;
    do {
        code = sem_clockwait(&woken, CLOCK_MONOTONIC, &until);
    } while (code != 0 && errno == EINTR);
    return code == 0;
}

/// Four times as long; longer still while files cost more than a thousandth of the time between them.
std::uint64_t next_interval(std::uint64_t interval, std::uint64_t cost_ns) {
    const std::uint64_t longest = session.settings.flush_interval_ns;
    const std::uint64_t cheap = 1000 * cost_ns;
    const std::uint64_t wanted = 4 * interval > cheap ? 4 * interval : cheap;
    return wanted < longest ? wanted : longest;
}

void* flush_repeatedly(void*) {
    ToolScope scope;
    tid.store(static_cast<int>(syscall(SYS_gettid)), std::memory_order_relaxed);
    const std::uint64_t longest = session.settings.flush_interval_ns;
    std::uint64_t interval = first_interval_ns < longest ? first_interval_ns : longest;
    while (!sleep_for(interval)) {
        look_for_device_driver();
        const std::uint64_t begin_ns = thread_cpu_ns();
        write_report(End::flush);
        interval = next_interval(interval, thread_cpu_ns() - begin_ns);
    }
    if (!stopping.load(std::memory_order_acquire) && !sleep_for(finalize_grace_ns)) {
        write_report(End::finalize);
    }
    return nullptr;
}

}  // namespace

void start_flusher() {
    if (session.settings.flush_interval_ns == 0 || sem_init(&woken, 0, 0) != 0) {
        return;
    }
    // The program's signals are for its own threads.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack_bytes);
    running.store(pthread_create(&thread, &attributes, flush_repeatedly, nullptr) == 0);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void expect_end() {
    if (running.load()) {
        sem_post(&woken);
    }
}

int flusher_tid() { return tid.load(std::memory_order_relaxed); }

void stop_flusher() {
    if (running.exchange(false)) {
        stopping.store(true, std::memory_order_release);
        sem_post(&woken);
        pthread_join(thread, nullptr);
    }
}

}  // namespace halocline::snapshot
