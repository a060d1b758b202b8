// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The join of reductions over ranks on GPUs: one block.
#include "halocline/backend/device/launch/rank_join.hpp"
#include "halocline/memory/gpu/gpu.hpp"

namespace halocline::device {

namespace {

constexpr int threads = 256;

__global__ void run_join(const HALOCLINE_GRID_CONSTANT JoinView view) {
    __shared__ JoinPart parts[most_join_ranks * most_join_items];
    JoinRun run(view, parts);
    run.exchange(static_cast<int>(threadIdx.x), threads);
    __syncthreads();
    run.join(static_cast<int>(threadIdx.x), threads);
}

}  // namespace

void launch_join_on_gpu(const JoinView& view, void* stream) {
    GpuGrid grid{};
    grid.threads = threads;
    Gpu::launch(run_join, grid, stream, "joining reductions on the GPU failed", view);
}

}  // namespace halocline::device
