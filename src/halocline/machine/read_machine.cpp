// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Fills a machine map from hwloc.
#include <fmt/core.h>
#include <hwloc.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>

#include "halocline/core/error.hpp"
#include "halocline/machine/machine_map.hpp"

namespace halocline {

namespace {

/// A topology of hwloc, loaded by `prepare`, which picks where from.
class Topology {
public:
    template <class Prepare>
    explicit Topology(Prepare&& prepare) {
        hwloc_topology_init(&topology_);
        hwloc_topology_set_io_types_filter(topology_, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
        loaded_ = prepare(topology_) == 0 && hwloc_topology_load(topology_) == 0;
    }
    ~Topology() { hwloc_topology_destroy(topology_); }
    Topology(const Topology&) = delete;
    Topology& operator=(const Topology&) = delete;
    [[nodiscard]] bool loaded() const { return loaded_; }
    [[nodiscard]] hwloc_topology_t get() const { return topology_; }

private:
    hwloc_topology_t topology_ = nullptr;
    bool loaded_ = false;
};

CpuList cpus_of(hwloc_const_cpuset_t set) {
    CpuList cpus;
    if (set == nullptr) {
        return cpus;
    }
    for (int cpu = hwloc_bitmap_first(set); cpu >= 0; cpu = hwloc_bitmap_next(set, cpu)) {
        cpus.push_back(cpu);
    }
    return cpus;
}

/// Runs over all objects of one type.
template <class Visit>
void for_each(hwloc_topology_t topology, hwloc_obj_type_t type, Visit&& visit) {
    for (hwloc_obj_t object = hwloc_get_next_obj_by_type(topology, type, nullptr);
         object != nullptr; object = hwloc_get_next_obj_by_type(topology, type, object)) {
        visit(object);
    }
}

void add_numa_nodes(hwloc_topology_t topology, MachineMap& machine) {
    for_each(topology, HWLOC_OBJ_NUMANODE, [&](hwloc_obj_t node) {
        machine.numa_nodes.push_back(
            {static_cast<int>(node->os_index), cpus_of(node->cpuset),
             static_cast<std::int64_t>(node->attr->numanode.local_memory)});
    });
}

void add_cores(hwloc_topology_t topology, MachineMap& machine) {
    // Machines may report hardware threads but no cores; each then counts as a core.
    const bool has_cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0;
    for_each(topology, has_cores ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU, [&](hwloc_obj_t core) {
        Core made{cpus_of(core->cpuset), 0};
        const std::vector<int> nodes = machine.numa_nodes_of(made.cpus);
        made.numa = nodes.empty() ? 0 : nodes.front();
        machine.cores.push_back(std::move(made));
    });
}

/// Display and 3D controllers of vendors whose cards compute; consoles of servers are no GPUs.
bool is_gpu(const hwloc_obj_attr_u::hwloc_pcidev_attr_s& pci) {
    constexpr unsigned nvidia = 0x10de;
    constexpr unsigned amd = 0x1002;
    constexpr unsigned intel = 0x8086;
    const bool display = (pci.class_id >> 8) == 0x03;
    const bool controller_3d = pci.class_id == 0x0302 || pci.class_id == 0x0380;
    return (display && (pci.vendor_id == nvidia || pci.vendor_id == amd)) ||
           (controller_3d && pci.vendor_id == intel) ||
           (pci.class_id == 0x1200 && pci.vendor_id == amd);  // processing accelerator
}

bool is_network(const hwloc_obj_attr_u::hwloc_pcidev_attr_s& pci) {
    return (pci.class_id >> 8) == 0x02 || pci.class_id == 0x0c06;  // 0c06: InfiniBand
}

std::string name_of(hwloc_obj_t device) {
    const char* model = hwloc_obj_get_info_by_name(device, "PCIDevice");
    if (model != nullptr) {
        return model;
    }
    const auto& pci = device->attr->pcidev;
    return fmt::format("PCI device {:04x}:{:04x}", pci.vendor_id, pci.device_id);
}

/// Names that the system gives to parts of a card: eth0, mlx5_0.
std::string system_names(hwloc_obj_t device) {
    std::string names;
    for (hwloc_obj_t child = device->io_first_child; child != nullptr;
         child = child->next_sibling) {
        if (child->type == HWLOC_OBJ_OS_DEVICE && child->name != nullptr) {
            names += fmt::format("{}{}", names.empty() ? "" : " ", child->name);
        }
    }
    return names;
}

/// What the kernel says of an interface [bytes a second]; 0 where it says nothing.
double wire_rate(const std::string& names) {
    const std::string first = names.substr(0, names.find(' '));
    double megabits = 0.0;
    std::ifstream("/sys/class/net/" + first + "/speed") >> megabits;
    return megabits > 0.0 ? megabits * 1e6 / 8.0 : 0.0;
}

PciDevice describe(hwloc_topology_t topology, hwloc_obj_t device, const MachineMap& machine) {
    const auto& pci = device->attr->pcidev;
    PciDevice made;
    made.name = name_of(device);
    made.pci_bus_id = fmt::format("{:04x}:{:02x}:{:02x}.{:01x}", static_cast<unsigned>(pci.domain),
                                  static_cast<unsigned>(pci.bus), static_cast<unsigned>(pci.dev),
                                  static_cast<unsigned>(pci.func));
    made.link_bytes_per_s = static_cast<double>(pci.linkspeed) * 1e9;
    const hwloc_obj_t place = hwloc_get_non_io_ancestor_obj(topology, device);
    if (place != nullptr) {
        made.near_cpus = cpus_of(place->cpuset);
        const std::vector<int> nodes = machine.numa_nodes_of(made.near_cpus);
        made.numa = nodes.size() == 1 ? nodes.front() : -1;
    }
    return made;
}

void add_devices(hwloc_topology_t topology, MachineMap& machine) {
    for (hwloc_obj_t device = hwloc_get_next_pcidev(topology, nullptr); device != nullptr;
         device = hwloc_get_next_pcidev(topology, device)) {
        const auto& pci = device->attr->pcidev;
        if (is_gpu(pci)) {
            machine.gpus.push_back(describe(topology, device, machine));
        } else if (is_network(pci)) {
            PciDevice card = describe(topology, device, machine);
            const std::string names = system_names(device);
            card.wire_bytes_per_s = machine.this_machine ? wire_rate(names) : 0.0;
            card.name = names.empty() ? card.name : fmt::format("{}, {}", names, card.name);
            machine.nics.push_back(std::move(card));
        }
    }
    const auto by_bus = [](const PciDevice& a, const PciDevice& b) {
        return a.pci_bus_id < b.pci_bus_id;
    };
    std::sort(machine.gpus.begin(), machine.gpus.end(), by_bus);
    std::sort(machine.nics.begin(), machine.nics.end(), by_bus);
}

void add_distances(hwloc_topology_t topology, MachineMap& machine) {
    unsigned count = 1;
    hwloc_distances_s* found = nullptr;
    if (hwloc_distances_get_by_name(topology, "NUMALatency", &count, &found, 0) != 0 || count < 1) {
        return;
    }
    if (found->nbobjs == machine.numa_nodes.size()) {
        for (unsigned row = 0; row < found->nbobjs; ++row) {
            const auto* begin = found->values + std::size_t{row} * found->nbobjs;
            machine.numa_distance.emplace_back(begin, begin + found->nbobjs);
        }
    }
    hwloc_distances_release(topology, found);
}

std::string hwloc_version() {
    const unsigned version = hwloc_get_api_version();
    return fmt::format("{}.{}.{}", version >> 16, (version >> 8) & 0xff, version & 0xff);
}

MachineMap make_map(const Topology& topology, const std::string& source) {
    MachineMap machine;
    machine.source = source;
    machine.library = hwloc_version();
    machine.this_machine = hwloc_topology_is_thissystem(topology.get()) != 0;
    add_numa_nodes(topology.get(), machine);
    add_cores(topology.get(), machine);
    add_devices(topology.get(), machine);
    add_distances(topology.get(), machine);
    return machine;
}

}  // namespace

MachineMap read_machine() {
    const Topology topology([](hwloc_topology_t) { return 0; });
    validate<EnvironmentError>(topology.loaded(),
                               "hwloc cannot read this machine (hwloc_topology_load failed). "
                               "Check that /sys is mounted.");
    return make_map(topology, "this machine");
}

MachineMap read_machine_file(const std::string& path) {
    const Topology topology(
        [&](hwloc_topology_t made) { return hwloc_topology_set_xml(made, path.c_str()); });
    validate<InputError>(topology.loaded(), path +
                                                ": cannot be read as a topology (it is missing, or "
                                                "no XML of hwloc 2). Write it with: lstopo " +
                                                path);
    return make_map(topology, path);
}

MachineMap read_synthetic_machine(const std::string& description) {
    const Topology topology([&](hwloc_topology_t made) {
        return hwloc_topology_set_synthetic(made, description.c_str());
    });
    validate<UsageError>(topology.loaded(),
                         fmt::format("'{}' is not a synthetic topology of hwloc. Write e.g. "
                                     "'numa:4 core:16 pu:2'.",
                                     description));
    return make_map(topology, fmt::format("'{}'", description));
}

}  // namespace halocline
