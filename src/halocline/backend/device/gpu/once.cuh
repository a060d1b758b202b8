// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops that compute each element once, on GPUs: one thread an element.
#pragma once

#include "halocline/backend/device/gpu/launch.cuh"
#include "halocline/backend/device/kernels/element_run.hpp"
#include "halocline/backend/device/launch/collect.hpp"

namespace halocline::device {

template <class LoopT>
__global__ void __launch_bounds__(block_threads)
    run_elements(const HALOCLINE_GRID_CONSTANT ElementsView<LoopT> view) {
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
struct Launcher<ElementsView<LoopT>> {
    static void launch(const ElementsView<LoopT>& view, void* stream) {
        const LocalIndex elements = view.loop.end - view.loop.first;
        if (elements > 0 || Contributions<LoopT>::any) {
            GpuGrid grid{blocks_for(elements)};
            grid.threads = block_threads;
            Gpu::launch(run_elements<LoopT>, grid, stream, launch_failure, view);
        }
    }
};

template <class... Loops>
struct Launcher<OnceView<Loops...>> {
    static void launch(const OnceView<Loops...>& view, void* stream) {
        view.with_current(
            [&]<class Step>(const Step& step) { Launcher<Step>::launch(step, stream); });
    }
};

template <>
struct Launcher<CollectView> {
    static void launch(const CollectView& view, void* stream) {
        launch_collect_on_gpu(view, stream);
    }
};

}  // namespace halocline::device
