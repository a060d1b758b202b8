// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// halocline-affinity: the map of a machine, where ranks should lie on it, and what is wrong with
// where they do. Needs no MPI library to run.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "halocline/core/build_info.hpp"
#include "halocline/core/error.hpp"
#include "halocline/core/print.hpp"
#include "halocline/core/standard_output.hpp"
#include "halocline/machine/binding.hpp"
#include "halocline/machine/machine_map.hpp"
#include "halocline/machine/placement.hpp"

namespace {

using namespace halocline;
using json = nlohmann::ordered_json;

constexpr const char* program = "halocline-affinity";

struct Options {
    std::string file;
    std::string synthetic;
    int ranks = 0;
    std::string visible;
    bool no_gpus = false;
    std::string judge;
    bool as_json = false;
};

MachineMap read_map(const Options& options) {
    validate<UsageError>(options.file.empty() || options.synthetic.empty(),
                         "--machine and --synthetic exclude each other. Give one of them.");
    if (!options.file.empty()) {
        return read_machine_file(options.file);
    }
    return options.synthetic.empty() ? read_machine() : read_synthetic_machine(options.synthetic);
}

/// One rank a GPU, or one a NUMA node on machines without.
int default_ranks(const MachineMap& machine, bool use_gpus) {
    const std::size_t gpus = use_gpus ? machine.gpus.size() : 0;
    return static_cast<int>(std::max<std::size_t>(gpus > 0 ? gpus : machine.numa_nodes.size(), 1));
}

std::vector<Placement> plan(const MachineMap& machine, const Options& options) {
    PlacementRequest request;
    request.use_gpus = !options.no_gpus;
    request.ranks = options.ranks > 0 ? options.ranks : default_ranks(machine, request.use_gpus);
    if (!options.visible.empty()) {
        request.visible_gpus = visible_gpus(machine, options.visible);
        validate<UsageError>(request.visible_gpus.has_value(),
                             "--visible takes numbers of GPUs in PCI order, e.g. 0,2 (names cannot "
                             "be resolved here).");
    }
    return plan_placement(machine, request);
}

/// Ranks as `halocline doctor --check-binding` found them.
std::vector<RankBinding> read_ranks(const std::string& path, const MachineMap& machine) {
    std::ifstream file(path);
    const json list = json::parse(file, nullptr, false);
    validate<InputError>(list.is_array(), path +
                                              ": cannot be read as a list of ranks. It is "
                                              "written by halocline doctor --check-binding.");
    std::vector<RankBinding> ranks;
    for (const json& entry : list) {
        RankBinding rank;
        rank.rank = entry.value("rank", 0);
        rank.cpus = parse_cpu_list(entry.value("cpus", std::string()));
        rank.gpu_known = entry.contains("gpus") && entry.at("gpus").is_array();
        for (std::size_t k = 0; rank.gpu_known && k < machine.gpus.size(); ++k) {
            for (const json& bus_id : entry.at("gpus")) {
                if (bus_id == machine.gpus[k].pci_bus_id) {
                    rank.gpus.push_back(static_cast<int>(k));
                }
            }
        }
        ranks.push_back(std::move(rank));
    }
    return ranks;
}

json device_json(const PciDevice& device, const MachineMap& machine) {
    json made{{"name", device.name}, {"pci_bus_id", device.pci_bus_id}};
    made["numa_node"] =
        device.numa < 0 ? json(nullptr)
                        : json(machine.numa_nodes[static_cast<std::size_t>(device.numa)].os_index);
    made["near_cpus"] = cpu_list_text(device.near_cpus);
    made["link_gb_per_s"] = device.link_bytes_per_s * 1e-9;
    made["wire_gbit_per_s"] = device.wire_bytes_per_s * 8e-9;
    return made;
}

json machine_json(const MachineMap& machine) {
    json made{{"source", machine.source},
              {"hwloc", machine.library},
              {"cores", machine.cores.size()},
              {"cpus", machine.all_cpus().size()}};
    made["numa_nodes"] = json::array();
    for (const NumaNode& node : machine.numa_nodes) {
        made["numa_nodes"].push_back({{"node", node.os_index},
                                      {"cpus", cpu_list_text(node.cpus)},
                                      {"memory_bytes", node.memory_bytes}});
    }
    made["gpus"] = json::array();
    for (const PciDevice& gpu : machine.gpus) {
        made["gpus"].push_back(device_json(gpu, machine));
    }
    made["nics"] = json::array();
    for (const PciDevice& nic : machine.nics) {
        made["nics"].push_back(device_json(nic, machine));
    }
    made["numa_distance"] = machine.numa_distance;
    return made;
}

json placements_json(const std::vector<Placement>& placements) {
    json list = json::array();
    for (std::size_t rank = 0; rank < placements.size(); ++rank) {
        const Placement& placement = placements[rank];
        list.push_back({{"rank", rank},
                        {"gpu", placement.gpu < 0 ? json(nullptr) : json(placement.gpu)},
                        {"cpus", cpu_list_text(placement.cpus)},
                        {"reason", placement.reason}});
    }
    return list;
}

json lines_json(const std::vector<LaunchLine>& lines) {
    json list = json::array();
    for (const LaunchLine& line : lines) {
        list.push_back(
            {{"launcher", line.launcher}, {"words", line.words}, {"rankfile", line.file}});
    }
    return list;
}

void print_text(const MachineMap& machine, const std::vector<Placement>& placements,
                const std::vector<LaunchLine>& lines) {
    say("{}\nplacement of {} ranks\n", machine_text(machine), placements.size());
    for (std::size_t rank = 0; rank < placements.size(); ++rank) {
        const Placement& placement = placements[rank];
        say("  rank {:>3}: cpus {:<16} {}\n", rank, cpu_list_text(placement.cpus),
            placement.reason);
    }
    say("\nlaunch lines\n");
    for (const LaunchLine& line : lines) {
        say("  {:<9} {} PROGRAM\n", line.launcher, line.words);
        if (!line.file.empty()) {
            say("  halocline.rankfile:\n{}", line.file);
        }
    }
}

int run(const Options& options) {
    const MachineMap machine = read_map(options);
    const std::vector<Placement> placements = plan(machine, options);
    const std::vector<LaunchLine> lines = launch_lines(machine, placements);
    json made{{"machine", machine_json(machine)},
              {"placements", placements_json(placements)},
              {"launch_lines", lines_json(lines)}};
    std::vector<BindingFinding> findings;
    if (!options.judge.empty()) {
        findings = judge_bindings(machine, read_ranks(options.judge, machine));
        made["findings"] = json::array();
        for (const BindingFinding& finding : findings) {
            made["findings"].push_back(
                {{"kind", finding.kind}, {"ranks", finding.ranks}, {"sentence", finding.sentence}});
        }
    }
    if (options.as_json) {
        say("{}\n", made.dump(2));
        return 0;
    }
    print_text(machine, placements, lines);
    for (const BindingFinding& finding : findings) {
        say("! {}\n", finding.sentence);
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    halocline::guard_streams();
    Options options;
    CLI::App app{"Cores, NUMA nodes, GPUs and network cards; where ranks should lie on them."};
    app.name(program);
    app.footer(
        "\nExamples:\n  halocline-affinity --ranks 4\n  halocline-affinity --machine "
        "node.xml --json\n  halocline-affinity --synthetic 'numa:4 core:16 pu:2' --ranks 8");
    app.set_version_flag("--version", fmt::format("halocline {}", build_info::version));
    app.add_option("--machine", options.file, "Topology file of lstopo instead of this machine")
        ->type_name("XML");
    app.add_option("--synthetic", options.synthetic, "hwloc's synthetic description instead");
    app.add_option("--ranks", options.ranks, "Ranks a host (default: one a GPU, or a NUMA node)")
        ->check(CLI::Range(1, 65536));
    app.add_option("--visible", options.visible, "As CUDA_VISIBLE_DEVICES: numbers, e.g. 0,2");
    app.add_flag("--no-gpus", options.no_gpus, "Place by cores alone");
    app.add_option("--judge", options.judge, "Ranks found on a machine")->type_name("FILE");
    app.add_flag("--json", options.as_json, "Print one JSON object");
    try {
        app.parse(argc, argv);
        return finish_output(program, run(options));
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) {
            std::ostringstream text;
            app.exit(error, text, text);
            say_text(text.str());
            return finish_output(program, 0);
        }
        print(stderr, "{}: {}. --help lists all flags.\n", program, error.what());
        return static_cast<int>(ExitCode::usage);
    } catch (const Error& error) {
        print(stderr, "{}: {}\n", program, error.what());
        return static_cast<int>(error.code());
    }
}
