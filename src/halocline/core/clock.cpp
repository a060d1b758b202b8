// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Clocks by clock_gettime, peak memory by getrusage.
#include "halocline/core/clock.hpp"

#include <sys/resource.h>
#include <ctime>

namespace halocline {

namespace {

double read_clock(clockid_t clock) noexcept {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

double wall_seconds() noexcept { return read_clock(CLOCK_MONOTONIC); }

double cpu_seconds() noexcept { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

std::int64_t peak_memory_bytes() noexcept {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace halocline
