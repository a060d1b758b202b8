// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Device forms by the C++ compiler: all host code, and the kernels of the emulated device. nvcc makes
// the same kernels for GPUs in device_loops.cu.
#include "halocline/solver/mgcfd/device_loops.hpp"

#include "halocline/backend/device/chain.hpp"
#include "halocline/solver/mgcfd/device_list.hpp"

namespace halocline::device {

#if HALOCLINE_HAS_CUDA
template <class View>
void launch_cuda(const View& view, void* stream);  // in device_loops.cu
#define HALOCLINE_CUDA_FORM(type)                                             \
    extern template void launch_cuda(const ViewOf<type>& view, void* stream); \
    extern template void launch_cuda(const AtomicsViewOf<type>& view, void* stream);
HALOCLINE_MGCFD_DEVICE_LOOPS(HALOCLINE_CUDA_FORM)
#endif

template <class LoopsT>
void add_form(Executor& executor) {
#if HALOCLINE_HAS_CUDA
    ChainForm<LoopsT>::add(executor, &launch_cuda<ViewOf<LoopsT>>,
                           &launch_cuda<AtomicsViewOf<LoopsT>>);
#else
    ChainForm<LoopsT>::add(executor, nullptr);
#endif
}

}  // namespace halocline::device

namespace halocline::mgcfd {

void add_device_loops(device::Executor& executor) {
#define HALOCLINE_ADD_FORM(type) device::add_form<type>(executor);
    HALOCLINE_MGCFD_DEVICE_LOOPS(HALOCLINE_ADD_FORM)
}

}  // namespace halocline::mgcfd
