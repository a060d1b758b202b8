// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The solver's kernels by nvcc: an instance for each loop of the list.
#include "halocline/backend/device/cuda_elements.cuh"
#include "halocline/solver/mgcfd/device_list.hpp"

namespace halocline::device {

#define HALOCLINE_CUDA_FORM(type)                                      \
    template void launch_cuda(const ViewOf<type>& view, void* stream); \
    template void launch_cuda(const AtomicsViewOf<type>& view, void* stream);
HALOCLINE_MGCFD_DEVICE_LOOPS(HALOCLINE_CUDA_FORM)

}  // namespace halocline::device
