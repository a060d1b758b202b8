// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Kernels on CUDA devices: one thread a target, tile by tile where rows are staged; the last block
// finishes reductions.
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

#include "halocline/backend/device/cuda/block_reduction.cuh"
#include "halocline/backend/device/kernels/finish_reduction.hpp"
#include "halocline/backend/device/kernels/global_run.hpp"
#include "halocline/backend/device/kernels/target_run.hpp"

namespace halocline::device {

inline constexpr int block_threads = tile;

/// Joins what the threads of a block give to reductions; the last block of a chain finishes them. All
/// threads call.
template <class... Loops>
__device__ void finish_block(const ChainView<Loops...>& view,
                             const Contributions<Loops...>& share) {
    if constexpr (Contributions<Loops...>::any) {
        reduce_block<block_threads / slice>(view, share);
        if (threadIdx.x >= slice || view.is_last == 0) {
            return;
        }
        const bool last = threadIdx.x == 0 && is_last_block(view.ticket, view.shares);
        if (__shfl_sync(all_lanes, last ? 1 : 0, 0) == 0) {
            return;
        }
        __threadfence();
        if (view.shares > 1) {
            visit_reductions(
                view, share,
                [&]<Access access>(GlobalPlace& place, double) {
                    join_shares<access>(place, view.shares);
                },
                typename ChainView<Loops...>::Indices{});
            __threadfence();
            __syncwarp();
        }
        if (threadIdx.x == 0) {
            FinishReductions<Loops...> finish(view);
        }
    }
}

/// Launches of small sets follow each other closely: the next one begins while this one ends, looks up what
/// no loop changes, and waits for it. Larger ones gain nothing and would keep multiprocessors waiting.
inline constexpr unsigned most_close_blocks = 264;

template <class... Loops>
[[nodiscard]] constexpr bool may_follow_closely(unsigned blocks) {
    return is_light<Loops...> && blocks <= most_close_blocks;
}

/// Lets the next launch begin.
__device__ inline void announce_next() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}
/// Returns when the launches before have ended and what they changed can be read. Every thread of a launch
/// that follows closely calls it: what comes after must not find those before unfinished.
__device__ inline void wait_for_previous() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

template <class... Loops>
__global__ void __launch_bounds__(block_threads, tiles_at_once<Loops...>)
    run_targets(const __grid_constant__ ChainView<Loops...> view) {
    using Stage = ChainStage<Loops...>;
    constexpr int threads = block_threads;
    extern __shared__ double2 stage_memory[];
    const LocalIndex first = view.first + static_cast<LocalIndex>(blockIdx.x) * threads;
    const LocalIndex target = first + static_cast<LocalIndex>(threadIdx.x);
    Stage stage(view, first / tile, reinterpret_cast<unsigned char*>(stage_memory));
    if (may_follow_closely<Loops...>(gridDim.x)) {
        announce_next();
    }
    const auto wait = [] {
        if constexpr (is_light<Loops...>) {
            wait_for_previous();
        }
    };
    if constexpr (Stage::any) {
        if (first < view.end) {
            stage.bring(static_cast<int>(threadIdx.x), threads, wait);
        }
        const LocalIndex other = first / tile + tiles_ahead<Loops...>;
        if (threadIdx.x == threads - slice && other < view.end / tile) {
            stage.prefetch_lists(other);
        }
    }
    Contributions<Loops...> share;
    share.clear();
    TargetRun<Loops...> run(view, target, stage, share);
    if (target < view.end) {
        run.prepare();
    }
    wait();
    if constexpr (Stage::any) {
        detail::finish_own_copies();
        stage.complete(static_cast<int>(threadIdx.x), threads);
        __syncthreads();
    }
    if (target < view.end) {
        run.run();
    }
    finish_block(view, share);
}

template <class Kernel, class... Args>
__global__ void run_update(const __grid_constant__ UpdateView<Kernel, Args...> view) {
    GlobalRun<Kernel, Args...>(view).run();
}

/// A launch that fails names the call and the runtime's reason.
inline void require_launched() {
    const cudaError_t status = cudaGetLastError();
    if (status != cudaSuccess) {
        throw RunError(std::string("a kernel could not be launched (") + cudaGetErrorName(status) +
                       ": " + cudaGetErrorString(status) + ").");
    }
}

inline int blocks_for(LocalIndex threads) { return (threads + block_threads - 1) / block_threads; }

template <class View>
struct CudaLauncher;
template <class... Loops>
struct CudaLauncher<ChainView<Loops...>> {
    static void launch(const ChainView<Loops...>& view, cudaStream_t stream) {
        constexpr int bytes = ChainStage<Loops...>::any ? ChainStage<Loops...>::bytes : 0;
        const int blocks = blocks_for(view.end - view.first);
        if (blocks == 0 && !Contributions<Loops...>::any) {
            return;
        }
        if constexpr (ChainStage<Loops...>::any) {
            static const cudaError_t allowed = cudaFuncSetAttribute(
                run_targets<Loops...>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
            static_cast<void>(allowed);  // a refusal shows at the launch
        }
        cudaLaunchAttribute closely{};
        closely.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        closely.val.programmaticStreamSerializationAllowed = 1;
        cudaLaunchConfig_t launch{};
        launch.gridDim = dim3(static_cast<unsigned>(blocks == 0 ? 1 : blocks));
        launch.blockDim = dim3(block_threads);
        launch.dynamicSmemBytes = static_cast<std::size_t>(bytes);
        launch.stream = stream;
        launch.attrs = &closely;
        launch.numAttrs = may_follow_closely<Loops...>(launch.gridDim.x) ? 1 : 0;
        cudaLaunchKernelEx(&launch, run_targets<Loops...>, view);
    }
};
template <class Kernel, class... Args>
struct CudaLauncher<UpdateView<Kernel, Args...>> {
    static void launch(const UpdateView<Kernel, Args...>& view, cudaStream_t stream) {
        run_update<Kernel, Args...><<<1, 1, 0, stream>>>(view);
    }
};

template <class View>
void launch_cuda(const View& view, void* stream) {
    CudaLauncher<View>::launch(view, static_cast<cudaStream_t>(stream));
    require_launched();
}

}  // namespace halocline::device
