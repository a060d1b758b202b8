// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Real GPUs through the CUDA runtime; a build without CUDA answers every call with the reason.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "halocline/memory/device.hpp"

namespace halocline {

/// GPUs that this process may use, in the runtime's order; PCI ids as in /sys/bus/pci/devices.
struct CudaDevices {
    std::vector<std::string> pci_bus_ids;  ///< by CUDA's number
    std::string evidence;                  ///< how it was found out, or why there are none
};

/// Never throws: no GPU, no driver and no CUDA in this build are an empty list with the reason.
[[nodiscard]] CudaDevices find_cuda_devices();

/// Version of the CUDA toolkit in this build, 13.0; empty: built without.
[[nodiscard]] std::string cuda_build_version();

/// Opens a GPU. Throws EnvironmentError with the reason when that cannot be.
[[nodiscard]] std::unique_ptr<Device> open_cuda_device(int index);

}  // namespace halocline
