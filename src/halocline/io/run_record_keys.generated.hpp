// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Keys of run records, made by `python -m halocline.record.cpp src/halocline/io`.
// Change python/halocline/record and make it again.
#pragma once

#include <cstdint>

#include "halocline/io/run_record.generated.hpp"

namespace halocline::record {

// Each function calls visit(key, value) for all keys of a part, in their order.

template <class Visit>
void for_each_key(const Code& part, const Visit& visit) {
    visit("version", part.version);
    visit("git", part.git);
    visit("build_type", part.build_type);
    visit("arch", part.arch);
    visit("compiler", part.compiler);
}

template <class Visit>
void for_each_key(const Case& part, const Visit& visit) {
    visit("file", part.file);
    visit("hash", part.hash);
}

template <class Visit>
void for_each_key(const Host& part, const Visit& visit) {
    visit("name", part.name);
    visit("ranks", part.ranks);
    visit("cpu", part.cpu);
    visit("cores", part.cores);
    visit("memory_bytes", part.memory_bytes);
}

template <class Visit>
void for_each_key(const Device& part, const Visit& visit) {
    visit("host", part.host);
    visit("name", part.name);
    visit("memory_bytes", part.memory_bytes);
}

template <class Visit>
void for_each_key(const DeviceUse& part, const Visit& visit) {
    visit("to_device_copies", part.to_device_copies);
    visit("to_device_bytes", part.to_device_bytes);
    visit("to_host_copies", part.to_host_copies);
    visit("to_host_bytes", part.to_host_bytes);
    visit("graph", part.graph);
    visit("no_graph_because", part.no_graph_because);
    visit("launches_per_cycle", part.launches_per_cycle);
    visit("prepare_s", part.prepare_s);
}

template <class Visit>
void for_each_key(const Rank& part, const Visit& visit) {
    visit("rank", part.rank);
    visit("backend", part.backend);
    visit("device", part.device);
    visit("nodes", part.nodes);
    visit("weight", part.weight);
    visit("nodes_per_s", part.nodes_per_s);
}

template <class Visit>
void for_each_key(const Mpi& part, const Visit& visit) {
    visit("library", part.library);
    visit("standard", part.standard);
    visit("thread_level", part.thread_level);
    visit("gpu_aware", part.gpu_aware);
}

template <class Visit>
void for_each_key(const Binding& part, const Visit& visit) {
    visit("rank", part.rank);
    visit("host", part.host);
    visit("cpus", part.cpus);
    visit("numa_nodes", part.numa_nodes);
    visit("threads", part.threads);
    visit("gpu", part.gpu);
    visit("choice", part.choice);
}

template <class Visit>
void for_each_key(const Layout& part, const Visit& visit) {
    visit("ranks", part.ranks);
    visit("threads_per_rank", part.threads_per_rank);
    visit("threads_asked", part.threads_asked);
    visit("gpus", part.gpus);
    visit("bindings", part.bindings);
    visit("findings", part.findings);
}

template <class Visit>
void for_each_key(const Settings& part, const Visit& visit) {
    visit("solver", part.solver);
    visit("renumber", part.renumber);
    visit("simd_width", part.simd_width);
    visit("legacy_mode", part.legacy_mode);
    visit("strategies", part.strategies);
}

template <class Visit>
void for_each_key(const MeshLevel& part, const Visit& visit) {
    visit("level", part.level);
    visit("nodes", part.nodes);
    visit("edges", part.edges);
    visit("boundary_entries", part.boundary_entries);
}

template <class Visit>
void for_each_key(const Mesh& part, const Visit& visit) {
    visit("input", part.input);
    visit("name", part.name);
    visit("hash", part.hash);
    visit("levels", part.levels);
}

template <class Visit>
void for_each_key(const PartitionLevel& part, const Visit& visit) {
    visit("level", part.level);
    visit("edge_cut", part.edge_cut);
    visit("imbalance", part.imbalance);
    visit("import_exec", part.import_exec);
    visit("import_nonexec", part.import_nonexec);
}

template <class Visit>
void for_each_key(const Spread& part, const Visit& visit) {
    visit("min", part.min);
    visit("mean", part.mean);
    visit("max", part.max);
}

template <class Visit>
void for_each_key(const Prediction& part, const Visit& visit) {
    visit("latency_s", part.latency_s);
    visit("bytes_per_s", part.bytes_per_s);
    visit("origin", part.origin);
    visit("exchange_s", part.exchange_s);
    visit("run_s", part.run_s);
}

template <class Visit>
void for_each_key(const Partition& part, const Visit& visit) {
    visit("partitioner", part.partitioner);
    visit("requested", part.requested);
    visit("method", part.method);
    visit("library", part.library);
    visit("levels", part.levels);
    visit("neighbours", part.neighbours);
    visit("prediction", part.prediction);
}

template <class Visit>
void for_each_key(const HaloCounts& part, const Visit& visit) {
    visit("exchanges", part.exchanges);
    visit("messages", part.messages);
    visit("bytes", part.bytes);
    visit("overlapped", part.overlapped);
    visit("total_s", part.total_s);
    visit("hidden_s", part.hidden_s);
    visit("exposed_s", part.exposed_s);
}

template <class Visit>
void for_each_key(const NetworkModel& part, const Visit& visit) {
    visit("latency_us", part.latency_us);
    visit("gb_per_s", part.gb_per_s);
}

template <class Visit>
void for_each_key(const HaloLevel& part, const Visit& visit) {
    visit("level", part.level);
    visit("messages", part.messages);
    visit("elements", part.elements);
}

template <class Visit>
void for_each_key(const HaloTrial& part, const Visit& visit) {
    visit("scheme", part.scheme);
    visit("seconds", part.seconds);
    visit("noise_s", part.noise_s);
    visit("exchanges", part.exchanges);
    visit("messages", part.messages);
    visit("bytes", part.bytes);
    visit("device_copies", part.device_copies);
    visit("device_bytes", part.device_bytes);
    visit("verdict", part.verdict);
}

template <class Visit>
void for_each_key(const Halo& part, const Visit& visit) {
    visit("exchanges", part.exchanges);
    visit("messages", part.messages);
    visit("bytes", part.bytes);
    visit("overlapped", part.overlapped);
    visit("total_s", part.total_s);
    visit("hidden_s", part.hidden_s);
    visit("exposed_s", part.exposed_s);
    visit("scheme", part.scheme);
    visit("requested", part.requested);
    visit("reason", part.reason);
    visit("overlap", part.overlap);
    visit("network_model", part.network_model);
    visit("device_copies", part.device_copies);
    visit("device_bytes", part.device_bytes);
    visit("packing_s", part.packing_s);
    visit("levels", part.levels);
    visit("trials", part.trials);
}

template <class Visit>
void for_each_key(const Loop& part, const Visit& visit) {
    visit("name", part.name);
    visit("level", part.level);
    visit("set", part.set);
    visit("calls", part.calls);
    visit("seconds", part.seconds);
    visit("seconds_max", part.seconds_max);
    visit("elements", part.elements);
    visit("ns_per_element", part.ns_per_element);
    visit("bytes", part.bytes);
    visit("gb_per_s", part.gb_per_s);
    visit("percent_of_triad", part.percent_of_triad);
    visit("halo", part.halo);
    visit("ran_on", part.ran_on);
    visit("timed_calls", part.timed_calls);
    visit("strategy", part.strategy);
}

template <class Visit>
void for_each_key(const LinearLevel& part, const Visit& visit) {
    visit("nodes", part.nodes);
    visit("edges", part.edges);
}

template <class Visit>
void for_each_key(const LinearSolver& part, const Visit& visit) {
    visit("name", part.name);
    visit("method", part.method);
    visit("preconditioner", part.preconditioner);
    visit("levels", part.levels);
    visit("operator_complexity", part.operator_complexity);
    visit("solves", part.solves);
    visit("iterations", part.iterations);
    visit("mean_iterations", part.mean_iterations);
    visit("most_iterations", part.most_iterations);
    visit("last_rate", part.last_rate);
    visit("setup_s", part.setup_s);
    visit("solve_s", part.solve_s);
    visit("launches_per_iteration", part.launches_per_iteration);
}

template <class Visit>
void for_each_key(const Setup& part, const Visit& visit) {
    visit("read_s", part.read_s);
    visit("partition_s", part.partition_s);
    visit("renumber_s", part.renumber_s);
    visit("halo_s", part.halo_s);
    visit("plan_s", part.plan_s);
    visit("total_s", part.total_s);
}

template <class Visit>
void for_each_key(const Io& part, const Visit& visit) {
    visit("mode", part.mode);
    visit("sync_because", part.sync_because);
    visit("writes", part.writes);
    visit("bytes", part.bytes);
    visit("copied_s", part.copied_s);
    visit("blocked_s", part.blocked_s);
    visit("drained_s", part.drained_s);
    visit("written_s", part.written_s);
    visit("hidden_s", part.hidden_s);
    visit("deepest_queue", part.deepest_queue);
    visit("slowest_rank", part.slowest_rank);
    visit("staging_bytes", part.staging_bytes);
    visit("files", part.files);
    visit("checkpoint", part.checkpoint);
    visit("restarted_from", part.restarted_from);
    visit("restarted_after", part.restarted_after);
}

template <class Visit>
void for_each_key(const MemoryParts& part, const Visit& visit) {
    visit("program_bytes", part.program_bytes);
    visit("map_bytes", part.map_bytes);
    visit("id_bytes", part.id_bytes);
    visit("plan_bytes", part.plan_bytes);
    visit("copy_bytes", part.copy_bytes);
    visit("dat_bytes", part.dat_bytes);
    visit("rest_bytes", part.rest_bytes);
}

template <class Visit>
void for_each_key(const Memory& part, const Visit& visit) {
    visit("peak_rss_bytes", part.peak_rss_bytes);
    visit("fixed_bytes", part.fixed_bytes);
    visit("mesh_file_bytes", part.mesh_file_bytes);
    visit("peak_over_share", part.peak_over_share);
    visit("distribute_over_share", part.distribute_over_share);
    visit("parts", part.parts);
}

template <class Visit>
void for_each_key(const Norms& part, const Visit& visit) {
    visit("level", part.level);
    visit("dataset", part.dataset);
    visit("l2", part.l2);
    visit("min", part.min);
    visit("max", part.max);
}

template <class Visit>
void for_each_key(const ValueDifference& part, const Visit& visit) {
    visit("level", part.level);
    visit("values", part.values);
    visit("differing", part.differing);
    visit("over", part.over);
    visit("max_abs", part.max_abs);
    visit("max_rel", part.max_rel);
    visit("l2", part.l2);
    visit("l2_relative", part.l2_relative);
    visit("row", part.row);
    visit("column", part.column);
    visit("a_at", part.a_at);
    visit("b_at", part.b_at);
    visit("coordinates", part.coordinates);
}

template <class Visit>
void for_each_key(const Validation& part, const Visit& visit) {
    visit("passed", part.passed);
    visit("reference", part.reference);
    visit("bad_values", part.bad_values);
    visit("differences", part.differences);
}

template <class Visit>
void for_each_key(const MemoryBound& part, const Visit& visit) {
    visit("seconds", part.seconds);
    visit("share_of_flux", part.share_of_flux);
}

template <class Visit>
void for_each_key(const ExactError& part, const Visit& visit) {
    visit("l2", part.l2);
    visit("largest", part.largest);
    visit("pressure_l2", part.pressure_l2);
}

template <class Visit>
void for_each_key(const Results& part, const Visit& visit) {
    visit("cycles", part.cycles);
    visit("total_runtime_s", part.total_runtime_s);
    visit("compute_s", part.compute_s);
    visit("compute_cpu_s", part.compute_cpu_s);
    visit("rms", part.rms);
    visit("norms", part.norms);
    visit("validation", part.validation);
    visit("memory_bound", part.memory_bound);
    visit("exact_error", part.exact_error);
}

template <class Visit>
void for_each_key(const Failure& part, const Visit& visit) {
    visit("cycle", part.cycle);
    visit("level", part.level);
    visit("loop", part.loop);
    visit("node", part.node);
    visit("coordinates", part.coordinates);
}

template <class Visit>
void for_each_key(const Status& part, const Visit& visit) {
    visit("state", part.state);
    visit("exit_code", part.exit_code);
    visit("message", part.message);
    visit("failure", part.failure);
}

template <class Visit>
void for_each_key(const Record& part, const Visit& visit) {
    visit("schema", "halocline.record");
    visit("schema_version", std::int64_t{1});
    visit("program", part.program);
    visit("started", part.started);
    visit("code", part.code);
    visit("command", part.command);
    visit("working_directory", part.working_directory);
    visit("case", part.run_case);
    visit("hosts", part.hosts);
    visit("devices", part.devices);
    visit("device_use", part.device_use);
    visit("ranks", part.ranks);
    visit("mpi", part.mpi);
    visit("layout", part.layout);
    visit("backend", part.backend);
    visit("settings", part.settings);
    visit("mesh", part.mesh);
    visit("partition", part.partition);
    visit("halo", part.halo);
    visit("loops", part.loops);
    visit("linear_solvers", part.linear_solvers);
    visit("triad_gb_per_s", part.triad_gb_per_s);
    visit("setup", part.setup);
    visit("io", part.io);
    visit("memory", part.memory);
    visit("results", part.results);
    visit("status", part.status);
}

}  // namespace halocline::record
