// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Stands for cuda_device.cpp in builds without CUDA and says so.
#include "halocline/core/error.hpp"
#include "halocline/memory/cuda_device.hpp"

namespace halocline {

CudaDevices find_cuda_devices() {
    return {{}, "this build has no CUDA (it was configured without -DHALOCLINE_CUDA=ON)"};
}

std::string cuda_build_version() { return ""; }

std::unique_ptr<Device> open_cuda_device(int /*index*/) {
    throw EnvironmentError(
        "no GPU can be used (this build has no CUDA: it was configured without "
        "-DHALOCLINE_CUDA=ON). Rebuild with it, or use --device emulated.");
}

}  // namespace halocline
