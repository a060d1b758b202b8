// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench_parts/device_choice.hpp"

#include "halocline/core/error.hpp"
#include "halocline/memory/cuda_device.hpp"

namespace halocline::bench_parts {

OpenedDevice open_device(const Communicator& comm, const DeviceChoice& choice,
                         const Affinity& affinity) {
    const CudaDevices found = find_cuda_devices();
    const bool on_gpus = comm.min(std::int64_t{found.pci_bus_ids.empty() ? 0 : 1}) > 0;
    if (choice.kind == "none") {
        return {nullptr, "--device none", 0};
    }
    if (choice.kind == "cuda" || (choice.kind == "auto" && on_gpus)) {
        OpenedDevice opened{nullptr, choice.gpu >= 0 ? "--gpu" : "GPU by local rank",
                            static_cast<int>(found.pci_bus_ids.size())};
        run_agreed(comm, [&] {
            opened.device = open_cuda_device(choice.gpu >= 0 ? choice.gpu : affinity.gpu_index);
        });
        return opened;
    }
    explain_device_faults();
    return {
        std::make_unique<EmulatedDevice>(EmulatedDeviceOptions{choice.link, choice.mpi_access, 0}),
        choice.kind == "emulated" ? "--device emulated" : found.evidence, 0};
}

}  // namespace halocline::bench_parts
