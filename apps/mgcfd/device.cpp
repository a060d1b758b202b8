// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Devices by back end.
#include "device.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "halocline/core/error.hpp"
#include "halocline/memory/cuda_device.hpp"
#include "halocline/memory/emulated_device.hpp"
#include "halocline/memory/protected_memory.hpp"

namespace halocline::mgcfd {

namespace {

/// The emulated device; HALOCLINE_EMULATED_MEMORY bounds its memory, in MiB.
std::unique_ptr<Device> open_emulated() {
    EmulatedDeviceOptions options;
    if (const char* text = std::getenv("HALOCLINE_EMULATED_MEMORY")) {
        char* end = nullptr;
        const long long mebibytes = std::strtoll(text, &end, 10);
        validate<UsageError>(
            end != text && *end == '\0' && mebibytes > 0 && mebibytes < (1LL << 40),
            "HALOCLINE_EMULATED_MEMORY is '" + std::string(text) +
                "' (it takes whole MiB above zero). Give a number or unset it.");
        options.memory_bytes = mebibytes << 20;
    }
    return std::make_unique<EmulatedDevice>(options);
}

std::unique_ptr<Device> open_by_name(Backend backend, const Options& options) {
    if (backend == Backend::emulated) {
        explain_device_faults();
        return open_emulated();
    }
    const CudaDevices found = find_cuda_devices();
    validate<EnvironmentError>(
        !found.pci_bus_ids.empty(),
        "back end 'cuda' finds no GPU (" + found.evidence +
            "). Choose --backend auto for this machine's cores, or run where a GPU is.");
    return open_cuda_device(options.gpu.value_or(options.affinity.gpu_index));
}

}  // namespace

AffinityRequest affinity_request(const Options& options) {
    AffinityRequest request;
    request.gpu = options.gpu;
    if (options.backend == backend_name(Backend::cuda)) {
        request.gpu_bus_ids = find_cuda_devices().pci_bus_ids;
        request.use_gpu = !request.gpu_bus_ids.empty();
    } else {
        request.use_gpu = options.backend == backend_name(Backend::emulated);
    }
    return request;
}

std::unique_ptr<Device> open_device(const Communicator& comm, Backend backend,
                                    const Options& options) {
    std::unique_ptr<Device> device;
    if (is_device(backend)) {
        run_agreed(comm, [&] { device = open_by_name(backend, options); });
    }
    return device;
}

void describe_devices(const Communicator& comm, const Device& device, RunRecord& record) {
    const DeviceInfo info = device.info();
    const std::size_t host =
        std::min(static_cast<std::size_t>(comm.rank()), record.hosts.size() - 1);
    record.devices.push_back({record.hosts[host].name, info.name, info.memory_bytes});
    record.layout.gpus = info.kind == "cuda" ? comm.size() : 0;
}

void finish_device(Context& context, const Solver& solver, const TransferCounts& before,
                   RunRecord& record) {
    device::Executor& executor = *context.device();
    executor.collect_times(context.loops());
    const TransferCounts now = executor.device().counts();
    const device::RepeatedWork& work = solver.cycle_work();
    record::DeviceUse use;
    use.to_device_copies = now.to_device_copies - before.to_device_copies;
    use.to_device_bytes = now.to_device_bytes - before.to_device_bytes;
    use.to_host_copies = now.to_host_copies - before.to_host_copies;
    use.to_host_bytes = now.to_host_bytes - before.to_host_bytes;
    use.graph = work.obstacle().empty();
    if (!use.graph) {
        use.no_graph_because = work.obstacle();
    }
    use.launches_per_cycle = work.launches();
    use.prepare_s = executor.graph_seconds() + executor.tables().build_seconds();
    record.device_use = use;
}

}  // namespace halocline::mgcfd
