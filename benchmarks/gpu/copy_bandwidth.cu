// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Bandwidth of device memory as a copy sees it: bytes read and written, best of ten, as one number.
#include <cuda_runtime.h>

#include <cstdio>

int main() {
    const std::size_t bytes = std::size_t{4} << 30;
    void* from = nullptr;
    void* to = nullptr;
    if (cudaMalloc(&from, bytes) != cudaSuccess || cudaMalloc(&to, bytes) != cudaSuccess) {
        std::fprintf(stderr, "copy_bandwidth: no 8 GiB of device memory.\n");
        return 4;
    }
    cudaMemset(from, 1, bytes);
    cudaEvent_t start = nullptr;
    cudaEvent_t stop = nullptr;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    float best_ms = 1e30F;
    for (int repetition = 0; repetition < 10; ++repetition) {
        cudaEventRecord(start);
        cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice);
        cudaEventRecord(stop);
        cudaEventSynchronize(stop);
        float ms = 0.0F;
        cudaEventElapsedTime(&ms, start, stop);
        best_ms = ms < best_ms ? ms : best_ms;
    }
    std::printf("%.1f\n", 2.0 * static_cast<double>(bytes) / static_cast<double>(best_ms) * 1e-6);
    return cudaGetLastError() == cudaSuccess ? 0 : 5;
}
