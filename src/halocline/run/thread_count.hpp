// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Parts of a run that use another number of threads than its loops.
#pragma once

#include <omp.h>

namespace halocline::run {

/// Sets how many threads parallel regions of this thread get that name no number, as long as it lives.
/// A rank whose loops run on a GPU has one thread for these, but is set up by all its cores.
class ThreadCount {
public:
    /// @param threads  from 1
    explicit ThreadCount(int threads) { omp_set_num_threads(threads); }
    ~ThreadCount() { omp_set_num_threads(before_); }
    ThreadCount(const ThreadCount&) = delete;
    ThreadCount& operator=(const ThreadCount&) = delete;

private:
    const int before_ = omp_get_max_threads();
};

}  // namespace halocline::run
