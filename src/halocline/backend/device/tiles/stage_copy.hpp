// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Copies into a block's own fast memory, many under way at once.
#pragma once

#if defined(__CUDACC__)
#include <cuda_pipeline_primitives.h>
#endif

#include "halocline/core/types.hpp"

namespace halocline::device::detail {

/// Starts a copy; on a GPU it passes no register and ends with `finish_own_copies`.
template <class T>
HALOCLINE_HD void copy_to_stage(T* to, const T* from) {
#if defined(__CUDA_ARCH__)
    __pipeline_memcpy_async(to, from, sizeof(T));
#else
    *to = *from;
#endif
}

#if defined(__CUDACC__)
/// What the calling thread has started is there for it; for others after the block's next barrier.
__device__ inline void finish_own_copies() {
    __pipeline_commit();
    __pipeline_wait_prior(0);
}
#endif

/// What `prefetch` counts in.
inline constexpr int prefetch_bytes = 16;

/// Has memory brought into the cache that all multiprocessors share; begin and length are multiples of
/// `prefetch_bytes`.
HALOCLINE_HD inline void prefetch([[maybe_unused]] const void* begin, [[maybe_unused]] int bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900  // one instruction, whatever the length
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(begin), "r"(bytes));
#elif defined(__CUDA_ARCH__)
    constexpr int line = 128;
    for (int at = 0; at < bytes; at += line) {
        asm volatile("prefetch.global.L2 [%0];" ::"l"(static_cast<const char*>(begin) + at));
    }
#endif
}

/// The same for members [begin, end) of a list whose memory ends at a multiple of `prefetch_bytes`.
HALOCLINE_HD inline void prefetch_list(const LocalIndex* list, LocalIndex begin, LocalIndex end) {
    constexpr LocalIndex unit = prefetch_bytes / sizeof(LocalIndex);
    const LocalIndex first = begin / unit * unit;
    prefetch(list + first, (end - first + unit - 1) / unit * prefetch_bytes);
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
