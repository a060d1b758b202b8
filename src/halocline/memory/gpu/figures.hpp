// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Figures of GPU families that layouts in memory and shapes of launches depend on. All compilers of one
// build agree on them.
#pragma once

namespace halocline {

/// NVIDIA since Ampere; where generations differ, H100 and H200.
struct CudaFigures {
    /// Threads that run in step.
    static constexpr int warp = 32;
    /// Shared memory of a multiprocessor, of all its blocks together [bytes].
    static constexpr int shared_bytes = 228 << 10;
    /// Of that, what each block takes besides what it asks for [bytes].
    static constexpr int reserved_shared_bytes = 1 << 10;
    /// Threads of a multiprocessor at once, while some wait for memory and others compute: 24 warps leave
    /// room for 80 registers a thread; 28 or 32 warps spill and are slower where kernels are large (H200).
    /// Small ones are faster with twice as many (by a quarter, H100).
    static constexpr int threads_at_once = 24 * warp;
    static constexpr int light_threads_at_once = 48 * warp;
    /// How many multiprocessors' blocks ahead lists are prefetched: about half of what an H200 works on at
    /// once, so that they are there when their block begins and not yet gone.
    static constexpr int multiprocessors_ahead = 67;
    /// Blocks of launches that begin while the one before ends. Larger ones gain nothing and would keep
    /// multiprocessors waiting.
    static constexpr unsigned most_close_blocks = 264;
};

/// AMD's CDNA (MI200, MI300), by its data sheets: nothing of it was measured.
struct HipFigures {
    static constexpr int warp = 64;
    static constexpr int shared_bytes = 64 << 10;
    static constexpr int reserved_shared_bytes = 0;
    static constexpr int threads_at_once = 8 * warp;
    static constexpr int light_threads_at_once = 16 * warp;
    static constexpr int multiprocessors_ahead = 52;
    static constexpr unsigned most_close_blocks = 0;  ///< there are no such launches
};

/// Of the GPUs that this build is for. The emulated device keeps to them, too.
#if defined(HALOCLINE_HAS_HIP)
using GpuFigures = HipFigures;
#else
using GpuFigures = CudaFigures;
#endif

}  // namespace halocline
