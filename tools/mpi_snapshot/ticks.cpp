// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Choice of the clock and its calibration against CLOCK_MONOTONIC.
#include "ticks.hpp"

#include "hot.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace halocline::snapshot {

HALOCLINE_HOT bool use_cycle_counter = false;
HALOCLINE_HOT unsigned long long (*program_clock)() = nullptr;

namespace {

std::uint64_t calibration_ticks = 0;
std::uint64_t calibration_ns = 0;

/// The kernel falls back to these where it found the cycle counter wanting.
bool kernel_distrusts_counter() {
    char name[32] = "";
    const int file = open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                          O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return true;
    }
    const auto length = read(file, name, sizeof name - 1);
    close(file);
    return length <= 0 || std::strncmp(name, "hpet", 4) == 0 ||
           std::strncmp(name, "acpi", 4) == 0 || std::strncmp(name, "jiffies", 7) == 0;
}

}  // namespace

void choose_clock() {
    if (const char* name = std::getenv("HALOCLINE_SNAPSHOT_CLOCK")) {
        program_clock = reinterpret_cast<unsigned long long (*)()>(dlsym(RTLD_DEFAULT, name));
        if (program_clock != nullptr) {
            use_cycle_counter = false;
            return;
        }
    }
#if defined(__x86_64__)
    unsigned a = 0, b = 0, c = 0, d = 0;
    const bool invariant = __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1u << 8)) != 0;
    use_cycle_counter = invariant && !kernel_distrusts_counter();
#elif defined(__aarch64__)
    use_cycle_counter = true;
#endif
}

void start_calibration() {
    calibration_ticks = ticks();
    calibration_ns = monotonic_ns();
}

__extension__ using Wide = unsigned __int128;

TickScale::TickScale() : now_ticks_(ticks()), ns_per_tick_(std::uint64_t{1} << fraction_bits_) {
    const std::uint64_t elapsed_ticks = now_ticks_ - calibration_ticks;
    const std::uint64_t elapsed_ns = monotonic_ns() - calibration_ns;
    if (elapsed_ticks != 0 && use_cycle_counter) {
        ns_per_tick_ = static_cast<std::uint64_t>(
            (static_cast<Wide>(elapsed_ns) << fraction_bits_) / elapsed_ticks);
    }
}

std::uint64_t TickScale::to_ns(std::uint64_t ticks) const {
    return static_cast<std::uint64_t>(static_cast<Wide>(ticks) * ns_per_tick_ >> fraction_bits_);
}

std::uint64_t TickScale::to_ticks(std::uint64_t ns) const {
    return static_cast<std::uint64_t>((static_cast<Wide>(ns) << fraction_bits_) / ns_per_tick_);
}

}  // namespace halocline::snapshot
