// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Integer widths and the one annotation macro shared by all layers.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__CUDACC__)
#define HALOCLINE_HD __host__ __device__
#else
#define HALOCLINE_HD
#endif

namespace halocline {

/// Index of an element within one rank's part of a set.
using LocalIndex = std::int32_t;

/// Index of an element in the whole set, the same on every rank and in every file.
using GlobalIndex = std::int64_t;

/// SIMD lanes of a pack, rows of a SELL block: fixed, so that layouts do not depend on the CPU.
inline constexpr int simd_lanes = 8;

}  // namespace halocline
