// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What each rank computes on, cores or a device, and the devices' part of the record.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/io/run_record.hpp"
#include "halocline/machine/gpu_sharing.hpp"
#include "halocline/solver/mgcfd/solver.hpp"
#include "options.hpp"

namespace halocline::mgcfd {

/// This rank's device, and how many ranks of the job have one.
struct RankDevice {
    Backend backend = Backend::openmp;  ///< of this rank
    std::unique_ptr<Device> device;     ///< null on cores
    std::unique_ptr<Stream> compute;    ///< where its kernels run; null on cores
    int device_ranks = 0;               ///< in the job
    int ranks = 1;                      ///< in the job
    std::vector<GpuOfRank> gpus;        ///< by rank; without bus id on cores and emulated devices
    Ability peer_access;                ///< whether all devices reach each other's memory

    [[nodiscard]] bool any() const { return device_ranks > 0; }
    /// Whether ranks on cores and ranks on devices work together.
    [[nodiscard]] bool mixed() const { return any() && device_ranks < ranks; }
};

/// What to ask of `place_process` before MPI starts: a GPU for a rank that will take one.
[[nodiscard]] AffinityRequest affinity_request(const Options& options);

/// Gives each rank what --backend and --device ask for; the GPU is that of `options.affinity`.
/// Throws UsageError for words that exclude each other, EnvironmentError when there is no GPU, on
/// every rank. Collective.
[[nodiscard]] RankDevice open_rank_device(const Communicator& comm, const Options& options);

/// Names the back ends and devices of all ranks. Returns sentences for the user. Collective.
[[nodiscard]] std::vector<std::string> describe_devices(const Communicator& comm,
                                                        const RankDevice& rank, RunRecord& record);

/// Brings measured kernel times into the loop table, and says what the devices did in the cycles.
/// Collective.
void finish_devices(const Communicator& comm, Context& context, const Solver& solver,
                    const TransferCounts& before, RunRecord& record);

}  // namespace halocline::mgcfd
