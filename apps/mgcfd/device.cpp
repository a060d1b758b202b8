// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Devices by back end and by wish.
#include "device.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "halocline/core/error.hpp"
#include "halocline/machine/local_rank.hpp"
#include "halocline/memory/cuda_device.hpp"
#include "halocline/memory/emulated_device.hpp"
#include "halocline/memory/peer_memory.hpp"
#include "halocline/memory/protected_memory.hpp"
#include "machine.hpp"

namespace halocline::mgcfd {

namespace {

/// The emulated device; HALOCLINE_EMULATED_MEMORY bounds its memory, in MiB.
std::unique_ptr<Device> open_emulated(bool mpi_access) {
    EmulatedDeviceOptions options;
    options.mpi_access = mpi_access;
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

/// Back end of ranks that get a device, and which ranks do.
struct Wish {
    Backend on_device;
    DeviceWish who;
};

/// `gpus_everywhere`: whether words that leave it open stand for GPUs.
Wish resolve(const Options& options, bool gpus_everywhere) {
    const Backend named = backend_from_name(options.backend);
    if (is_device(named)) {
        validate<UsageError>(options.device != DeviceWish::cpu,
                             "--device cpu and --backend " + options.backend +
                                 " exclude each other. Leave one of them out.");
        return {named, options.device == DeviceWish::automatic ? DeviceWish::gpu : options.device};
    }
    if (options.backend == "auto") {
        const DeviceWish usual = gpus_everywhere ? DeviceWish::gpu : DeviceWish::cpu;
        return {Backend::cuda, options.device == DeviceWish::automatic ? usual : options.device};
    }
    validate<UsageError>(
        options.device == DeviceWish::automatic || options.device == DeviceWish::cpu,
        "--backend " + options.backend +
            " runs on cores, --device asks for GPUs. Choose --backend auto, or leave --device "
            "out.");
    return {Backend::cuda, DeviceWish::cpu};
}

bool sees_gpu() { return !find_cuda_devices().pci_bus_ids.empty(); }

/// Whether the rank of this number on its host gets a device.
bool takes_device(const Wish& wish, const Options& options, int local_rank) {
    if (wish.who != DeviceWish::mixed) {
        return wish.who == DeviceWish::gpu;
    }
    const int usual = wish.on_device == Backend::emulated
                          ? 1
                          : std::max(1, static_cast<int>(find_cuda_devices().pci_bus_ids.size()));
    return local_rank < options.device_ranks.value_or(usual);
}

std::unique_ptr<Device> open_by_name(Backend backend, const Options& options) {
    if (backend == Backend::emulated) {
        explain_device_faults();
        return open_emulated(options.assume_gpu_aware);
    }
    const CudaDevices found = find_cuda_devices();
    validate<EnvironmentError>(!found.pci_bus_ids.empty(),
                               "no GPU for this run (" + found.evidence +
                                   "). Choose --backend openmp without --device for this machine's "
                                   "cores, or run where a GPU is.");
    return open_cuda_device(options.gpu.value_or(options.affinity.gpu_index));
}

std::vector<GpuOfRank> gather_gpus(const Communicator& comm, Device* device) {
    const std::vector<std::string> hosts = gather_texts(comm, host_name());
    const std::vector<std::string> bus_ids =
        gather_texts(comm, device != nullptr ? device->info().pci_bus_id : "");
    const std::int64_t together =
        device != nullptr && device->runs_processes_together().possible ? 1 : 0;
    const std::vector<std::int64_t> all_together = comm.all_gather(std::span(&together, 1));
    std::vector<GpuOfRank> gpus;
    for (std::size_t r = 0; r < hosts.size(); ++r) {
        gpus.push_back({hosts[r], bus_ids[r], all_together[r] == 1});
    }
    return gpus;
}

}  // namespace

AffinityRequest affinity_request(const Options& options) {
    AffinityRequest request;
    request.gpu = options.gpu;
    const bool one_thread = options.backend == "serial" || options.backend == "check";
    request.threads = one_thread ? 1 : options.threads;
    const auto local = find_local_rank(process_environment());
    try {
        const Wish wish = resolve(options, sees_gpu());
        request.use_gpu = takes_device(wish, options, local ? local->rank : 0);
        if (request.use_gpu && wish.on_device == Backend::cuda) {
            request.gpu_bus_ids = find_cuda_devices().pci_bus_ids;
            request.use_gpu = !request.gpu_bus_ids.empty();
        }
    } catch (const UsageError&) {
        request.use_gpu = false;  // told when all ranks can say it together
    }
    return request;
}

RankDevice open_rank_device(const Communicator& comm, const Options& options) {
    RankDevice rank;
    rank.ranks = comm.size();
    const bool everywhere = comm.min(std::int64_t{sees_gpu() ? 1 : 0}) > 0;
    const Wish wish = resolve(options, everywhere);
    validate<UsageError>(!options.device_ranks || wish.who == DeviceWish::mixed,
                         "--device-ranks divides ranks between GPUs and cores. Give --device "
                         "mixed, too.");
    const bool takes = takes_device(wish, options, rank_on_this_host(comm));
    run_agreed(comm, [&] {
        if (takes) {
            rank.backend = wish.on_device;
            rank.device = open_by_name(rank.backend, options);
            rank.compute = rank.device->make_stream();
        } else {
            const Backend named = backend_from_name(options.backend);
            rank.backend = is_device(named) ? Backend::openmp : named;
        }
    });
    rank.device_ranks = static_cast<int>(comm.sum(std::int64_t{takes ? 1 : 0}));
    if (rank.any()) {
        rank.gpus = gather_gpus(comm, rank.device.get());
        rank.peer_access = find_peer_access(comm, rank.device.get());
    }
    return rank;
}

std::vector<std::string> describe_devices(const Communicator& comm, const RankDevice& rank,
                                          RunRecord& record) {
    if (!rank.any()) {
        return {};
    }
    const DeviceInfo info = rank.device != nullptr ? rank.device->info() : DeviceInfo{};
    const std::vector<std::string> names = gather_texts(comm, info.name);
    const std::vector<std::string> backends = gather_texts(comm, backend_name(rank.backend));
    const std::vector<std::int64_t> memory = comm.all_gather(std::span(&info.memory_bytes, 1));
    for (std::size_t r = 0; r < names.size(); ++r) {
        record::Rank entry;
        entry.rank = static_cast<int>(r);
        entry.backend = backends[r];
        if (!names[r].empty()) {
            entry.device = names[r];
            record.devices.push_back({rank.gpus[r].host, names[r], memory[r]});
            record.layout.gpus += backends[r] == "cuda" ? 1 : 0;
        }
        record.ranks.push_back(std::move(entry));
    }
    if (rank.mixed()) {
        record.backend = "mixed";
    }
    return gpu_sharing_notices(rank.gpus);
}

void finish_devices(const Communicator& comm, Context& context, const Solver& solver,
                    const TransferCounts& before, RunRecord& record) {
    device::Executor* const executor = context.device();
    TransferCounts now = before;
    record::DeviceUse use;
    if (executor != nullptr) {
        executor->collect_times(context.loops());
        now = executor->device().counts();
        const device::RepeatedWork& work = solver.cycle_work();
        use.graph = work.obstacle().empty();
        if (!use.graph) {
            use.no_graph_because = work.obstacle();
        }
        use.launches_per_cycle = work.launches();
        use.prepare_s = executor->graph_seconds() + executor->tables().build_seconds();
    }
    use.to_device_copies = comm.sum(now.to_device_copies - before.to_device_copies);
    use.to_device_bytes = comm.sum(now.to_device_bytes - before.to_device_bytes);
    use.to_host_copies = comm.sum(now.to_host_copies - before.to_host_copies);
    use.to_host_bytes = comm.sum(now.to_host_bytes - before.to_host_bytes);
    record.device_use = use;
}

}  // namespace halocline::mgcfd
