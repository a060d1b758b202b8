// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a map can be asked, and how it is printed.
#include "halocline/machine/machine_map.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

#include "halocline/core/error.hpp"

namespace halocline {

namespace {

bool overlap(const CpuList& a, const CpuList& b) {
    return std::any_of(a.begin(), a.end(),
                       [&](int cpu) { return std::binary_search(b.begin(), b.end(), cpu); });
}

std::string device_line(const MachineMap& machine, const char* kind, std::size_t place,
                        const PciDevice& device) {
    std::string line = fmt::format("  {} {}: {}", kind, place, device.name);
    if (!device.pci_bus_id.empty()) {
        line += ", " + device.pci_bus_id;
    }
    if (device.numa >= 0) {
        line += fmt::format(", NUMA node {} (cpus {})",
                            machine.numa_nodes[static_cast<std::size_t>(device.numa)].os_index,
                            cpu_list_text(device.near_cpus));
    } else {
        line += ", near no NUMA node in particular";
    }
    if (device.link_bytes_per_s > 0.0) {
        line += fmt::format(", PCIe {:.1f} GB/s", device.link_bytes_per_s * 1e-9);
    }
    if (device.wire_bytes_per_s > 0.0) {
        line += fmt::format(", {:.0f} Gb/s", device.wire_bytes_per_s * 8e-9);
    }
    return line + "\n";
}

std::string distance_table(const MachineMap& machine) {
    std::string text = "  NUMA distances (local 10):\n        ";
    for (const NumaNode& node : machine.numa_nodes) {
        text += fmt::format("{:>5}", node.os_index);
    }
    for (std::size_t row = 0; row < machine.numa_distance.size(); ++row) {
        text += fmt::format("\n    {:>4}", machine.numa_nodes[row].os_index);
        for (const std::uint64_t distance : machine.numa_distance[row]) {
            text += fmt::format("{:>5}", distance);
        }
    }
    return text + "\n";
}

}  // namespace

CpuList MachineMap::all_cpus() const {
    CpuList all;
    for (const Core& core : cores) {
        all.insert(all.end(), core.cpus.begin(), core.cpus.end());
    }
    std::sort(all.begin(), all.end());
    return all;
}

std::vector<int> MachineMap::numa_nodes_of(const CpuList& cpus) const {
    std::vector<int> places;
    for (std::size_t k = 0; k < numa_nodes.size(); ++k) {
        if (overlap(numa_nodes[k].cpus, cpus)) {
            places.push_back(static_cast<int>(k));
        }
    }
    return places;
}

std::vector<int> MachineMap::cores_of(const CpuList& cpus) const {
    std::vector<int> places;
    for (std::size_t k = 0; k < cores.size(); ++k) {
        if (overlap(cores[k].cpus, cpus)) {
            places.push_back(static_cast<int>(k));
        }
    }
    return places;
}

std::string cpu_list_text(const CpuList& cpus) {
    std::string text;
    for (std::size_t begin = 0; begin < cpus.size();) {
        std::size_t end = begin + 1;
        while (end < cpus.size() && cpus[end] == cpus[end - 1] + 1) {
            ++end;
        }
        text += text.empty() ? "" : ",";
        text += fmt::format("{}", cpus[begin]);
        if (end - begin > 1) {
            text += fmt::format("-{}", cpus[end - 1]);
        }
        begin = end;
    }
    return text;
}

CpuList parse_cpu_list(const std::string& text) {
    CpuList cpus;
    const char* at = text.c_str();
    const auto number = [&] {
        char* end = nullptr;
        const long value = std::strtol(at, &end, 10);
        validate<InputError>(end != at && value >= 0 && value < 1'000'000,
                             "'" + text + "' is not a list of cpus (it reads like 0-3,8).");
        at = end;
        return static_cast<int>(value);
    };
    while (*at != '\0' && *at != '\n') {
        const int first = number();
        int last = first;
        if (*at == '-') {
            ++at;
            last = number();
        }
        for (int cpu = first; cpu <= last; ++cpu) {
            cpus.push_back(cpu);
        }
        validate<InputError>(*at == ',' || *at == '\0' || *at == '\n',
                             "'" + text + "' is not a list of cpus (it reads like 0-3,8).");
        at += *at == ',' ? 1 : 0;
    }
    std::sort(cpus.begin(), cpus.end());
    cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
    return cpus;
}

std::string machine_text(const MachineMap& machine) {
    std::string text =
        fmt::format("topology of {} (hwloc {}): {} cores, {} hardware threads\n", machine.source,
                    machine.library, machine.cores.size(), machine.all_cpus().size());
    for (const NumaNode& node : machine.numa_nodes) {
        text += fmt::format("  NUMA node {}: cpus {}, {:.1f} GiB\n", node.os_index,
                            cpu_list_text(node.cpus),
                            static_cast<double>(node.memory_bytes) / (1 << 30));
    }
    for (std::size_t k = 0; k < machine.gpus.size(); ++k) {
        text += device_line(machine, "GPU", k, machine.gpus[k]);
    }
    for (std::size_t k = 0; k < machine.nics.size(); ++k) {
        text += device_line(machine, "NIC", k, machine.nics[k]);
    }
    if (machine.gpus.empty()) {
        text += "  no GPU\n";
    }
    if (machine.numa_distance.size() > 1) {
        text += distance_table(machine);
    }
    return text;
}

}  // namespace halocline
