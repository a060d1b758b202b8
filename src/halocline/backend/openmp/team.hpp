// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Threads of a parallel region, and whom they help.
#pragma once

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace halocline::detail {

/// A thread within the threads that a parallel region really got.
struct TeamPlace {
    int thread = 0;
    int threads = 1;
};

/// Of the thread that calls.
inline TeamPlace place_in_team() {
#if defined(_OPENMP)
    return {omp_get_thread_num(), omp_get_num_threads()};
#else
    return {};
#endif
}

/// Whose parts others help with: all, or all but that of the thread that looks after messages, which would
/// look too rarely with less work.
enum class Help { all, others };

}  // namespace halocline::detail
