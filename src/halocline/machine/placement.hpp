// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Which GPU and which cores a rank of this host should have.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "halocline/machine/machine_map.hpp"

namespace halocline {

/// What `plan_placement` plans for.
struct PlacementRequest {
    int ranks = 1;  ///< on this host
    /// Places in MachineMap::gpus that ranks may use, in the order in which programs number them;
    /// none: all.
    std::optional<std::vector<int>> visible_gpus;
    /// The number, among these, that every rank takes; none: by the rank's place on the host.
    std::optional<int> gpu;
    bool use_gpus = true;  ///< whether ranks compute on GPUs
    /// Cpus that ranks may use; none: all of the machine.
    std::optional<CpuList> allowed_cpus;
};

/// Where one rank is to lie.
struct Placement {
    int gpu = -1;          ///< place in MachineMap::gpus; -1: no GPU
    int visible_gpu = -1;  ///< its number for the program (CUDA device index)
    CpuList cpus;          ///< that it may run on
    std::string reason;    ///< one sentence
};

/// Number of the GPU, among `gpus`, for a rank of the host: its own while there are enough, else
/// neighbouring ranks share one.
[[nodiscard]] int gpu_of(int rank, int ranks, int gpus);

/// One entry a rank of the host. Rank r of R gets GPU r while there are enough, else neighbouring
/// ranks share one. Cores are those nearest to the GPU, divided evenly among the ranks that are near
/// the same cores; without GPUs all cores are divided in order. Whole cores only; ranks share a core
/// only when there are more ranks than cores.
[[nodiscard]] std::vector<Placement> plan_placement(const MachineMap& machine,
                                                    const PlacementRequest& request);

/// Places in MachineMap::gpus that CUDA_VISIBLE_DEVICES (or a like variable) leaves, in its order.
/// Numbers count in PCI order; ids of other forms (GPU-…, MIG-…) cannot be resolved here and give
/// none.
[[nodiscard]] std::optional<std::vector<int>> visible_gpus(const MachineMap& machine,
                                                           const std::string& variable);

/// How to start `ranks` ranks of `threads` threads a host so that they lie as planned.
struct LaunchLine {
    std::string launcher;  ///< Open MPI, MPICH, Slurm
    std::string words;     ///< options to write before the program
    /// Contents of halocline.rankfile; empty when none is needed. In an allocation of a scheduler
    /// `localhost` has to be the name of the host.
    std::string file;
};
/// Command lines of the launchers that are known, one each.
[[nodiscard]] std::vector<LaunchLine> launch_lines(const MachineMap& machine,
                                                   const std::vector<Placement>& placements);

}  // namespace halocline
