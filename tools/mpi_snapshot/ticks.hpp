// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The clock of the wrappers: the processor's own counter where it is dependable.
#pragma once

#include <cstdint>
#include <ctime>

namespace halocline::snapshot {

inline std::uint64_t clock_ns(clockid_t clock) {
    timespec now;
    clock_gettime(clock, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
           static_cast<std::uint64_t>(now.tv_nsec);
}

/// A function of the program to ask instead of the system, for programs whose time is their own:
/// simulators, and tests that must not depend on the machine. Null without HALOCLINE_SNAPSHOT_CLOCK.
extern unsigned long long (*program_clock)();

inline std::uint64_t monotonic_ns() {
    return program_clock != nullptr ? program_clock() : clock_ns(CLOCK_MONOTONIC);
}
inline std::uint64_t thread_cpu_ns() { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }

extern bool use_cycle_counter;

/// Units of `ticks`: cycles of the counter, else nanoseconds.
inline std::uint64_t ticks() {
#if defined(__x86_64__)
    if (use_cycle_counter) [[likely]] {
        return __builtin_ia32_rdtsc();
    }
#elif defined(__aarch64__)
    if (use_cycle_counter) [[likely]] {
        std::uint64_t value;
        asm volatile("mrs %0, cntvct_el0" : "=r"(value));
        return value;
    }
#endif
    return monotonic_ns();
}

/// Decides once whether the counter runs at one speed on all cores.
void choose_clock();

/// Starts the comparison of both clocks from which `ticks_to_ns` takes its scale.
void start_calibration();

/// Converts ticks with the scale measured from `start_calibration` to `now` of this object.
/// Integers only: a program may trap on floating-point exceptions.
class TickScale {
public:
    TickScale();
    std::uint64_t to_ns(std::uint64_t ticks) const;
    std::uint64_t to_ticks(std::uint64_t ns) const;
    std::uint64_t now_ticks() const { return now_ticks_; }

private:
    static constexpr int fraction_bits_ = 40;

    std::uint64_t now_ticks_;
    std::uint64_t ns_per_tick_;  // a fixed-point number: files hold thousands of times
};

}  // namespace halocline::snapshot
