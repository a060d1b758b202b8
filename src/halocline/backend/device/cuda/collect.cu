// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Collecting on CUDA devices: neighbouring threads have neighbouring targets.
#include <string>

#include "halocline/backend/device/launch/collect.hpp"
#include "halocline/core/error.hpp"

namespace halocline::device {

namespace {

constexpr int threads = 128;

__global__ void __launch_bounds__(threads) collect_all(const __grid_constant__ CollectView view) {
    const LocalIndex target =
        static_cast<LocalIndex>(blockIdx.x) * threads + static_cast<LocalIndex>(threadIdx.x);
    if (target < view.targets) {
        collect(view, target, static_cast<LocalIndex>(blockIdx.y));
    }
}

__global__ void write_results(GlobalResult* to, const GlobalPlace* from, int count) {
    constexpr int words = sizeof(GlobalResult) / sizeof(std::uint64_t);
    for (int w = static_cast<int>(threadIdx.x); w < count * words; w += threads) {
        const auto* const result = reinterpret_cast<const std::uint64_t*>(
            static_cast<const GlobalResult*>(from + w / words));
        reinterpret_cast<std::uint64_t*>(to)[w] = result[w % words];
    }
}

}  // namespace

void write_results_on_cuda(GlobalResult* pinned, const GlobalPlace* from, int count, void* stream) {
    write_results<<<1, threads, 0, static_cast<cudaStream_t>(stream)>>>(pinned, from, count);
    const cudaError_t status = cudaGetLastError();
    validate<RunError>(status == cudaSuccess,
                       std::string("bringing globals from the GPU failed (") +
                           cudaGetErrorName(status) + ": " + cudaGetErrorString(status) + ").");
}

void launch_collect_on_cuda(const CollectView& view, void* stream) {
    const dim3 blocks(static_cast<unsigned>((view.targets + threads - 1) / threads),
                      static_cast<unsigned>(view.dim));
    collect_all<<<blocks, threads, 0, static_cast<cudaStream_t>(stream)>>>(view);
    const cudaError_t status = cudaGetLastError();
    validate<RunError>(status == cudaSuccess,
                       std::string("collecting increments on the GPU failed (") +
                           cudaGetErrorName(status) + ": " + cudaGetErrorString(status) + ").");
}

}  // namespace halocline::device
