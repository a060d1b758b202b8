// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The report as JSON, keys in the order of docs/formats/p2p-result.md.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "bench_parts/report_heading.hpp"
#include "halocline/core/output_file.hpp"
#include "halocline/memory/cuda_device.hpp"
#include "report.hpp"

namespace halocline::p2p {

namespace {

using json = nlohmann::ordered_json;

/// Sizes and rates that are not known are null, not 0.
json known(double value) { return value > 0.0 ? json(value) : json(nullptr); }
json known(const std::string& value) { return value.empty() ? json(nullptr) : json(value); }

json list_of(const std::vector<Evidence>& evidence) {
    json list = json::array();
    for (const Evidence& item : evidence) {
        list.push_back({{"what", item.what}, {"value", item.value}, {"source", item.source}});
    }
    return list;
}

std::string thread_level_text() {
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    const std::map<int, std::string> levels{{MPI_THREAD_SINGLE, "single"},
                                            {MPI_THREAD_FUNNELED, "funneled"},
                                            {MPI_THREAD_SERIALIZED, "serialized"},
                                            {MPI_THREAD_MULTIPLE, "multiple"}};
    return levels.at(level);
}

json device_json(const Report& report) {
    if (!report.device) {
        return {{"kind", "none"}, {"note", report.device_note}};
    }
    const DeviceInfo& device = *report.device;
    return {{"kind", device.kind},
            {"name", device.name},
            {"index", device.index},
            {"pci_bus_id", known(device.pci_bus_id)},
            {"memory_bytes", device.memory_bytes},
            {"details", device.details},
            {"pcie_bytes_per_s", known(device.pcie_bytes_per_s)},
            {"note", report.device_note}};
}

json pci_json(const PciDevice& device, const MachineMap& machine) {
    const auto node = static_cast<std::size_t>(std::max(device.numa, 0));
    return {
        {"name", device.name},
        {"pci_bus_id", device.pci_bus_id},
        {"numa_node", device.numa < 0 ? json(nullptr) : json(machine.numa_nodes[node].os_index)},
        {"near_cpus", cpu_list_text(device.near_cpus)},
        {"link_bytes_per_s", known(device.link_bytes_per_s)},
        {"wire_bytes_per_s", known(device.wire_bytes_per_s)}};
}

json machine_json(const MachineMap& machine) {
    json made{
        {"source", machine.source}, {"hwloc", machine.library}, {"cores", machine.cores.size()}};
    made["numa_nodes"] = json::array();
    for (const NumaNode& node : machine.numa_nodes) {
        made["numa_nodes"].push_back({{"node", node.os_index},
                                      {"cpus", cpu_list_text(node.cpus)},
                                      {"memory_bytes", node.memory_bytes}});
    }
    made["gpus"] = json::array();
    for (const PciDevice& gpu : machine.gpus) {
        made["gpus"].push_back(pci_json(gpu, machine));
    }
    made["nics"] = json::array();
    for (const PciDevice& nic : machine.nics) {
        made["nics"].push_back(pci_json(nic, machine));
    }
    made["numa_distance"] = machine.numa_distance;
    return made;
}

json binding_json(const Report& report) {
    json ranks = json::array();
    for (const RankBinding& rank : report.bindings) {
        ranks.push_back({{"rank", rank.rank},
                         {"host", rank.host},
                         {"cpus", cpu_list_text(rank.cpus)},
                         {"gpus", rank.gpus}});
    }
    json findings = json::array();
    for (const BindingFinding& finding : report.findings) {
        findings.push_back(
            {{"kind", finding.kind}, {"ranks", finding.ranks}, {"sentence", finding.sentence}});
    }
    return {{"choice", report.affinity.sentence},
            {"warnings", report.affinity.warnings},
            {"ranks_of_host", ranks},
            {"findings", findings}};
}

json limits_json(const Limits& limits) {
    json memcpy_rates = json::array();
    for (const auto& [bytes, rate] : limits.memcpy_bytes_per_s) {
        memcpy_rates.push_back({{"bytes", bytes}, {"bytes_per_s", rate}});
    }
    return {{"triad_bytes_per_s", known(limits.triad_bytes_per_s)},
            {"memcpy", memcpy_rates},
            {"device_to_host_bytes_per_s", known(limits.to_host_bytes_per_s)},
            {"host_to_device_bytes_per_s", known(limits.to_device_bytes_per_s)},
            {"on_device_bytes_per_s", known(limits.on_device_bytes_per_s)},
            {"network_bytes_per_s", known(limits.network_bytes_per_s.value_or(0.0))},
            {"network_evidence", limits.network_evidence}};
}

json row_json(const Row& row) {
    return {{"path", row.path},
            {"pattern", row.pattern},
            {"bytes", row.bytes},
            {"window", row.window},
            {"pairs", row.pairs},
            {"buffers", row.distinct ? "distinct" : "reused"},
            {"messages", row.messages},
            {"iteration_bytes", row.iteration_bytes},
            {"block_bytes", row.block},
            {"first_s", row.first_s},
            {"samples", row.time.samples},
            {"batch", row.time.batch},
            {"min_s", row.time.min_s},
            {"median_s", row.time.median_s},
            {"p99_s", row.time.p99_s},
            {"max_s", row.time.max_s},
            {"bytes_per_s", row.bytes_per_s},
            {"percent_of_limit", known(row.percent_of_limit)},
            {"checked_bytes", row.checked_bytes},
            {"link_copies", row.copies.link_copies()},
            {"link_bytes", row.copies.link_bytes()},
            {"on_device_copies", row.copies.on_device_copies},
            {"on_device_bytes", row.copies.on_device_bytes}};
}

json sweep_json(const Report& report) {
    json rows = json::array();
    for (const SweepRow& row : report.sweep) {
        json blocks = json::array();
        for (std::size_t k = 0; k < row.blocks.size(); ++k) {
            blocks.push_back({{"block_bytes", row.blocks[k]}, {"median_s", row.block_s[k]}});
        }
        rows.push_back({{"bytes", row.bytes},
                        {"staged_s", row.staged_s},
                        {"blocks", blocks},
                        {"best_block_bytes", row.best_block},
                        {"confirmed_staged_s", row.confirmed_staged_s},
                        {"confirmed_best_s", row.confirmed_best_s},
                        {"default_s", row.default_s ? json(*row.default_s) : json(nullptr)}});
    }
    return {{"rows", rows}, {"written_to", known(report.blocks_file)}};
}

void add_results(const Report& report, json& made) {
    made["paths"] = json::array();
    for (const PathState& path : report.paths) {
        made["paths"].push_back({{"name", path.name},
                                 {"state", path.refusal.empty() ? "ran" : "refused"},
                                 {"reason", known(path.refusal)},
                                 {"traffic", known(path.traffic)},
                                 {"limit", known(path.limit)}});
    }
    made["patterns_left_out"] = json::array();
    for (const auto& [name, reason] : report.pattern_refusals) {
        made["patterns_left_out"].push_back({{"name", name}, {"reason", reason}});
    }
    made["rows"] = json::array();
    for (const Row& row : report.rows) {
        made["rows"].push_back(row_json(row));
    }
    made["judge"] = json::array();
    for (const JudgeRow& row : report.judge) {
        made["judge"].push_back({{"bytes", row.bytes},
                                 {"plain_s", row.plain_s},
                                 {"host_s", row.host_s},
                                 {"ratio", row.ratio()}});
    }
}

}  // namespace

std::string capabilities_text(const Communicator& comm) {
    const std::string cuda = cuda_build_version();
    const CudaDevices gpus = find_cuda_devices();
    const GpuAwareness mpi = query_gpu_awareness(describe_transport(comm));
    const json made{{"cuda_build", cuda.empty() ? json() : json(cuda)},
                    {"gpus", gpus.pci_bus_ids},
                    {"gpus_evidence", gpus.evidence},
                    {"mpi_takes_device_pointers", mpi.aware},
                    {"mpi_evidence", mpi.evidence}};
    return made.dump(2) + "\n";
}

std::string to_json_text(const Report& report) {
    json made = bench_parts::report_heading("halocline-p2p-result", 2);
    made["started"] = report.started;
    made["command"] = report.options.command;
    made["host"] = report.host;
    made["ranks"] = report.ranks;
    made["thread_level"] = thread_level_text();
    made["one_host"] = report.one_host;
    made["device"] = device_json(report);
    made["blocks_origin"] = report.blocks_origin;
    made["transport"] = list_of(report.transport);
    made["gpu_aware_mpi"] = {{"aware", report.gpu_awareness.aware},
                             {"evidence", report.gpu_awareness.evidence}};
    made["gpudirect_rdma"] = {{"verdict", report.rdma_verdict}, {"evidence", list_of(report.rdma)}};
    made["topology"] = machine_json(report.machine);
    made["affinity"] = binding_json(report);
    made["limits"] = limits_json(report.limits);
    add_results(report, made);
    made["sweep"] = report.sweep.empty() ? json(nullptr) : sweep_json(report);
    return made.dump(1) + "\n";
}

void write_json(const Communicator& comm, const Report& report, const std::string& path) {
    run_agreed(comm, [&] {
        if (comm.is_root()) {
            replace_file(path, to_json_text(report));
        }
    });
}

}  // namespace halocline::p2p
