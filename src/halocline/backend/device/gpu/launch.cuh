// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Kernels on GPUs: one thread a target, tile by tile where rows are staged; the last block
// finishes reductions.
#pragma once

#include "halocline/backend/device/gpu/block_reduction.cuh"
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
        reduce_block<block_threads / Gpu::warp>(view, share);
        if (threadIdx.x >= Gpu::warp || view.is_last == 0) {
            return;
        }
        const bool last = threadIdx.x == 0 && is_last_block(view.ticket, view.shares);
        if (Gpu::first_of_warp(last ? 1 : 0) == 0) {
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
            Gpu::synchronize_warp();
        }
        if (threadIdx.x == 0) {
            FinishReductions<Loops...> finish(view);
        }
    }
}

/// Launches of small sets follow each other closely.
template <class... Loops>
[[nodiscard]] constexpr HALOCLINE_HD bool may_follow_closely(unsigned blocks) {
    return is_light<Loops...> && blocks <= Gpu::most_close_blocks;
}

template <class... Loops>
__global__ void __launch_bounds__(block_threads, Gpu::bound(block_threads, tiles_at_once<Loops...>))
    run_targets(const HALOCLINE_GRID_CONSTANT ChainView<Loops...> view) {
    using Stage = StagedChain<Loops...>;
    constexpr int threads = block_threads;
    extern __shared__ Gpu::Pair shared_memory[];
    const LocalIndex first = view.first + static_cast<LocalIndex>(blockIdx.x) * threads;
    const LocalIndex target = first + static_cast<LocalIndex>(threadIdx.x);
    Stage stage(view, first / tile, reinterpret_cast<unsigned char*>(shared_memory));
    if (may_follow_closely<Loops...>(gridDim.x)) {
        Gpu::announce_next();
    }
    const auto wait = [] {
        if constexpr (is_light<Loops...>) {
            Gpu::wait_for_previous();
        }
    };
    if constexpr (Stage::any) {
        if (first < view.end) {
            stage.load(static_cast<int>(threadIdx.x), threads, wait);
        }
        const LocalIndex other = first / tile + tiles_ahead<Loops...>;
        if (threadIdx.x == threads - Gpu::warp && other < view.end / tile) {
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
        Gpu::finish_copies();
        stage.complete(static_cast<int>(threadIdx.x), threads);
        __syncthreads();
    }
    if (target < view.end) {
        run.run();
    }
    finish_block(view, share);
}

template <class Kernel, class... Args>
__global__ void run_update(const HALOCLINE_GRID_CONSTANT UpdateView<Kernel, Args...> view) {
    GlobalRun<Kernel, Args...>(view).run();
}

inline constexpr const char* launch_failure = "a kernel could not be launched";

/// Blocks for so many threads, one at least: the last block of a launch finishes reductions.
inline unsigned blocks_for(LocalIndex threads) {
    const LocalIndex blocks = (threads + block_threads - 1) / block_threads;
    return blocks == 0 ? 1U : static_cast<unsigned>(blocks);
}

template <class View>
struct Launcher;
template <class... Loops>
struct Launcher<ChainView<Loops...>> {
    static void launch(const ChainView<Loops...>& view, void* stream) {
        constexpr int bytes = StagedChain<Loops...>::any ? StagedChain<Loops...>::bytes : 0;
        if (view.end <= view.first && !Contributions<Loops...>::any) {
            return;
        }
        if constexpr (StagedChain<Loops...>::any) {
            [[maybe_unused]] static const bool asked = [] {
                Gpu::allow_shared_bytes(run_targets<Loops...>, bytes);
                return true;
            }();
        }
        GpuGrid grid{blocks_for(view.end - view.first)};
        grid.threads = block_threads;
        grid.shared_bytes = bytes;
        grid.follows_closely = may_follow_closely<Loops...>(grid.blocks);
        Gpu::launch(run_targets<Loops...>, grid, stream, launch_failure, view);
    }
};
template <class Kernel, class... Args>
struct Launcher<UpdateView<Kernel, Args...>> {
    static void launch(const UpdateView<Kernel, Args...>& view, void* stream) {
        Gpu::launch(run_update<Kernel, Args...>, {}, stream, launch_failure, view);
    }
};

/// Queues the kernel of a view on the stream that `Stream::native` names. Throws RunError when the runtime
/// refuses it.
template <class View>
void launch_on_gpu(const View& view, void* stream) {
    Launcher<View>::launch(view, stream);
}

}  // namespace halocline::device
