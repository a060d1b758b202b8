// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The join of reductions over ranks on CUDA devices: one block.
#include <string>

#include "halocline/backend/device/launch/rank_join.hpp"
#include "halocline/core/error.hpp"

namespace halocline::device {

namespace {

constexpr int threads = 256;

__global__ void join_ranks(const __grid_constant__ JoinView view) {
    __shared__ JoinPart parts[most_join_ranks * most_join_items];
    JoinRun run(view, parts);
    run.exchange(static_cast<int>(threadIdx.x), threads);
    __syncthreads();
    run.join(static_cast<int>(threadIdx.x), threads);
}

}  // namespace

void launch_join_on_cuda(const JoinView& view, void* stream) {
    join_ranks<<<1, threads, 0, static_cast<cudaStream_t>(stream)>>>(view);
    const cudaError_t status = cudaGetLastError();
    validate<RunError>(status == cudaSuccess,
                       std::string("joining reductions on the GPU failed (") +
                           cudaGetErrorName(status) + ": " + cudaGetErrorString(status) + ").");
}

}  // namespace halocline::device
