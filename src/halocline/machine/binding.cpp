// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rules of binding; each checks all ranks of one host.
#include "halocline/machine/binding.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

namespace halocline {

namespace {

std::string ranks_text(const std::vector<int>& ranks) {
    return (ranks.size() == 1 ? "rank " : "ranks ") + cpu_list_text(ranks);
}

bool is_bound(const MachineMap& machine, const RankBinding& rank) {
    return machine.cores_of(rank.cpus).size() < machine.cores.size();
}

void find_unbound(const MachineMap& machine, const std::vector<RankBinding>& ranks,
                  std::vector<BindingFinding>& findings) {
    BindingFinding finding{"unbound", {}, ""};
    for (const RankBinding& rank : ranks) {
        if (!is_bound(machine, rank)) {
            finding.ranks.push_back(rank.rank);
        }
    }
    if (ranks.size() > 1 && !finding.ranks.empty() && machine.cores.size() > 1) {
        finding.sentence = fmt::format(
            "{} may run on all {} cores: the kernel moves them about, and away from their memory.",
            ranks_text(finding.ranks), machine.cores.size());
        findings.push_back(finding);
    }
}

/// Unbound ranks share every core by definition and are reported elsewhere.
void find_shared_cores(const MachineMap& machine, const std::vector<RankBinding>& ranks,
                       std::vector<BindingFinding>& findings) {
    std::map<int, std::set<int>> ranks_of_core;
    for (const RankBinding& rank : ranks) {
        if (!is_bound(machine, rank)) {
            continue;
        }
        for (const int core : machine.cores_of(rank.cpus)) {
            ranks_of_core[core].insert(rank.rank);
        }
    }
    std::map<std::set<int>, std::vector<int>> cores_of_ranks;
    for (const auto& [core, sharers] : ranks_of_core) {
        if (sharers.size() > 1) {
            cores_of_ranks[sharers].push_back(core);
        }
    }
    for (const auto& [sharers, cores] : cores_of_ranks) {
        CpuList cpus;
        for (const int core : cores) {
            const CpuList& more = machine.cores[static_cast<std::size_t>(core)].cpus;
            cpus.insert(cpus.end(), more.begin(), more.end());
        }
        std::sort(cpus.begin(), cpus.end());
        const std::vector<int> list(sharers.begin(), sharers.end());
        findings.push_back(
            {"shared_core", list,
             fmt::format("{} share {} (cpus {}): each waits while the other runs.",
                         ranks_text(list),
                         cores.size() == 1 ? "a core" : fmt::format("{} cores", cores.size()),
                         cpu_list_text(cpus))});
    }
}

void find_straddling(const MachineMap& machine, const std::vector<RankBinding>& ranks,
                     std::vector<BindingFinding>& findings) {
    for (const RankBinding& rank : ranks) {
        const std::vector<int> nodes = machine.numa_nodes_of(rank.cpus);
        if (is_bound(machine, rank) && nodes.size() > 1) {
            findings.push_back(
                {"straddles_numa",
                 {rank.rank},
                 fmt::format("rank {} has cores on {} NUMA nodes (cpus {}): part of its memory is "
                             "far from part of its threads.",
                             rank.rank, nodes.size(), cpu_list_text(rank.cpus))});
        }
    }
}

void find_gpu_faults(const MachineMap& machine, const std::vector<RankBinding>& ranks,
                     std::vector<BindingFinding>& findings) {
    std::map<int, std::vector<int>> users;
    bool known = false;
    for (const RankBinding& rank : ranks) {
        known = known || rank.gpu_known;
        for (const int gpu : rank.gpus) {
            users[gpu].push_back(rank.rank);
        }
    }
    if (!known) {
        return;
    }
    for (std::size_t gpu = 0; gpu < machine.gpus.size(); ++gpu) {
        const PciDevice& device = machine.gpus[gpu];
        const auto found = users.find(static_cast<int>(gpu));
        if (found == users.end()) {
            findings.push_back(
                {"idle_gpu",
                 {},
                 fmt::format("GPU {} ({}) is used by no rank.", gpu, device.pci_bus_id)});
        } else if (found->second.size() > 1) {
            findings.push_back({"shared_gpu", found->second,
                                fmt::format("{} share GPU {} ({}): without MPS they take turns.",
                                            ranks_text(found->second), gpu, device.pci_bus_id)});
        }
    }
    for (const RankBinding& rank : ranks) {
        for (const int gpu : rank.gpus) {
            const PciDevice& device = machine.gpus[static_cast<std::size_t>(gpu)];
            CpuList close;
            std::set_intersection(rank.cpus.begin(), rank.cpus.end(), device.near_cpus.begin(),
                                  device.near_cpus.end(), std::back_inserter(close));
            if (close.empty() && !device.near_cpus.empty()) {
                findings.push_back(
                    {"far_gpu",
                     {rank.rank},
                     fmt::format("rank {} runs on cpus {}, and its GPU {} is near cpus {}.",
                                 rank.rank, cpu_list_text(rank.cpus), gpu,
                                 cpu_list_text(device.near_cpus))});
            }
        }
    }
}

}  // namespace

std::vector<BindingFinding> judge_bindings(const MachineMap& machine,
                                           const std::vector<RankBinding>& ranks) {
    std::vector<BindingFinding> findings;
    find_unbound(machine, ranks, findings);
    find_shared_cores(machine, ranks, findings);
    find_straddling(machine, ranks, findings);
    find_gpu_faults(machine, ranks, findings);
    return findings;
}

}  // namespace halocline
