// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One call for the beginning of every program: GPU by local rank, cores near it, before MPI_Init.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/machine/local_rank.hpp"
#include "halocline/machine/machine_map.hpp"
#include "halocline/machine/placement.hpp"

namespace halocline {

/// What a program wants of the call.
struct AffinityRequest {
    bool use_gpu = false;  ///< the program computes on a GPU
    /// PCI ids of the GPUs in the order in which the runtime numbers them, where the program knows;
    /// otherwise CUDA_VISIBLE_DEVICES and PCI order decide.
    std::vector<std::string> gpu_bus_ids;
    /// The number of the GPU that is wanted; none: by the rank's place on its host.
    std::optional<int> gpu;
    int threads = 0;         ///< of this rank; 0: as many as the environment asks for
    bool may_spawn = false;  ///< the program may start others (MPI_Comm_spawn)
    /// Threads beside the main one call MPI. It costs small messages 12 to 33 %, so it is asked for
    /// where it is used alone (docs/decisions/0037-one-thread-asks-for-single.md).
    bool threads_call_mpi = false;
};

/// What was found and done.
struct Affinity {
    /// place among the ranks of this host; none: not started by a launcher
    std::optional<LocalRank> local;
    int gpu_index = 0;                  ///< number of the GPU to open; 0 when there is no choice
    std::string gpu_bus_id;             ///< empty: no GPU chosen
    CpuList cpus_before;                ///< the mask this process was started with
    CpuList cpus;                       ///< the mask now
    bool bound_by_launcher = false;     ///< the launcher restricted the mask
    bool bound_here = false;            ///< this call restricted the mask
    std::string sentence;               ///< for people: what was chosen and why
    std::vector<std::string> warnings;  ///< sentences for people, each a problem and what to do
};

/// Chooses GPU and cores of this process and binds it. To be called in main before MPI_Init and
/// before the first thread. A process that its launcher has bound keeps its cores; without a GPU
/// cores are left alone, too. HALOCLINE_AFFINITY=off binds nothing and chooses GPUs by number
/// alone, =force binds in every case. Never throws: what cannot be found out is a warning.
[[nodiscard]] Affinity place_process(const AffinityRequest& request);

/// What main does: `yield_when_oversubscribed`, `place_process`, its warnings on standard error (of a host's first rank only),
/// then `run_mpi_program` at the thread level that `threads` of the request need.
int run_placed_program(
    int argc, char** argv, const char* name, const AffinityRequest& request,
    const std::function<int(const Communicator&, const Affinity&, int, char**)>& program);

/// The mask of the calling thread.
[[nodiscard]] CpuList current_cpus();

/// Sets the mask of the calling thread; false (and errno) where the system does not give it.
bool bind_to(const CpuList& cpus);

/// Masks of all ranks on this rank's host, for `judge_bindings`. Collective.
struct RankBinding;
/// Masks of all ranks on this rank's host. Collective.
[[nodiscard]] std::vector<RankBinding> gather_bindings(const Communicator& comm,
                                                       const MachineMap& machine,
                                                       const Affinity& own);

}  // namespace halocline
