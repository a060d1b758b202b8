// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Compares every function of `halocline::math` on a GPU with the host, bit by bit, and times it there.
//   nvcc -std=c++20 -O3 -fmad=false -Xcompiler=-ffp-contract=off,-mfma -Isrc benchmarks/gpu/mathematics.cu
// One line a function; exit code 1 where bits differ, 4 without a GPU.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "halocline/math/functions.hpp"

namespace {

constexpr const char* names[] = {"exp",   "exp2",  "log",  "log2",  "log10", "pow",
                                 "hypot", "sin",   "cos",  "tan",   "atan",  "atan2",
                                 "tanh",  "floor", "ceil", "trunc", "round", "copysign"};
constexpr int functions = static_cast<int>(sizeof names / sizeof *names);
constexpr std::uint64_t points = std::uint64_t{1} << 22;

HALOCLINE_HD double call(int function, double x, double y) {
    HALOCLINE_USE_MATH;
    switch (function) {
        case 0:
            return exp(x);
        case 1:
            return exp2(x);
        case 2:
            return log(x);
        case 3:
            return log2(x);
        case 4:
            return log10(x);
        case 5:
            return pow(x, y);
        case 6:
            return hypot(x, y);
        case 7:
            return sin(x);
        case 8:
            return cos(x);
        case 9:
            return tan(x);
        case 10:
            return atan(x);
        case 11:
            return atan2(x, y);
        case 12:
            return tanh(x);
        case 13:
            return floor(x);
        case 14:
            return ceil(x);
        case 15:
            return trunc(x);
        case 16:
            return round(x);
        default:
            return copysign(x, y);
    }
}

/// SplitMix64's finaliser (Steele et al. 2014, doi:10.1145/2660193.2660195).
HALOCLINE_HD std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

/// Every fourth any double, the others of sizes about 1.
HALOCLINE_HD double argument(std::uint64_t point, int which) {
    const std::uint64_t bits = mix(2 * point + which);
    const std::uint64_t span = point % 4 == 0 ? 2048 : 6 << 2 * (point % 4 - 1);
    const std::uint64_t offset = (bits >> 52) % span;
    const std::uint64_t exponent = span == 2048 ? offset : 1023 - span / 2 + offset;
    return halocline::math::detail::from_bits<double>((bits & 0x800fffffffffffff) | exponent << 52);
}

/// Which NaN an operation makes is the processor's choice.
HALOCLINE_HD std::uint64_t result_bits(int function, std::uint64_t point) {
    const double result = call(function, argument(point, 0), argument(point, 1));
    return result == result ? halocline::math::detail::bits(result) : 1;
}

__global__ void run(int function, std::uint64_t* results) {
    const std::uint64_t point = blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x;
    if (point < points) {
        results[point] = result_bits(function, point);
    }
}

void require(cudaError_t error) {
    if (error != cudaSuccess) {
        std::fprintf(stderr,
                     "mathematics: the GPU failed (%s). Run it where nvidia-smi lists one.\n",
                     cudaGetErrorString(error));
        std::exit(4);
    }
}

/// Milliseconds of the second of two runs.
float run_timed(int function, std::uint64_t* results) {
    cudaEvent_t start = nullptr;
    cudaEvent_t stop = nullptr;
    require(cudaEventCreate(&start));
    require(cudaEventCreate(&stop));
    for (int repetition = 0; repetition < 2; ++repetition) {
        require(cudaEventRecord(start));
        run<<<points / 256, 256>>>(function, results);
        require(cudaEventRecord(stop));
        require(cudaEventSynchronize(stop));
    }
    float time_ms = 0.0F;
    require(cudaEventElapsedTime(&time_ms, start, stop));
    require(cudaEventDestroy(start));
    require(cudaEventDestroy(stop));
    return time_ms;
}

}  // namespace

int main() {
    std::uint64_t* device = nullptr;
    require(cudaMalloc(&device, points * sizeof *device));
    std::vector<std::uint64_t> results(points);
    bool all_equal = true;
    for (int function = 0; function < functions; ++function) {
        const float time_ms = run_timed(function, device);
        require(
            cudaMemcpy(results.data(), device, points * sizeof *device, cudaMemcpyDeviceToHost));
        std::uint64_t differing = 0;
        for (std::uint64_t point = 0; point < points; ++point) {
            differing += results[point] == result_bits(function, point) ? 0 : 1;
        }
        std::printf("%-9s %llu of %llu differ, %.3f ms\n", names[function],
                    static_cast<unsigned long long>(differing),
                    static_cast<unsigned long long>(points), static_cast<double>(time_ms));
        all_equal = all_equal && differing == 0;
    }
    require(cudaFree(device));
    return all_equal ? 0 : 1;
}
