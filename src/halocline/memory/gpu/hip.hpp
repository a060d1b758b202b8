// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// AMD's GPUs, for hipcc: what `CudaGpu` says of each member holds here. Compiled only; no GPU has run it.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>
#include <string>
#include <type_traits>

#include "halocline/core/error.hpp"
#include "halocline/core/types.hpp"
#include "halocline/memory/gpu/emulated.hpp"
#include "halocline/memory/gpu/launch.hpp"

#define HALOCLINE_GRID_CONSTANT

namespace halocline {

struct HipGpu : HipFigures {
    using Pair = EmulatedGpu::Pair;

    /// Through a register: CDNA has no copy past them that this compiler knows.
    template <class T>
    static HALOCLINE_HD void copy_to_shared(T* to, const T* from) {
        *to = *from;
    }
    static __device__ void finish_copies() {}

    static constexpr int prefetch_bytes = EmulatedGpu::prefetch_bytes;
    /// CDNA has no instruction for it.
    static HALOCLINE_HD void prefetch(const void* /*begin*/, int /*bytes*/) {}

    static __device__ void announce_next() {}
    static __device__ void wait_for_previous() {}

    static __device__ bool all_of_warp(bool value) { return __all(value) != 0; }
    static __device__ bool any_of_warp(bool value) { return __any(value) != 0; }
    template <class T>
    static __device__ T largest_of_warp(T value) {
        for (int offset = warp / 2; offset > 0; offset /= 2) {
            const T theirs = __shfl_xor(value, offset);
            value = theirs > value ? theirs : value;
        }
        return value;
    }
    using WarpSum = std::int64_t;  // 64 values of 26 bits, sign included
    static __device__ WarpSum sum_of_warp(int value) {
        WarpSum sum = value;
        for (int offset = warp / 2; offset > 0; offset /= 2) {
            sum += __shfl_xor(sum, offset);
        }
        return sum;
    }
    static __device__ int first_of_warp(int value) { return __shfl(value, 0); }
    static __device__ void synchronize_warp() {
        __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
        __builtin_amdgcn_wave_barrier();
    }

    static __device__ void add_atomically(std::int64_t& to, std::int64_t value) {
        __hip_atomic_fetch_add(&to, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    }
    static __device__ void raise_atomically(std::int64_t& to, std::int64_t value) {
        __hip_atomic_fetch_max(&to, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    }

    template <class T>
    static __device__ T load_once(const T* from) {
        return __builtin_nontemporal_load(from);
    }
    static __device__ void store_once(std::uint64_t* to, std::uint64_t value) {
        __builtin_nontemporal_store(value, to);
    }

    /// By the reference clock, which has 100 MHz on MI200 and MI300.
    static __device__ std::uint64_t nanoseconds() { return 10 * __builtin_amdgcn_s_memrealtime(); }

    /// hipcc counts warps of one of a multiprocessor's four SIMD units instead.
    static constexpr int bound(int threads, int blocks) {
        const int warps = threads * blocks / warp / 4;
        return warps < 1 ? 1 : warps;
    }

    template <class... Args>
    static void launch(void (*kernel)(Args...), const GpuGrid& grid, void* stream,
                       const char* failure, const std::type_identity_t<Args>&... args) {
        kernel<<<dim3(grid.blocks, grid.rows), dim3(grid.threads), grid.shared_bytes,
                 static_cast<hipStream_t>(stream)>>>(args...);
        const hipError_t status = hipGetLastError();
        if (status != hipSuccess) {
            throw RunError(std::string(failure) + " (" + hipGetErrorName(status) + ": " +
                           hipGetErrorString(status) + ").");
        }
    }

    /// Every launch may ask for all there is.
    template <class... Args>
    static void allow_shared_bytes(void (* /*kernel*/)(Args...), int /*bytes*/) {}

    static int count_multiprocessors() {
        int device = 0;
        int count = 0;
        const bool known = hipGetDevice(&device) == hipSuccess &&
                           hipDeviceGetAttribute(&count, hipDeviceAttributeMultiprocessorCount,
                                                 device) == hipSuccess;
        return known ? count : 1;
    }
};

}  // namespace halocline
