// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/test_device.hpp"

#include "halocline/memory/cuda_device.hpp"
#include "halocline/memory/emulated_device.hpp"

namespace halocline::test {

TestDevice open_test_device(Backend backend) {
    if (backend == Backend::emulated) {
        return {std::make_unique<EmulatedDevice>(), ""};
    }
    if (backend != Backend::cuda) {
        return {nullptr, ""};
    }
    const CudaDevices found = find_cuda_devices();
    if (found.pci_bus_ids.empty()) {
        return {nullptr, "no GPU here: " + found.evidence +
                             "; `make test-gpu` on a machine with one runs it"};
    }
    return {open_cuda_device(0), ""};
}

}  // namespace halocline::test
