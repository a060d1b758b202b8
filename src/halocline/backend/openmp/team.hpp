// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Threads of a parallel region.
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

}  // namespace halocline::detail
