// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Key names and order of run records.
#include <cmath>
#include <nlohmann/json.hpp>

#include "halocline/io/run_record.hpp"

namespace halocline {

namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json json_of(const std::optional<T>& value);
template <class T>
Json json_of(const std::vector<T>& values);

Json json_of(const std::string& value) { return value; }
Json json_of(bool value) { return value; }
Json json_of(int value) { return value; }
Json json_of(std::int64_t value) { return value; }
Json json_of(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json json_of(const record::Code& code) {
    return {{"version", code.version},
            {"git", json_of(code.git)},
            {"build_type", code.build_type},
            {"arch", code.arch},
            {"compiler", code.compiler}};
}

Json json_of(const record::Case& run_case) {
    return {{"file", run_case.file}, {"hash", json_of(run_case.hash)}};
}

Json json_of(const record::Host& host) {
    return {{"name", host.name},
            {"ranks", host.ranks},
            {"cpu", json_of(host.cpu)},
            {"cores", json_of(host.cores)},
            {"memory_bytes", json_of(host.memory_bytes)}};
}

Json json_of(const record::Device& device) {
    return {{"host", device.host},
            {"name", device.name},
            {"memory_bytes", json_of(device.memory_bytes)}};
}

Json json_of(const record::Rank& rank) {
    return {{"rank", rank.rank},
            {"backend", rank.backend},
            {"device", json_of(rank.device)},
            {"nodes", json_of(rank.nodes)},
            {"weight", json_of(rank.weight)},
            {"nodes_per_s", json_of(rank.nodes_per_s)}};
}

Json json_of(const record::DeviceUse& use) {
    return {{"to_device_copies", use.to_device_copies},
            {"to_device_bytes", use.to_device_bytes},
            {"to_host_copies", use.to_host_copies},
            {"to_host_bytes", use.to_host_bytes},
            {"graph", use.graph},
            {"no_graph_because", json_of(use.no_graph_because)},
            {"launches_per_cycle", use.launches_per_cycle},
            {"prepare_s", json_of(use.prepare_s)}};
}

Json json_of(const record::Mpi& mpi) {
    return {{"library", mpi.library},
            {"standard", json_of(mpi.standard)},
            {"thread_level", json_of(mpi.thread_level)},
            {"gpu_aware", json_of(mpi.gpu_aware)}};
}

Json json_of(const record::Binding& binding) {
    return {{"rank", binding.rank},
            {"host", binding.host},
            {"cpus", binding.cpus},
            {"numa_nodes", binding.numa_nodes},
            {"threads", json_of(binding.threads)},
            {"gpu", json_of(binding.gpu)},
            {"choice", binding.choice}};
}

Json json_of(const record::Layout& layout) {
    return {{"ranks", layout.ranks},
            {"threads_per_rank", layout.threads_per_rank},
            {"threads_asked", layout.threads_asked},
            {"gpus", layout.gpus},
            {"bindings", json_of(layout.bindings)},
            {"findings", json_of(layout.findings)}};
}

Json json_of(const record::Settings& settings) {
    Json strategies = Json::object();
    for (const auto& [loop, strategy] : settings.strategies) {
        strategies[loop] = strategy;
    }
    return {{"solver", settings.solver},
            {"renumber", settings.renumber},
            {"simd_width", settings.simd_width},
            {"legacy_mode", settings.legacy_mode},
            {"strategies", strategies}};
}

Json json_of(const record::MeshLevel& level) {
    return {{"level", level.level},
            {"nodes", level.nodes},
            {"edges", level.edges},
            {"boundary_entries", level.boundary_entries}};
}

Json json_of(const record::Mesh& mesh) {
    return {{"input", mesh.input},
            {"name", mesh.name},
            {"hash", json_of(mesh.hash)},
            {"levels", json_of(mesh.levels)}};
}

Json json_of(const record::Spread& spread) {
    return {
        {"min", json_of(spread.min)}, {"mean", json_of(spread.mean)}, {"max", json_of(spread.max)}};
}

Json json_of(const record::PartitionLevel& level) {
    return {{"level", level.level},
            {"edge_cut", level.edge_cut},
            {"imbalance", json_of(level.imbalance)},
            {"import_exec", level.import_exec},
            {"import_nonexec", level.import_nonexec}};
}

Json json_of(const record::Prediction& prediction) {
    return {{"latency_s", json_of(prediction.latency_s)},
            {"bytes_per_s", json_of(prediction.bytes_per_s)},
            {"origin", prediction.origin},
            {"exchange_s", json_of(prediction.exchange_s)},
            {"run_s", json_of(prediction.run_s)}};
}

Json json_of(const record::MemoryParts& parts) {
    return {{"program_bytes", parts.program}, {"map_bytes", parts.maps},
            {"id_bytes", parts.ids},          {"plan_bytes", parts.plans},
            {"copy_bytes", parts.copies},     {"dat_bytes", parts.dats},
            {"rest_bytes", parts.rest}};
}

Json json_of(const record::Memory& memory) {
    return {{"peak_rss_bytes", json_of(memory.peak_rss_bytes)},
            {"fixed_bytes", json_of(memory.fixed_bytes)},
            {"mesh_file_bytes", json_of(memory.mesh_file_bytes)},
            {"peak_over_share", json_of(memory.peak_over_share)},
            {"distribute_over_share", json_of(memory.distribute_over_share)},
            {"parts", json_of(memory.parts)}};
}

Json json_of(const record::Partition& partition) {
    return {
        {"partitioner", partition.partitioner},       {"requested", json_of(partition.requested)},
        {"method", json_of(partition.method)},        {"library", partition.library},
        {"levels", json_of(partition.levels)},        {"neighbours", json_of(partition.neighbours)},
        {"prediction", json_of(partition.prediction)}};
}

Json json_of(const record::HaloCounts& counts) {
    return {{"exchanges", counts.exchanges},
            {"messages", counts.messages},
            {"bytes", counts.bytes},
            {"overlapped", counts.overlapped},
            {"total_s", json_of(counts.total_s)},
            {"hidden_s", json_of(counts.hidden_s)},
            {"exposed_s", json_of(counts.exposed_s)}};
}

Json json_of(const record::HaloLevel& level) {
    return {{"level", level.level}, {"messages", level.messages}, {"elements", level.elements}};
}

Json json_of(const record::HaloTrial& trial) {
    return {{"scheme", trial.scheme},
            {"seconds", json_of(trial.seconds)},
            {"noise_s", json_of(trial.noise_s)},
            {"exchanges", trial.exchanges},
            {"messages", trial.messages},
            {"bytes", trial.bytes},
            {"device_copies", trial.device_copies},
            {"device_bytes", trial.device_bytes},
            {"verdict", trial.verdict}};
}

Json json_of(const record::NetworkModel& model) {
    return {{"latency_us", model.latency_us}, {"gb_per_s", model.gb_per_s}};
}

Json json_of(const record::Halo& halo) {
    return {{"scheme", halo.scheme},
            {"requested", json_of(halo.requested)},
            {"reason", json_of(halo.reason)},
            {"overlap", halo.overlap},
            {"network_model", json_of(halo.network_model)},
            {"exchanges", halo.exchanges},
            {"messages", halo.messages},
            {"bytes", halo.bytes},
            {"overlapped", halo.overlapped},
            {"device_copies", halo.device_copies},
            {"device_bytes", halo.device_bytes},
            {"total_s", json_of(halo.total_s)},
            {"hidden_s", json_of(halo.hidden_s)},
            {"exposed_s", json_of(halo.exposed_s)},
            {"packing_s", json_of(halo.packing_s)},
            {"levels", json_of(halo.levels)},
            {"trials", json_of(halo.trials)}};
}

Json json_of(const record::Loop& loop, const std::optional<double>& triad_gb_per_s) {
    std::optional<double> ns_per_element;
    std::optional<double> gb_per_s;
    std::optional<double> percent_of_triad;
    if (loop.elements > 0 && loop.timed_calls != 0) {
        ns_per_element = 1e9 * loop.seconds / static_cast<double>(loop.elements);
    }
    if (loop.seconds > 0.0) {
        gb_per_s = static_cast<double>(loop.bytes) / loop.seconds / 1e9;
    }
    if (gb_per_s && triad_gb_per_s && *triad_gb_per_s > 0.0) {
        percent_of_triad = 100.0 * *gb_per_s / *triad_gb_per_s;
    }
    return {{"name", loop.name},
            {"level", json_of(loop.level)},
            {"set", loop.set},
            {"calls", loop.calls},
            {"seconds", json_of(loop.seconds)},
            {"seconds_max", json_of(loop.seconds_max)},
            {"elements", loop.elements},
            {"ns_per_element", json_of(ns_per_element)},
            {"bytes", loop.bytes},
            {"gb_per_s", json_of(gb_per_s)},
            {"percent_of_triad", json_of(percent_of_triad)},
            {"halo", json_of(loop.halo)},
            {"ran_on", loop.ran_on},
            {"timed_calls", json_of(loop.timed_calls)},
            {"strategy", json_of(loop.strategy)}};
}

Json json_of(const record::Setup& setup) {
    return {{"read_s", json_of(setup.read_s)},         {"partition_s", json_of(setup.partition_s)},
            {"renumber_s", json_of(setup.renumber_s)}, {"halo_s", json_of(setup.halo_s)},
            {"plan_s", json_of(setup.plan_s)},         {"total_s", json_of(setup.total_s)}};
}

Json json_of(const record::Io& io) {
    return {{"mode", io.mode},
            {"sync_because", io.sync_because.empty() ? Json(nullptr) : Json(io.sync_because)},
            {"writes", io.writes},
            {"bytes", io.bytes},
            {"copied_s", json_of(io.copied_s)},
            {"blocked_s", json_of(io.blocked_s)},
            {"drained_s", json_of(io.drained_s)},
            {"written_s", json_of(io.written_s)},
            {"hidden_s", json_of(io.hidden_s)},
            {"deepest_queue", io.deepest_queue},
            {"slowest_rank", io.slowest_rank},
            {"staging_bytes", io.staging_bytes},
            {"files", json_of(io.files)},
            {"checkpoint", io.checkpoint.empty() ? Json(nullptr) : Json(io.checkpoint)},
            {"restarted_from", io.restarted_from.empty() ? Json(nullptr) : Json(io.restarted_from)},
            {"restarted_after", io.restarted_after}};
}

Json json_of(const record::Norms& norms) {
    return {{"level", norms.level},
            {"dataset", norms.dataset},
            {"l2", json_of(norms.l2)},
            {"min", json_of(norms.min)},
            {"max", json_of(norms.max)}};
}

Json json_of(const record::Difference& difference) {
    return {{"level", difference.level},
            {"values", difference.values},
            {"differing", difference.differing},
            {"over", difference.over},
            {"max_abs", json_of(difference.max_abs)},
            {"max_rel", json_of(difference.max_rel)},
            {"l2", json_of(difference.l2)},
            {"l2_relative", json_of(difference.l2_relative)},
            {"row", json_of(difference.row)},
            {"column", json_of(difference.column)},
            {"a_at", json_of(difference.a_at)},
            {"b_at", json_of(difference.b_at)},
            {"coordinates", json_of(difference.coordinates)}};
}

Json json_of(const record::Validation& validation) {
    return {{"passed", validation.passed},
            {"reference", validation.reference},
            {"bad_values", json_of(validation.bad_values)},
            {"differences", json_of(validation.differences)}};
}

Json json_of(const record::ExactError& error) {
    return {{"l2", json_of(error.l2)},
            {"largest", json_of(error.largest)},
            {"pressure_l2", json_of(error.pressure_l2)}};
}

Json json_of(const record::MemoryBound& bound) {
    return {{"seconds", json_of(bound.seconds)}, {"share_of_flux", json_of(bound.share_of_flux)}};
}

Json json_of(const record::LinearLevel& level) {
    return {{"nodes", level.nodes}, {"edges", level.edges}};
}

Json json_of(const record::LinearSolver& solver) {
    const double mean = solver.solves > 0 ? static_cast<double>(solver.iterations) /
                                                static_cast<double>(solver.solves)
                                          : 0.0;
    return {{"name", solver.name},
            {"method", solver.method},
            {"preconditioner", solver.preconditioner},
            {"levels", json_of(solver.levels)},
            {"operator_complexity", json_of(solver.operator_complexity)},
            {"solves", solver.solves},
            {"iterations", solver.iterations},
            {"mean_iterations", json_of(mean)},
            {"most_iterations", solver.most_iterations},
            {"last_rate", json_of(solver.last_rate)},
            {"setup_s", json_of(solver.setup_s)},
            {"solve_s", json_of(solver.solve_s)},
            {"launches_per_iteration", solver.launches_per_iteration}};
}

Json json_of(const record::Results& results) {
    return {{"cycles", results.cycles},
            {"total_runtime_s", json_of(results.total_runtime_s)},
            {"compute_s", json_of(results.compute_s)},
            {"compute_cpu_s", json_of(results.compute_cpu_s)},
            {"rms", json_of(results.rms)},
            {"norms", json_of(results.norms)},
            {"validation", json_of(results.validation)},
            {"memory_bound", json_of(results.memory_bound)},
            {"exact_error", json_of(results.exact_error)}};
}

Json json_of(const record::Failure& failure) {
    return {{"cycle", json_of(failure.cycle)},
            {"level", json_of(failure.level)},
            {"loop", json_of(failure.loop)},
            {"node", json_of(failure.node)},
            {"coordinates", json_of(failure.coordinates)}};
}

Json json_of(const record::Status& status) {
    return {{"state", status.state},
            {"exit_code", status.exit_code},
            {"message", json_of(status.message)},
            {"failure", json_of(status.failure)}};
}

template <class T>
Json json_of(const std::optional<T>& value) {
    return value ? json_of(*value) : Json(nullptr);
}

template <class T>
Json json_of(const std::vector<T>& values) {
    Json list = Json::array();
    for (const T& value : values) {
        list.push_back(json_of(value));
    }
    return list;
}

Json json_of(const RunRecord& run) {
    Json loops = Json::array();
    for (const record::Loop& loop : run.loops) {
        loops.push_back(json_of(loop, run.triad_gb_per_s));
    }
    Json json;
    json["schema"] = "halocline.record";
    json["schema_version"] = 1;
    json["program"] = run.program;
    json["started"] = run.started;
    json["code"] = json_of(run.code);
    json["command"] = json_of(run.command);
    json["working_directory"] = run.working_directory;
    json["case"] = json_of(run.run_case);
    json["hosts"] = json_of(run.hosts);
    json["devices"] = json_of(run.devices);
    json["device_use"] = json_of(run.device_use);
    json["ranks"] = json_of(run.ranks);
    json["mpi"] = json_of(run.mpi);
    json["layout"] = json_of(run.layout);
    json["backend"] = run.backend;
    json["settings"] = json_of(run.settings);
    json["mesh"] = json_of(run.mesh);
    json["partition"] = json_of(run.partition);
    json["halo"] = json_of(run.halo);
    json["loops"] = loops;
    json["linear_solvers"] = json_of(run.linear_solvers);
    json["triad_gb_per_s"] = json_of(run.triad_gb_per_s);
    json["setup"] = json_of(run.setup);
    json["io"] = json_of(run.io);
    json["memory"] = json_of(run.memory);
    json["results"] = json_of(run.results);
    json["status"] = json_of(run.status);
    return json;
}

}  // namespace

std::string to_json_text(const RunRecord& record) {
    // File names and arguments may hold any bytes; JSON text may not.
    return json_of(record).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace halocline
