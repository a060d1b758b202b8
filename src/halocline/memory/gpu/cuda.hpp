// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// NVIDIA's GPUs, for nvcc. Functions with HALOCLINE_HD do as the emulated device does where they run on the
// host, those with __device__ exist on GPUs alone.
#pragma once

#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <type_traits>

#include "halocline/core/error.hpp"
#include "halocline/core/types.hpp"
#include "halocline/memory/gpu/emulated.hpp"
#include "halocline/memory/gpu/launch.hpp"

/// Of a kernel's parameter: it is read where the launch has put it.
#define HALOCLINE_GRID_CONSTANT __grid_constant__

namespace halocline {

struct CudaGpu : CudaFigures {
#if defined(__CUDA_ARCH__)
    using Pair = double2;
#else
    using Pair = EmulatedGpu::Pair;
#endif

    template <class T>
    static HALOCLINE_HD void copy_to_shared(T* to, const T* from) {
#if defined(__CUDA_ARCH__)
        __pipeline_memcpy_async(to, from, sizeof(T));
#else
        *to = *from;
#endif
    }
    static __device__ void finish_copies() {
        __pipeline_commit();
        __pipeline_wait_prior(0);
    }

    static constexpr int prefetch_bytes = EmulatedGpu::prefetch_bytes;
    static HALOCLINE_HD void prefetch([[maybe_unused]] const void* begin,
                                      [[maybe_unused]] int bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900  // one instruction, whatever the length
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(begin), "r"(bytes));
#elif defined(__CUDA_ARCH__)
        constexpr int line = 128;
        for (int at = 0; at < bytes; at += line) {
            asm volatile("prefetch.global.L2 [%0];" ::"l"(static_cast<const char*>(begin) + at));
        }
#endif
    }

    /// @name Launches that follow each other closely
    /// The next one begins while this one ends, looks up what no kernel changes, and waits for it.
    /// @{
    /// Lets the next launch begin.
    static __device__ void announce_next() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
    }
    /// Returns when the launches before have ended and what they changed can be read. Every thread of a
    /// launch that follows closely calls it: what comes after must not find those before unfinished.
    static __device__ void wait_for_previous() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
    }
    /// @}

    /// @name Between the threads of a warp, all of which call
    /// @{
    static __device__ bool all_of_warp(bool value) { return __all_sync(all_lanes, value) != 0; }
    static __device__ bool any_of_warp(bool value) { return __any_sync(all_lanes, value) != 0; }
    static __device__ int largest_of_warp(int value) { return __reduce_max_sync(all_lanes, value); }
    static __device__ std::int64_t largest_of_warp(std::int64_t value) {
        for (int offset = warp / 2; offset > 0; offset /= 2) {
            const std::int64_t theirs =
                __shfl_xor_sync(all_lanes, static_cast<long long>(value), offset);
            value = theirs > value ? theirs : value;
        }
        return value;
    }
    /// Has room for the sum of a warp's values of 26 bits.
    using WarpSum = int;
    static __device__ WarpSum sum_of_warp(int value) { return __reduce_add_sync(all_lanes, value); }
    /// The value of the warp's first thread.
    static __device__ int first_of_warp(int value) { return __shfl_sync(all_lanes, value, 0); }
    /// What any of them wrote before is there for all of them.
    static __device__ void synchronize_warp() { __syncwarp(); }
    /// @}

    /// @name Of all threads of the device
    /// @{
    static __device__ void add_atomically(std::int64_t& to, std::int64_t value) {
        atomicAdd(reinterpret_cast<unsigned long long*>(&to),
                  static_cast<unsigned long long>(value));
    }
    /// To the larger of both.
    static __device__ void raise_atomically(std::int64_t& to, std::int64_t value) {
        atomicMax(reinterpret_cast<long long*>(&to), static_cast<long long>(value));
    }
    /// @}

    /// @name Memory that is read or written once: it need not stay in caches
    /// @{
    template <class T>
    static __device__ T load_once(const T* from) {
        return __ldcs(from);
    }
    static __device__ void store_once(std::uint64_t* to, std::uint64_t value) {
        __stcs(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(value));
    }
    /// @}

    /// The device's clock [ns], the same for all its multiprocessors.
    static __device__ std::uint64_t nanoseconds() {
        std::uint64_t now = 0;
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
        return now;
    }

    /// @name Host code
    /// @{
    /// The second launch bound of kernels of which `blocks` blocks shall find room on a multiprocessor.
    static constexpr int bound(int /*threads*/, int blocks) { return blocks; }

    /// Queues a kernel on the stream that `Stream::native` names. Throws RunError, beginning with
    /// `failure`, when the runtime refuses it.
    template <class... Args>
    static void launch(void (*kernel)(Args...), const GpuGrid& grid, void* stream,
                       const char* failure, const std::type_identity_t<Args>&... args) {
        cudaLaunchAttribute closely{};
        closely.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        closely.val.programmaticStreamSerializationAllowed = 1;
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(grid.blocks, grid.rows);
        config.blockDim = dim3(grid.threads);
        config.dynamicSmemBytes = grid.shared_bytes;
        config.stream = static_cast<cudaStream_t>(stream);
        config.attrs = &closely;
        config.numAttrs = grid.follows_closely ? 1 : 0;
        static_cast<void>(cudaLaunchKernelEx(&config, kernel, args...));
        const cudaError_t status = cudaGetLastError();
        if (status != cudaSuccess) {
            throw RunError(std::string(failure) + " (" + cudaGetErrorName(status) + ": " +
                           cudaGetErrorString(status) + ").");
        }
    }

    /// Lets launches of a kernel ask for more shared memory than most may. A refusal shows at the launch.
    template <class... Args>
    static void allow_shared_bytes(void (*kernel)(Args...), int bytes) {
        static_cast<void>(
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    }

    /// Of the current device; 1 when it does not say.
    static int count_multiprocessors() {
        int device = 0;
        int count = 0;
        const bool known =
            cudaGetDevice(&device) == cudaSuccess &&
            cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device) == cudaSuccess;
        return known ? count : 1;
    }
    /// @}

private:
    static constexpr unsigned all_lanes = 0xffffffffU;
};

}  // namespace halocline
