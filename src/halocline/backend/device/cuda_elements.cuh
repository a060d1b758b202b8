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
        if (view.is_last != 0) {
            refresh_all(view, stream, typename ScatterView<LoopT>::Indices{});
        }
    }

private:
    template <std::size_t... a>
    static void refresh_all(const ScatterView<LoopT>& view, cudaStream_t stream,
                            std::index_sequence<a...>) {
        (refresh(field<a>(view.args), view.owned_targets, stream), ...);
    }
    template <class Arg>
    static void refresh(const ArgView<Arg>& arg, LocalIndex owned_targets, cudaStream_t stream) {
        if constexpr (leaves_derived_old<Arg>) {
            using DatT = typename Arg::DatT;
            CudaLauncher<RefreshView<DatT>>::launch(refresh_of<DatT>(arg, owned_targets), stream);
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
