// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Copies into a block's own fast memory, many under way at once.
#pragma once

#if defined(__CUDACC__)
#include <cuda_pipeline_primitives.h>
#endif

#include "halocline/core/types.hpp"

namespace halocline::device::detail {

/// Starts a copy; on a GPU it passes no register and ends with `finish_copies`.
template <class T>
HALOCLINE_HD void copy_to_stage(T* to, const T* from) {
#if defined(__CUDA_ARCH__)
    __pipeline_memcpy_async(to, from, sizeof(T));
#else
    *to = *from;
#endif
}

#if defined(__CUDACC__)
/// All that the threads of the block have started is there for all of them.
__device__ inline void finish_copies() {
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
}
#endif

/// Has memory brought into the cache that all multiprocessors share.
HALOCLINE_HD inline void prefetch([[maybe_unused]] const void* memory) {
#if defined(__CUDA_ARCH__)
    asm volatile("prefetch.global.L2 [%0];" ::"l"(memory));
#endif
}

/// A thread's share of a list whose members have `parts` parts each; its first `ahead` loads are under
/// way before any is waited for.
template <int parts, int ahead>
class ListShare {
public:
    HALOCLINE_HD ListShare(const LocalIndex* list, LocalIndex count, int thread, int threads)
        : list_(list), count_(count * parts), thread_(thread), threads_(threads) {
        for (int j = 0; j < ahead; ++j) {
            const LocalIndex i = thread + j * threads;
            early_[j] = i < count_ ? list[i / parts] : 0;
        }
    }
    /// Calls `visit(k, list[k], part)`.
    template <class Visit>
    HALOCLINE_HD void for_each(Visit&& visit) const {
        for (int j = 0; j < ahead; ++j) {
            const LocalIndex i = thread_ + j * threads_;
            if (i < count_) {
                visit(i / parts, early_[j], i % parts);
            }
        }
        for (LocalIndex i = thread_ + ahead * threads_; i < count_; i += threads_) {
            visit(i / parts, list_[i / parts], i % parts);
        }
    }

private:
    const LocalIndex* list_;
    LocalIndex count_;
    int thread_;
    int threads_;
    LocalIndex early_[ahead];
};

}  // namespace halocline::device::detail
