// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops with atomics on CUDA devices: one thread an element.
#pragma once

#include "halocline/backend/device/cuda_launch.cuh"
#include "halocline/backend/device/element_run.hpp"

namespace halocline::device {

template <class LoopT>
__global__ void __launch_bounds__(block_threads)
    run_elements(const __grid_constant__ ScatterView<LoopT> view) {
    const LocalIndex element =
        view.first + static_cast<LocalIndex>(blockIdx.x) * block_threads + threadIdx.x;
    if (element < view.end) {
        ElementRun<LoopT>(view, element).run();
    }
}

template <class LoopT>
struct CudaLauncher<ScatterView<LoopT>> {
    static void launch(const ScatterView<LoopT>& view, cudaStream_t stream) {
        if (view.end > view.first) {
            run_elements<LoopT>
                <<<blocks_for(view.end - view.first), block_threads, 0, stream>>>(view);
        }
    }
};

template <class... Loops>
struct CudaLauncher<AtomicsView<Loops...>> {
    static void launch(const AtomicsView<Loops...>& view, cudaStream_t stream) {
        view.with_current(
            [&]<class Step>(const Step& step) { CudaLauncher<Step>::launch(step, stream); });
    }
};
template <class LoopsT>
struct CudaLauncher<NoAtomicsView<LoopsT>> {
    static void launch(const NoAtomicsView<LoopsT>& /*view*/, cudaStream_t /*stream*/) {}
};

}  // namespace halocline::device
