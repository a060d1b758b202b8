// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Integer widths, and what compilers of GPU code need to know, shared by all layers.
#pragma once

#include <cstddef>
#include <cstdint>

// HALOCLINE_GPU_COMPILER: this compiler (nvcc, hipcc) makes device code of functions with HALOCLINE_HD,
// beside that for the host. HALOCLINE_ON_GPU: it is making device code now. What else depends on the family
// of a GPU is in memory/gpu.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define HALOCLINE_GPU_COMPILER 1
#define HALOCLINE_HD __host__ __device__
#else
/// Stands before what kernels call: host and device in code compiled for devices, nothing
/// elsewhere.
#define HALOCLINE_HD
#endif
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define HALOCLINE_ON_GPU 1
#endif

// Sums in a fixed order, exact sums, values that are no numbers and the sign of zero: none of it survives.
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || \
    defined(__NO_SIGNED_ZEROS__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error \
    "halocline computes the same bits everywhere, and wrong ones where the compiler may reorder arithmetic: leave out -Ofast, -ffast-math and what belongs to it (-fassociative-math, -freciprocal-math, -ffinite-math-only, -fno-signed-zeros)"
#endif

namespace halocline {

/// Index of an element within one rank's part of a set.
using LocalIndex = std::int32_t;

/// Index of an element in the whole set, the same on every rank and in every file.
using GlobalIndex = std::int64_t;

/// Stands in a map in place of a target where there is none: the missing cell of an edge at the
/// boundary, the places behind the last neighbour.
inline constexpr GlobalIndex absent = -1;

/// Elements in a block of layouts and plans: fixed, so that neither depends on the CPU. A row of eight
/// doubles is a cache line.
inline constexpr int simd_lanes = 8;

/// Doubles in a pack: one register of the widest vectors that the build may use. A block is a whole
/// number of packs.
#if defined(__AVX512F__)
inline constexpr int pack_lanes = 8;
#elif defined(__AVX__)
inline constexpr int pack_lanes = 4;
#else
inline constexpr int pack_lanes = 2;
#endif

}  // namespace halocline
