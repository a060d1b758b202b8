// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Kernels on CUDA devices: one thread a target, reductions by block, then by the last block.
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

#include "halocline/backend/device/finish_reduction.hpp"
#include "halocline/backend/device/global_run.hpp"
#include "halocline/backend/device/refresh.hpp"
#include "halocline/backend/device/target_run.hpp"

namespace halocline::device {

inline constexpr int block_threads = 128;
/// Blocks that registers leave room for on a multiprocessor: 24 warps hide what 20 do not (H200).
inline constexpr int blocks_at_once = 6;
inline constexpr int warps = block_threads / slice;
inline constexpr unsigned all_lanes = 0xffffffffU;

/// Largest value over the block; thread 0 gets it, all threads call.
template <class T>
__device__ T block_largest(T value) {
    __shared__ T of_warp[warps];
    for (int offset = slice / 2; offset > 0; offset /= 2) {
        const T theirs = __shfl_down_sync(all_lanes, value, offset);
        value = theirs > value ? theirs : value;
    }
    __syncthreads();  // the last use of the array is over
    if (threadIdx.x % slice == 0) {
        of_warp[threadIdx.x / slice] = value;
    }
    __syncthreads();
    T result = of_warp[0];
    for (int w = 1; w < warps; ++w) {
        result = of_warp[w] > result ? of_warp[w] : result;
    }
    return result;
}

/// Sum of whole numbers below 2^26 over the block: exact in doubles, whatever the order.
__device__ inline double block_sum(double value) {
    __shared__ double of_warp[warps];
    for (int offset = slice / 2; offset > 0; offset /= 2) {
        value += __shfl_down_sync(all_lanes, value, offset);
    }
    __syncthreads();
    if (threadIdx.x % slice == 0) {
        of_warp[threadIdx.x / slice] = value;
    }
    __syncthreads();
    double result = of_warp[0];
    for (int w = 1; w < warps; ++w) {
        result += of_warp[w];
    }
    return result;
}

__device__ inline void add_atomically(std::int64_t& to, std::int64_t value) {
    atomicAdd(reinterpret_cast<unsigned long long*>(&to), static_cast<unsigned long long>(value));
}
__device__ inline void raise_atomically(std::int64_t& to, std::int64_t value) {
    atomicMax(reinterpret_cast<long long*>(&to), static_cast<long long>(value));
}

/// Adds a block's terms. The digits are those of a grid that begins at the block's largest term: below
/// its end lies nothing that the whole sum would keep.
__device__ inline void add_block(exact::Bins& bins, double term) {
    const bool addable = exact::is_addable(term);
    if (__syncthreads_or(addable ? 0 : 1) != 0 && threadIdx.x == 0) {
        bins.not_finite = 1;
    }
    if (!addable) {
        term = 0.0;
    }
    if (__syncthreads_or(term != 0.0) == 0) {
        return;
    }
    const int top = block_largest(exact::top_for(term));
    for (int k = 0; k < exact::digits; ++k) {
        const double digit = block_sum(exact::take_digit(term, top, k));
        if (threadIdx.x == 0 && digit != 0.0) {
            add_atomically(bins.bin[top - k - exact::lowest_place],
                           static_cast<std::int64_t>(digit));
        }
    }
    if (threadIdx.x == 0) {
        raise_atomically(bins.top, top);
    }
}

template <Access access>
__device__ void add_block_to_place(GlobalPlace& place, double value) {
    if constexpr (access == Access::inc) {
        add_block(place.bins, value);
    } else {
        const std::int64_t key = block_largest<long long>(kept_key<access == Access::min>(value));
        if (threadIdx.x == 0) {
            raise_atomically(place.key, key);
        }
    }
}

template <class Arg>
__device__ void reduce_arg(const ArgView<Arg>& arg, const Contribution<Arg>& share) {
    if constexpr (is_reduction<Arg>) {
        for (int d = 0; d < Arg::size; ++d) {
            add_block_to_place<Arg::access>(arg.place[d], share.values[d]);
        }
    }
}

template <class LoopT, std::size_t... a>
__device__ void reduce_loop(const LoopView<LoopT>& loop, const LoopContributions<LoopT>& share,
                            std::index_sequence<a...>) {
    (reduce_arg<typename LoopView<LoopT>::template Arg<a>>(field<a>(loop.args), field<a>(share.of)),
     ...);
}

template <class... Loops, std::size_t... l>
__device__ void reduce_loops(const ChainView<Loops...>& view, const Contributions<Loops...>& share,
                             std::index_sequence<l...>) {
    (reduce_loop(field<l>(view.loops), field<l>(share.of), typename LoopView<Loops>::Indices{}),
     ...);
}

template <class... Loops>
__global__ void __launch_bounds__(block_threads, blocks_at_once)
    run_targets(const __grid_constant__ ChainView<Loops...> view) {
    const LocalIndex target =
        view.first + static_cast<LocalIndex>(blockIdx.x) * block_threads + threadIdx.x;
    Contributions<Loops...> share;
    share.clear();
    if (target < view.end) {
        TargetRun<Loops...>(view, target, share).run();
    }
    if constexpr (Contributions<Loops...>::any) {
        reduce_loops(view, share, typename ChainView<Loops...>::Indices{});
        if (threadIdx.x == 0 && view.is_last != 0) {
            __threadfence();
            if (atomicInc(view.ticket, gridDim.x - 1) == gridDim.x - 1) {
                __threadfence();
                FinishReductions<Loops...> finish(view);
            }
        }
    }
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

template <class DatT>
__global__ void run_refresh(const __grid_constant__ RefreshView<DatT> view) {
    const LocalIndex i =
        view.first + static_cast<LocalIndex>(blockIdx.x) * block_threads + threadIdx.x;
    if (i < view.end) {
        refresh_element(view, i);
    }
}

inline int blocks_for(LocalIndex threads) { return (threads + block_threads - 1) / block_threads; }

template <class View>
struct CudaLauncher;
template <class DatT>
struct CudaLauncher<RefreshView<DatT>> {
    static void launch(const RefreshView<DatT>& view, cudaStream_t stream) {
        if (view.end > view.first) {
            run_refresh<DatT>
                <<<blocks_for(view.end - view.first), block_threads, 0, stream>>>(view);
        }
    }
};
template <class... Loops>
struct CudaLauncher<ChainView<Loops...>> {
    static void launch(const ChainView<Loops...>& view, cudaStream_t stream) {
        const int blocks = blocks_for(view.end - view.first);
        if (blocks == 0 && !Contributions<Loops...>::any) {
            return;
        }
        run_targets<Loops...><<<blocks == 0 ? 1 : blocks, block_threads, 0, stream>>>(view);
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
