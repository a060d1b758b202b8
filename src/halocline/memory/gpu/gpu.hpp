// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// `Gpu`: all that kernels, and code that launches them, need to know about the family of a GPU. Each family
// has one header beside this one with the same members; what they promise is said in `EmulatedGpu` for
// the functions of any thread, in `CudaGpu` for those of GPUs alone.
#pragma once

#if defined(__HIPCC__)
#include "halocline/memory/gpu/hip.hpp"
#elif defined(__CUDACC__)
#include "halocline/memory/gpu/cuda.hpp"
#else
#include "halocline/memory/gpu/emulated.hpp"
#endif

namespace halocline {

#if defined(__HIPCC__)
using Gpu = HipGpu;
#elif defined(__CUDACC__)
using Gpu = CudaGpu;
#else
using Gpu = EmulatedGpu;
#endif

}  // namespace halocline
