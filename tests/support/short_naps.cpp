// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Preloaded into ranks of tests: `sched_yield` that sleeps where giving way is dear. A rank that waits
// yields for each look at its messages. Beside a process that computes, each yield costs it a turn of
// that process (4 ms) and the kernel's time to switch; a rank that sleeps gets its core when it wakes.
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace {

using Nanoseconds = long long;

constexpr Nanoseconds nap = 50'000;
constexpr Nanoseconds same_wait = 20'000;     // calls further apart have work between them
constexpr Nanoseconds long_wait = 1'000'000;  // whoever waits as long, waits longer
constexpr Nanoseconds lost_turn = 2'000'000;  // ranks among themselves give cores back sooner
constexpr int naps_after_lost_turn = 50;

thread_local Nanoseconds wait_began = 0;
thread_local Nanoseconds last_call_ended = 0;
thread_local int naps_left = 0;

Nanoseconds now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

}  // namespace

extern "C" int sched_yield() noexcept {
    const Nanoseconds begin = now();
    if (begin - last_call_ended > same_wait) {
        wait_began = begin;
    }
    int result = 0;
    if (naps_left > 0 || begin - wait_began > long_wait) {
        if (naps_left > 0) {
            --naps_left;
        }
        const timespec duration{0, nap};
        nanosleep(&duration, nullptr);
        last_call_ended = now();
    } else {
        result = static_cast<int>(syscall(SYS_sched_yield));
        last_call_ended = now();
        naps_left = last_call_ended - begin > lost_turn ? naps_after_lost_turn : 0;
    }
    return result;
}
