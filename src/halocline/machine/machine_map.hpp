// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Cores, NUMA nodes, GPUs and network cards of a machine, and which lie near each other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace halocline {

/// Hardware threads by the operating system's numbers, ascending.
using CpuList = std::vector<int>;

/// A part of memory with the cores near it.
struct NumaNode {
    int os_index = 0;               ///< the operating system's number
    CpuList cpus;                   ///< near this memory
    std::int64_t memory_bytes = 0;  ///< of this node
};

/// A core.
struct Core {
    CpuList cpus;  ///< its hardware threads
    int numa = 0;  ///< place in MachineMap::numa_nodes
};

/// A GPU or a network card.
struct PciDevice {
    std::string name;        ///< model, or the system's name of a card
    std::string pci_bus_id;  ///< 0000:3b:00.0
    int numa = -1;           ///< place in MachineMap::numa_nodes; -1: near no node in particular
    CpuList near_cpus;       ///< cpus near the device
    double link_bytes_per_s = 0.0;  ///< PCIe link now, as the system reports it; 0: unknown
    double wire_bytes_per_s = 0.0;  ///< rate of a network card; 0: unknown
};

/// What a host consists of, as far as placement needs it.
struct MachineMap {
    std::string source;                ///< "this machine", a file name, a synthetic description
    bool this_machine = true;          ///< false: nothing can be bound by it
    std::string library;               ///< hwloc's version
    std::vector<NumaNode> numa_nodes;  ///< in the order of the operating system
    std::vector<Core> cores;           ///< in the order of their first cpus
    std::vector<PciDevice> gpus;       ///< in order of PCI bus ids
    std::vector<PciDevice> nics;       ///< network cards, in order of PCI bus ids
    std::vector<std::vector<std::uint64_t>> numa_distance;  ///< empty when the system reports none

    /// Cpus of all cores, ascending.
    [[nodiscard]] CpuList all_cpus() const;
    /// Places in `numa_nodes` that `cpus` touch.
    [[nodiscard]] std::vector<int> numa_nodes_of(const CpuList& cpus) const;
    /// Places in `cores` that `cpus` touch.
    [[nodiscard]] std::vector<int> cores_of(const CpuList& cpus) const;
};

/// By hwloc. Throws EnvironmentError when hwloc cannot read the machine.
[[nodiscard]] MachineMap read_machine();
/// From a file of `lstopo file.xml`. Throws InputError naming the file.
[[nodiscard]] MachineMap read_machine_file(const std::string& path);
/// From hwloc's synthetic description, e.g. "numa:4 core:16 pu:2". Throws UsageError.
[[nodiscard]] MachineMap read_synthetic_machine(const std::string& description);

/// 0-3,8 for people and for the kernel.
[[nodiscard]] std::string cpu_list_text(const CpuList& cpus);
/// Reads such a list. Throws InputError.
[[nodiscard]] CpuList parse_cpu_list(const std::string& text);

/// Text for a terminal: NUMA nodes with cores and memory, GPUs and cards with their node, distances.
[[nodiscard]] std::string machine_text(const MachineMap& machine);

}  // namespace halocline
