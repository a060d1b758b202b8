// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Collecting on GPUs: neighbouring threads have neighbouring targets.
#include "halocline/backend/device/launch/collect.hpp"
#include "halocline/memory/gpu/gpu.hpp"

namespace halocline::device {

namespace {

constexpr int threads = 128;

__global__ void __launch_bounds__(threads)
    collect_all(const HALOCLINE_GRID_CONSTANT CollectView view) {
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

void write_results_on_gpu(GlobalResult* pinned, const GlobalPlace* from, int count, void* stream) {
    GpuGrid grid{};
    grid.threads = threads;
    Gpu::launch(write_results, grid, stream, "bringing globals from the GPU failed", pinned, from,
                count);
}

void launch_collect_on_gpu(const CollectView& view, void* stream) {
    GpuGrid grid{static_cast<unsigned>((view.targets + threads - 1) / threads)};
    grid.rows = static_cast<unsigned>(view.dim);
    grid.threads = threads;
    Gpu::launch(collect_all, grid, stream, "collecting increments on the GPU failed", view);
}

}  // namespace halocline::device
