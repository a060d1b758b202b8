// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Parallel regions of OpenMP: how often and how long, and of a sample of their calls the processor time
// of each thread in the body, barriers not included.
//
// A processor clock is a system call, and programs enter regions that last a microsecond a million times.
// So every call is counted and timed by the cycle counter, but only so many of each region are measured
// that this costs each of its threads a two-thousandth of the time in it. Those stand for the calls between.
#pragma once

#include <atomic>
#include <cstdint>

namespace halocline::snapshot {

/// One call of a region that was measured.
struct RegionCall {
    std::uint64_t ticks;    // elapsed
    std::uint64_t threads;  // at least 1
    std::uint64_t busy_sum_ns;
    std::uint64_t busy_max_ns;
    std::uint64_t beside;  // threads of the regions around it: so many may call it at once
};

/// All calls of one region from outside or, as a region of its own, from inside others. Several threads
/// may meet here, so additions are atomic.
struct alignas(64) Region {
    // What a call needs that is not measured, in one cache line.
    std::atomic<const void*> site;
    std::atomic<std::uint64_t> calls, ticks;
    std::atomic<std::uint32_t> to_skip;  // calls before the next one that is measured
    bool nested;

    // Sums over measured calls, each times the number of calls that it stands for.
    alignas(64) std::atomic<std::uint64_t> measured_calls;
    std::atomic<std::uint64_t> seen_ticks, busy_sum_ns, busy_max_ns, busy_mean_ns, lost_ns;
    std::atomic<std::uint64_t> threads;
    std::atomic<std::uint64_t> calls_before;  // at the call that was measured last
    std::atomic<std::uint64_t> random;

    /// Asked once a call, when it begins.
    bool is_measured();
    void count(std::uint64_t elapsed_ticks);
    void count_measured(const RegionCall& call);
};

/// Regions are counted now: recording, and not switched off.
bool counts_regions();

/// Null when there are too many.
Region* region_of(const void* site, bool nested);

/// Set by LLVM's runtime when it accepted our OMPT tool; GCC's entry points then stand back.
extern std::atomic<bool> ompt_is_active;

/// The body that GCC's entry point was called with, while LLVM's runtime serves it; else null. It names
/// the region better than the return address, which lies in our wrapper.
extern thread_local constinit const void* body_of_gomp_call
    __attribute__((tls_model("initial-exec")));

/// Why OpenMP imbalance is not measured; null when it is.
const char* openmp_missing();

}  // namespace halocline::snapshot
