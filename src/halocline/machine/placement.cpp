// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// GPUs by local rank, cores by nearness to the GPU.
#include "halocline/machine/placement.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>

#include "halocline/core/error.hpp"

namespace halocline {

namespace {

CpuList common(const CpuList& a, const CpuList& b) {
    CpuList both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return both;
}

/// Cpus of part `part` of `parts` even shares of the cores that `cpus` touch.
CpuList share_of(const MachineMap& machine, const CpuList& cpus, int part, int parts) {
    const std::vector<int> cores = machine.cores_of(cpus);
    const auto count = static_cast<int>(cores.size());
    if (count == 0) {
        return {};
    }
    int begin = static_cast<int>(std::int64_t{count} * part / parts);
    int end = static_cast<int>(std::int64_t{count} * (part + 1) / parts);
    if (parts > count) {
        begin = part % count;
        end = begin + 1;
    }
    CpuList shared;
    for (int k = begin; k < end; ++k) {
        const Core& core =
            machine.cores[static_cast<std::size_t>(cores[static_cast<std::size_t>(k)])];
        const CpuList usable = common(core.cpus, cpus);
        shared.insert(shared.end(), usable.begin(), usable.end());
    }
    std::sort(shared.begin(), shared.end());
    return shared;
}

std::vector<int> gpus_to_use(const MachineMap& machine, const PlacementRequest& request) {
    if (!request.use_gpus) {
        return {};
    }
    if (request.visible_gpus) {
        return *request.visible_gpus;
    }
    std::vector<int> all(machine.gpus.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
}

std::string reason_of(const MachineMap& machine, const Placement& placement, bool near) {
    if (placement.gpu < 0) {
        return "an even share of the cores, in order";
    }
    const PciDevice& gpu = machine.gpus[static_cast<std::size_t>(placement.gpu)];
    return near ? fmt::format("cores near GPU {} ({})", placement.visible_gpu, gpu.pci_bus_id)
                : fmt::format("GPU {} ({}) is near no core that may be used: an even share of all",
                              placement.visible_gpu, gpu.pci_bus_id);
}

}  // namespace

int gpu_of(int rank, int ranks, int gpus) {
    return ranks <= gpus ? rank : static_cast<int>(std::int64_t{rank} * gpus / ranks);
}

std::vector<Placement> plan_placement(const MachineMap& machine, const PlacementRequest& request) {
    const CpuList allowed = request.allowed_cpus.value_or(machine.all_cpus());
    const std::vector<int> gpus = gpus_to_use(machine, request);
    const auto gpu_count = static_cast<int>(gpus.size());
    validate<UsageError>(!request.gpu || gpu_count == 0 || *request.gpu < gpu_count,
                         fmt::format("GPU {} is asked for, but there are {} (numbers start at 0). "
                                     "Choose another.",
                                     request.gpu.value_or(0), gpu_count));
    std::vector<Placement> placements(static_cast<std::size_t>(request.ranks));
    std::vector<CpuList> wanted(placements.size(), allowed);
    std::vector<bool> near(placements.size(), false);
    for (int rank = 0; rank < request.ranks && gpu_count > 0; ++rank) {
        const auto r = static_cast<std::size_t>(rank);
        placements[r].visible_gpu = request.gpu.value_or(gpu_of(rank, request.ranks, gpu_count));
        placements[r].gpu = gpus[static_cast<std::size_t>(placements[r].visible_gpu)];
        const auto& device = machine.gpus[static_cast<std::size_t>(placements[r].gpu)];
        if (const CpuList close = common(device.near_cpus, allowed); !close.empty()) {
            wanted[r] = close;
            near[r] = true;
        }
    }
    std::map<CpuList, int> sharers;
    for (const CpuList& cpus : wanted) {
        ++sharers[cpus];
    }
    std::map<CpuList, int> served;
    for (std::size_t r = 0; r < placements.size(); ++r) {
        placements[r].cpus = share_of(machine, wanted[r], served[wanted[r]]++, sharers[wanted[r]]);
        placements[r].reason = reason_of(machine, placements[r], near[r]);
    }
    return placements;
}

std::optional<std::vector<int>> visible_gpus(const MachineMap& machine,
                                             const std::string& variable) {
    std::vector<int> places;
    for (std::size_t at = 0; at < variable.size();) {
        const std::size_t end = std::min(variable.find(',', at), variable.size());
        int place = 0;
        const auto [stop, error] =
            std::from_chars(variable.data() + at, variable.data() + end, place);
        if (error != std::errc() || stop != variable.data() + end) {
            return std::nullopt;
        }
        if (place < 0 || place >= static_cast<int>(machine.gpus.size())) {
            break;  // CUDA ignores what follows an invalid number
        }
        places.push_back(place);
        at = end + 1;
    }
    return places;
}

namespace {

/// The mask of `cpus` as Slurm wants it: hexadecimal, highest cpu first.
std::string mask_text(const CpuList& cpus) {
    std::string digits(static_cast<std::size_t>(cpus.empty() ? 1 : cpus.back() / 4 + 1), '0');
    for (const int cpu : cpus) {
        char& digit = digits[digits.size() - 1 - static_cast<std::size_t>(cpu / 4)];
        const int value = (digit <= '9' ? digit - '0' : digit - 'a' + 10) | (1 << (cpu % 4));
        digit = "0123456789abcdef"[value];
    }
    return fmt::format("0x{}", digits);
}

std::string plus_list(const CpuList& cpus) {
    std::string text;
    for (const int cpu : cpus) {
        text += fmt::format("{}{}", text.empty() ? "" : "+", cpu);
    }
    return text;
}

/// True when the plan is what launchers do by themselves: cores in order, all shares of one size.
bool is_in_order(const MachineMap& machine, const std::vector<Placement>& placements,
                 std::size_t& cores_each) {
    int next = 0;
    cores_each = machine.cores_of(placements.front().cpus).size();
    for (const Placement& placement : placements) {
        const std::vector<int> cores = machine.cores_of(placement.cpus);
        if (cores.size() != cores_each || cores.empty() || cores.front() != next ||
            cores.back() - cores.front() + 1 != static_cast<int>(cores.size())) {
            return false;
        }
        next = cores.back() + 1;
    }
    return true;
}

std::vector<LaunchLine> simple_lines(std::size_t ranks, std::size_t cores_each) {
    return {{"Open MPI",
             fmt::format("mpirun -n {} --map-by slot:PE={} --bind-to core", ranks, cores_each), ""},
            {"MPICH", fmt::format("mpiexec -n {} -bind-to core:{}", ranks, cores_each), ""},
            {"Slurm", fmt::format("srun -n {} -c {} --cpu-bind=cores", ranks, cores_each), ""}};
}

/// More ranks than cores: no binding helps, and launchers must be given the option.
std::vector<LaunchLine> oversubscribed_lines(std::size_t ranks) {
    return {{"Open MPI", fmt::format("mpirun -n {} --oversubscribe --bind-to none", ranks), ""},
            {"MPICH", fmt::format("mpiexec -n {} -bind-to none", ranks), ""},
            {"Slurm", fmt::format("srun -n {} --overcommit --cpu-bind=none", ranks), ""}};
}

}  // namespace

std::vector<LaunchLine> launch_lines(const MachineMap& machine,
                                     const std::vector<Placement>& placements) {
    validate<ContractError>(!placements.empty(), "no ranks were placed (the plan is empty).");
    if (placements.size() > machine.cores.size()) {
        return oversubscribed_lines(placements.size());
    }
    std::size_t cores_each = 0;
    if (is_in_order(machine, placements, cores_each)) {
        return simple_lines(placements.size(), cores_each);
    }
    std::string rankfile;
    std::string users;
    std::string masks;
    for (std::size_t rank = 0; rank < placements.size(); ++rank) {
        const CpuList& cpus = placements[rank].cpus;
        rankfile += fmt::format("rank {}=localhost slot={}\n", rank, cpu_list_text(cpus));
        users += fmt::format("{}{}", rank == 0 ? "" : ",", plus_list(cpus));
        masks += fmt::format("{}{}", rank == 0 ? "" : ",", mask_text(cpus));
    }
    const std::size_t ranks = placements.size();
    return {{"Open MPI",
             fmt::format("mpirun -n {} --mca rmaps_rank_file_physical 1 --rankfile "
                         "halocline.rankfile",
                         ranks),
             rankfile},
            {"MPICH", fmt::format("mpiexec -n {} -bind-to user:{}", ranks, users), ""},
            {"Slurm", fmt::format("srun -n {} --cpu-bind=mask_cpu:{}", ranks, masks), ""}};
}

}  // namespace halocline
