// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What ranks are really bound to, and what is wrong with it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "halocline/machine/machine_map.hpp"

namespace halocline {

/// One rank as found on the running machine.
struct RankBinding {
    int rank = 0;                  ///< in the job
    std::string host;              ///< name of its host
    CpuList cpus;                  ///< the kernel's mask of the process
    std::vector<CpuList> threads;  ///< masks of its threads, where known
    std::vector<int> gpus;         ///< places in MachineMap::gpus that it has open or may see
    bool gpu_known = false;        ///< whether the rank says which GPU it uses
};

/// A fault, in one sentence; `kind` is for programs.
struct BindingFinding {
    std::string kind;  ///< shared_core, straddles_numa, idle_gpu, shared_gpu, far_gpu, unbound
    std::vector<int> ranks;  ///< that it concerns
    std::string sentence;    ///< for people: problem and what to do
};

/// Judges the ranks of one host. Several ranks on a core, a bound rank whose cores lie on several
/// NUMA nodes, ranks that are not bound at all while there are several, GPUs that no rank uses or
/// that several do, ranks far from their GPU.
[[nodiscard]] std::vector<BindingFinding> judge_bindings(const MachineMap& machine,
                                                         const std::vector<RankBinding>& ranks);

}  // namespace halocline
