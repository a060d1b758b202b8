// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops that compute each element once, on CUDA devices: one thread an element.
#pragma once

#include "halocline/backend/device/launch/collect.hpp"
#include "halocline/backend/device/cuda/cuda_launch.cuh"
#include "halocline/backend/device/kernels/element_run.hpp"

namespace halocline::device {

template <class LoopT>
__global__ void __launch_bounds__(block_threads)
    run_elements(const __grid_constant__ ElementsView<LoopT> view) {
    const LocalIndex element =
        view.loop.first + static_cast<LocalIndex>(blockIdx.x) * block_threads + threadIdx.x;
    Contributions<LoopT> share;
    share.clear();
    if (element < view.loop.end) {
        ElementRun<LoopT>(view, element).run(get<0>(share.of));
    }
    finish_block(view.loop, share);
}

template <class LoopT>
struct CudaLauncher<ElementsView<LoopT>> {
    static void launch(const ElementsView<LoopT>& view, cudaStream_t stream) {
        const int blocks = blocks_for(view.loop.end - view.loop.first);
        if (blocks > 0 || Contributions<LoopT>::any) {
            run_elements<LoopT><<<blocks == 0 ? 1 : blocks, block_threads, 0, stream>>>(view);
        }
    }
};

template <class... Loops>
struct CudaLauncher<OnceView<Loops...>> {
    static void launch(const OnceView<Loops...>& view, cudaStream_t stream) {
        view.with_current(
            [&]<class Step>(const Step& step) { CudaLauncher<Step>::launch(step, stream); });
    }
};

template <>
struct CudaLauncher<CollectView> {
    static void launch(const CollectView& view, cudaStream_t stream) {
        launch_collect_on_cuda(view, stream);
    }
};

}  // namespace halocline::device
