// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Parallel regions of OpenMP: processor time of each thread in the body, barriers not included.
#pragma once

#include <atomic>
#include <cstdint>

namespace halocline::snapshot {

/// All calls of one region. Several threads may meet here, so additions are atomic.
struct Region {
    std::atomic<const void*> site;
    std::atomic<std::uint64_t> calls, threads, elapsed_ns;
    std::atomic<std::uint64_t> busy_sum_ns, busy_max_ns, busy_mean_ns;
};

/// One call of a region that has ended.
struct RegionCall {
    const void* site;
    std::uint64_t threads;
    std::uint64_t elapsed_ns;
    std::uint64_t busy_sum_ns;
    std::uint64_t busy_max_ns;
};

/// Regions are counted now: recording, and not switched off.
bool counts_regions();
void note_region(const RegionCall& call);

/// Set by LLVM's runtime when it accepted our OMPT tool; GCC's entry points then stand back.
extern std::atomic<bool> ompt_is_active;

/// The body that GCC's entry point was called with, while LLVM's runtime serves it; else null. It names
/// the region better than the return address, which lies in our wrapper.
extern thread_local constinit const void* body_of_gomp_call
    __attribute__((tls_model("initial-exec")));

/// Why OpenMP imbalance is not measured; null when it is.
const char* openmp_missing();

}  // namespace halocline::snapshot
