// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Lists of what a block copies into its shared memory: prefetched early, many loads at once.
#pragma once

#include "halocline/core/types.hpp"
#include "halocline/memory/gpu/gpu.hpp"

namespace halocline::device::detail {

/// `Gpu::prefetch` for members [begin, end) of a list whose memory ends at a multiple of
/// `Gpu::prefetch_bytes`.
HALOCLINE_HD inline void prefetch_list(const LocalIndex* list, LocalIndex begin, LocalIndex end) {
    constexpr LocalIndex unit = Gpu::prefetch_bytes / sizeof(LocalIndex);
    const LocalIndex first = begin / unit * unit;
    Gpu::prefetch(list + first, (end - first + unit - 1) / unit * Gpu::prefetch_bytes);
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
