// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Collectors behind run_record.hpp.
#include "halocline/run/record.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "halocline/backend/reduce.hpp"
#include "halocline/core/build_info.hpp"
#include "halocline/core/utc_time.hpp"
#include "halocline/loop/exact_sum.hpp"
#include "halocline/run/divergence.hpp"
#include "halocline/run/halo.hpp"

namespace halocline::run {

RunRecord start_record(const Communicator& comm, const Options& options, Backend backend,
                       const Threads& threads) {
    RunRecord record;
    record.program = options.front_end;
    if (!options.case_file.empty()) {
        record.run_case = record::Case{options.case_file, std::nullopt};
    }
    record.started = utc_now();
    record.code = {std::string(build_info::version), std::string(build_info::git_describe),
                   std::string(build_info::build_type), std::string(build_info::arch),
                   std::string(build_info::compiler)};
    record.command = options.command;
    std::error_code ignored;
    record.working_directory = std::filesystem::current_path(ignored).string();
    record.hosts = describe_hosts(comm);
    record.mpi = describe_mpi();
    record.layout = {comm.size(), threads.given, threads.asked, 0};
    record.backend = backend_name(backend);
    record.settings.renumber = "none";
    record.settings.simd_width = backend == Backend::openmp ? pack_lanes : 1;
    return record;
}

record::Mesh describe_mesh(const MgcfdInput& input, const MgcfdMesh& mesh) {
    record::Mesh result{input.path, input.mesh_name, mesh.hash, {}};
    for (std::size_t l = 0; l < mesh.levels.size(); ++l) {
        const MgcfdLevel& level = mesh.levels[l];
        result.levels.push_back(
            {static_cast<int>(l), level.nodes, level.edges, level.boundary_entries});
    }
    return result;
}

namespace {

std::int64_t count_cut_edges(const MeshPart& part, const MgcfdLevel& level) {
    const auto& targets = part.maps[static_cast<std::size_t>(level.edge_nodes)].targets;
    const LocalIndex owned_nodes = part.sets[static_cast<std::size_t>(level.node_set)].owned;
    const LocalIndex owned_edges = part.sets[static_cast<std::size_t>(level.edge_set)].owned;
    std::int64_t cut = 0;
    for (LocalIndex e = 0; e < owned_edges; ++e) {
        const auto first = static_cast<std::size_t>(e) * 2;
        cut += targets[first] >= owned_nodes || targets[first + 1] >= owned_nodes ? 1 : 0;
    }
    return cut;
}

record::PartitionLevel describe_level(const Communicator& comm, const MeshPart& part,
                                      const MgcfdLevel& level, int index) {
    std::int64_t exec = 0;
    std::int64_t nonexec = 0;
    for (const int set : {level.node_set, level.edge_set, level.boundary_set}) {
        const SetPart& local = part.sets[static_cast<std::size_t>(set)];
        exec += local.exec - local.owned;
        nonexec += local.total - local.exec;
    }
    const SetPart& nodes = part.sets[static_cast<std::size_t>(level.node_set)];
    const double mean = static_cast<double>(nodes.global_size) / comm.size();
    const auto largest = static_cast<double>(comm.max(std::int64_t{nodes.owned}));
    return {index, comm.sum(count_cut_edges(part, level)), largest / mean, comm.sum(exec),
            comm.sum(nonexec)};
}

}  // namespace

std::optional<record::Partition> describe_partition(const Communicator& comm,
                                                    const Options& options,
                                                    const Distribution& distribution,
                                                    const std::vector<MgcfdLevel>& levels) {
    if (comm.size() == 1) {
        return std::nullopt;
    }
    const DistributeReport& report = distribution.report;
    record::Partition partition;
    partition.partitioner = report.partitioner;
    if (report.partitioner != options.partitioner) {
        partition.requested = options.partitioner;
    }
    partition.method = report.method;
    partition.library = report.library;
    for (std::size_t l = 0; l < levels.size(); ++l) {
        partition.levels.push_back(
            describe_level(comm, distribution.part, levels[l], static_cast<int>(l)));
    }
    const SetPart& nodes =
        distribution.part.sets[static_cast<std::size_t>(levels.front().node_set)];
    partition.neighbours = spread_of(comm, static_cast<double>(nodes.halo.neighbours.size()));
    return partition;
}

record::Status describe_failure(const Error& error) {
    record::Status status{"failed", static_cast<int>(error.code()), error.what(), std::nullopt};
    if (const auto* divergence = dynamic_cast<const DivergenceError*>(&error)) {
        status.state = "diverged";
        const auto& x = divergence->coordinates;
        status.failure = record::Failure{divergence->step, divergence->level, divergence->loop,
                                         divergence->node, std::vector<double>{x[0], x[1], x[2]}};
    }
    return status;
}

std::vector<record::Loop> collect_loops(const Communicator& comm, const LoopTable& table) {
    std::vector<record::Loop> loops;
    for (const LoopStatistics& row : table.rows()) {
        record::Loop& loop = loops.emplace_back();
        loop.name = row.name;
        if (row.level >= 0) {
            loop.level = row.level;
        }
        loop.set = row.set.substr(0, row.set.find("_L"));
        loop.calls = row.calls;
        loop.seconds = comm.sum(row.seconds) / comm.size();
        loop.seconds_max = comm.max(row.seconds);
        loop.elements = comm.sum(row.elements);
        loop.bytes = comm.sum(row.bytes);
        const record::HaloCounts halo = sum_ledger(comm, row.halo);
        if (halo.exchanges > 0) {
            loop.halo = halo;
        }
        const std::int64_t on_device = comm.sum(std::int64_t{row.on_device ? 1 : 0});
        if (on_device > 0) {
            loop.ran_on = on_device == comm.size() ? "device" : "both";
        }
        if (row.on_device) {
            loop.timed_calls = row.timed_calls;
        }
    }
    return loops;
}

namespace {

/// What the norms of one component are made of.
struct ComponentSum {
    ExactSum squares;
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void add(double value) {
        squares.add(value * value);
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

}  // namespace

std::vector<record::Norms> collect_norms(const Communicator& comm, const Solver& solver) {
    std::vector<record::Norms> norms;
    for (int level = 0; level < solver.levels(); ++level) {
        record::Norms entry;
        entry.level = level;
        entry.dataset = "variables";
        const DatStore& state = solver.state(level);
        std::vector<ComponentSum> sums(static_cast<std::size_t>(state.dim));
        // All components of an element at once: a row is one cache line.
        for (LocalIndex i = 0; i < state.set->owned; ++i) {
            for (int d = 0; d < state.dim; ++d) {
                sums[static_cast<std::size_t>(d)].add(state.at(i, d));
            }
        }
        for (ComponentSum& sum : sums) {
            const double total = sum_over_ranks(comm, sum.squares);
            entry.l2.push_back(std::sqrt(total / static_cast<double>(state.set->global_size)));
            entry.min.push_back(comm.min(sum.low));
            entry.max.push_back(comm.max(sum.high));
        }
        norms.push_back(std::move(entry));
    }
    return norms;
}

}  // namespace halocline::run
