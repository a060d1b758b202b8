// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Devices by back end and by request.
#include "halocline/runtime/rank_device.hpp"

#include <algorithm>
#include <cstdlib>
#include <span>

#include "halocline/backend/device/launch/forms.hpp"
#include "halocline/core/error.hpp"
#include "halocline/machine/hosts.hpp"
#include "halocline/machine/local_rank.hpp"
#include "halocline/machine/placement.hpp"
#include "halocline/memory/cuda_device.hpp"
#include "halocline/memory/emulated_device.hpp"
#include "halocline/memory/peer_memory.hpp"
#include "halocline/memory/protected_memory.hpp"

namespace halocline {

namespace {

/// The text of a variable that is set to something.
std::optional<std::string> variable(const char* name) {
    const char* text = std::getenv(name);
    return text != nullptr && *text != '\0' ? std::optional<std::string>(text) : std::nullopt;
}

/// A whole number from 1 to `most` in a variable that is set; `unit` says what it counts.
std::optional<long long> positive_variable(const char* name, long long most, const char* unit) {
    const std::optional<std::string> text = variable(name);
    if (!text) {
        return std::nullopt;
    }
    char* end = nullptr;
    const long long value = std::strtoll(text->c_str(), &end, 10);
    validate<UsageError>(end != text->c_str() && *end == '\0' && value > 0 && value <= most,
                         std::string(name) + " is '" + *text + "' (it takes whole " + unit +
                             " above zero). Give a number or unset it.");
    return value;
}

/// The emulated device; HALOCLINE_EMULATED_MEMORY bounds its memory, in MiB.
std::unique_ptr<Device> open_emulated(bool mpi_access) {
    EmulatedDeviceOptions options;
    options.mpi_access = mpi_access;
    if (const auto mebibytes =
            positive_variable("HALOCLINE_EMULATED_MEMORY", (1LL << 40) - 1, "MiB")) {
        options.memory_bytes = *mebibytes << 20;
    }
    return std::make_unique<EmulatedDevice>(options);
}

/// Back end of ranks that get a device, and which ranks do.
struct DevicePreference {
    Backend on_device;
    DeviceSelection who;
};

/// `gpus_everywhere`: whether words that leave it open stand for GPUs.
DevicePreference resolve(const DeviceRequest& request, bool gpus_everywhere) {
    const Backend named = backend_from_name(request.backend);
    const OptionSpellings& words = request.words;
    if (is_device(named)) {
        validate<UsageError>(request.device != DeviceSelection::cpu,
                             words.device + "cpu and " + words.backend + request.backend +
                                 " exclude each other. Leave one of them out.");
        return {named, request.device == DeviceSelection::automatic ? DeviceSelection::gpu
                                                                    : request.device};
    }
    if (request.backend == "auto") {
        const DeviceSelection usual = gpus_everywhere ? DeviceSelection::gpu : DeviceSelection::cpu;
        return {Backend::cuda,
                request.device == DeviceSelection::automatic ? usual : request.device};
    }
    validate<UsageError>(
        request.device == DeviceSelection::automatic || request.device == DeviceSelection::cpu,
        words.backend + request.backend + " runs on cores, " + words.device +
            "... asks for GPUs. Choose " + words.backend + "auto, or leave the other out.");
    return {Backend::cuda, DeviceSelection::cpu};
}

bool sees_gpu() { return !find_cuda_devices().pci_bus_ids.empty(); }

/// Whether the rank of this number on its host gets a device.
bool takes_device(const DevicePreference& preference, const DeviceRequest& request,
                  int local_rank) {
    if (preference.who != DeviceSelection::mixed) {
        return preference.who == DeviceSelection::gpu;
    }
    const int usual = preference.on_device == Backend::emulated
                          ? 1
                          : std::max(1, static_cast<int>(find_cuda_devices().pci_bus_ids.size()));
    return local_rank < request.device_ranks.value_or(usual);
}

/// `place`: of the rank on its host.
std::unique_ptr<Device> open_by_name(Backend backend, const DeviceRequest& request,
                                     const HostRanks& place, std::optional<int> gpu) {
    if (backend == Backend::emulated) {
        explain_device_faults();
        return open_emulated(request.assume_gpu_aware);
    }
    const CudaDevices found = find_cuda_devices();
    validate<EnvironmentError>(!found.pci_bus_ids.empty(),
                               "no GPU for this run (" + found.evidence + "). Choose " +
                                   request.words.backend +
                                   "openmp for this machine's cores, or run where a GPU is.");
    const int by_place =
        gpu_of(place.rank, place.counted, static_cast<int>(found.pci_bus_ids.size()));
    return open_cuda_device(request.gpu.value_or(gpu.value_or(by_place)));
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

const std::map<std::string, DeviceSelection>& device_selections() {
    static const std::map<std::string, DeviceSelection> words{{"auto", DeviceSelection::automatic},
                                                              {"cpu", DeviceSelection::cpu},
                                                              {"gpu", DeviceSelection::gpu},
                                                              {"mixed", DeviceSelection::mixed}};
    return words;
}

DeviceRequest device_request_of_environment() {
    DeviceRequest request;
    request.backend = variable("HALOCLINE_BACKEND").value_or("auto");
    static_cast<void>(backend_from_name(request.backend));
    if (const auto word = variable("HALOCLINE_DEVICE")) {
        const auto found = device_selections().find(*word);
        validate<UsageError>(
            found != device_selections().end(),
            "HALOCLINE_DEVICE is '" + *word +
                "' (it takes auto, cpu, gpu or mixed). Set one of these or unset it.");
        request.device = found->second;
    }
    if (const auto ranks = positive_variable("HALOCLINE_DEVICE_RANKS", 1 << 20, "ranks a host")) {
        request.device_ranks = static_cast<int>(*ranks);
    }
    request.assume_gpu_aware = variable("HALOCLINE_ASSUME_GPU_AWARE") == "1";
    request.can_use_gpu = device::has_forms(true);
    return request;
}

AffinityRequest affinity_request(const DeviceRequest& request, int threads) {
    AffinityRequest affinity;
    affinity.gpu = request.gpu;
    const bool one_thread = request.backend == "serial" || request.backend == "check";
    affinity.threads = one_thread ? 1 : threads;
    const auto local = find_local_rank(process_environment());
    try {
        const DevicePreference preference = resolve(request, request.can_use_gpu && sees_gpu());
        affinity.use_gpu = takes_device(preference, request, local ? local->rank : 0);
        if (affinity.use_gpu && preference.on_device == Backend::cuda) {
            affinity.gpu_bus_ids = find_cuda_devices().pci_bus_ids;
            affinity.use_gpu = !affinity.gpu_bus_ids.empty();
        }
    } catch (const UsageError&) {
        affinity.use_gpu = false;  // reported when all ranks can do so together
    }
    return affinity;
}

RankDevice open_rank_device(const Communicator& comm, const DeviceRequest& request,
                            std::optional<int> gpu) {
    RankDevice rank;
    rank.ranks = comm.size();
    rank.assume_gpu_aware = request.assume_gpu_aware;
    rank.words = request.words;
    const bool usable = request.can_use_gpu && sees_gpu();
    const DevicePreference preference =
        resolve(request, comm.min(std::int64_t{usable ? 1 : 0}) > 0);
    validate<UsageError>(!request.device_ranks || preference.who == DeviceSelection::mixed,
                         request.words.device_ranks +
                             " divides ranks between GPUs and cores. Give " + request.words.device +
                             "mixed, too.");
    HostRanks place = ranks_on_this_host(comm);
    const bool takes = takes_device(preference, request, place.rank);
    place.counted = ranks_on_this_host(comm, takes).counted;
    run_agreed(comm, [&] {
        if (takes) {
            rank.backend = preference.on_device;
            rank.device = open_by_name(rank.backend, request, place, gpu);
            rank.compute = rank.device->make_stream();
        } else {
            const Backend named = backend_from_name(request.backend);
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

}  // namespace halocline
