// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What each rank computes on: cores, or a device of its host.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/core/communicator.hpp"
#include "halocline/machine/affinity.hpp"
#include "halocline/machine/gpu_sharing.hpp"
#include "halocline/memory/device.hpp"

namespace halocline {

/// Which ranks get a device. automatic: all of them where every host has a GPU and the program can use
/// it, else none.
enum class DeviceSelection { automatic, cpu, gpu, mixed };

/// The words for them: auto, cpu, gpu, mixed.
[[nodiscard]] const std::map<std::string, DeviceSelection>& device_selections();

/// How a program's users ask for devices, for messages.
struct OptionSpellings {
    std::string backend = "HALOCLINE_BACKEND=";  ///< how a back end is asked for
    std::string device = "HALOCLINE_DEVICE=";    ///< how a kind of device is asked for
    /// how a number of ranks with devices is asked for
    std::string device_ranks = "HALOCLINE_DEVICE_RANKS";
    std::string halo_scheme = "HALOCLINE_HALO=";  ///< how a halo scheme is asked for
    /// how trust in MPI is asked for
    std::string assume_gpu_aware = "HALOCLINE_ASSUME_GPU_AWARE=1";
};

/// What a program, or its environment, asks for.
struct DeviceRequest {
    std::string backend = "auto";                         ///< a back end's name
    DeviceSelection device = DeviceSelection::automatic;  ///< which ranks get a device
    /// With DeviceSelection::mixed: how many ranks of a host get a device. None: as many as it has GPUs.
    std::optional<int> device_ranks;
    std::optional<int> gpu;  ///< number of the GPU that every rank opens. None: by its place
    /// Whether MPI is to be trusted with device pointers, whatever it says of itself.
    bool assume_gpu_aware = false;
    /// Whether the program's loops can run on a GPU: automatic takes none otherwise.
    bool can_use_gpu = true;
    OptionSpellings words = {};  ///< for messages
};

/// What HALOCLINE_BACKEND, HALOCLINE_DEVICE and HALOCLINE_DEVICE_RANKS ask for; GPUs without being asked
/// only for programs that can use them. Throws UsageError for words that are none.
[[nodiscard]] DeviceRequest device_request_of_environment();

/// This rank's device, and how many ranks of the job have one.
struct RankDevice {
    Backend backend = Backend::openmp;  ///< of this rank
    std::unique_ptr<Device> device;     ///< null on cores
    std::unique_ptr<Stream> compute;    ///< where its kernels run; null on cores
    int device_ranks = 0;               ///< in the job
    int ranks = 1;                      ///< in the job
    std::vector<GpuOfRank> gpus;        ///< by rank; without bus id on cores and emulated devices
    Capability peer_access;             ///< whether all devices reach each other's memory
    bool assume_gpu_aware = false;      ///< as requested
    OptionSpellings words;              ///< of the request

    /// Whether any rank of the job has a device.
    [[nodiscard]] bool any() const { return device_ranks > 0; }
    /// Whether ranks on cores and ranks on devices work together.
    [[nodiscard]] bool mixed() const { return any() && device_ranks < ranks; }
};

/// What to ask of `place_process` before MPI starts: a GPU for a rank that will take one. `threads`: of
/// a rank on cores, 0 for what the environment says.
[[nodiscard]] AffinityRequest affinity_request(const DeviceRequest& request, int threads);

/// Gives each rank what is asked for; the GPU is number `gpu` of its host, or that of the rank's place
/// there. Throws UsageError for words that exclude each other, EnvironmentError when there is no GPU, on
/// every rank. Collective.
[[nodiscard]] RankDevice open_rank_device(const Communicator& comm, const DeviceRequest& request,
                                          std::optional<int> gpu = std::nullopt);

}  // namespace halocline
