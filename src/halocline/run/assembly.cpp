// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reading, dividing, checking, exchanging, solving: one after the other, once or, for ranks that differ,
// twice.
#include "halocline/run/assembly.hpp"

#include <fmt/core.h>
#include <malloc.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "halocline/backend/device/plans/strategy.hpp"
#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/dist/exchange/device_halo.hpp"
#include "halocline/io/closure.hpp"
#include "halocline/io/partition_file.hpp"
#include "halocline/io/result_names.hpp"
#include "halocline/run/balance.hpp"
#include "halocline/run/footprint.hpp"
#include "halocline/run/halo.hpp"
#include "halocline/run/record.hpp"

namespace halocline::run {

namespace {

/// Duals are closed to round-off in double precision; files of single precision come to 1e-6.
constexpr double closure_tolerance = 1e-5;

Distribution divide(const SetupWork& work, const std::vector<double>& weights, LoadedMesh& loaded,
                    record::Setup& setup) {
    const Communicator& comm = work.comm;
    const Options& options = work.options;
    DistributeOptions choices;
    choices.partitioner = options.partitioner;
    choices.method = options.partitioner_method;
    choices.renumber = options.renumber;
    choices.keep_local_orders = comm.max(std::int64_t{is_device(work.rank.backend)}) == 0;
    choices.primary_set = loaded.mesh.levels.front().node_set;
    choices.graph_maps = {loaded.mesh.levels.front().edge_nodes};
    choices.coordinates = loaded.mesh.declaration.coordinates;  // of sets that the solver added
    for (const MgcfdLevel& level : loaded.mesh.levels) {
        if (!std::count(choices.coordinates.begin(), choices.coordinates.end(),
                        level.coordinates)) {
            choices.coordinates.push_back(level.coordinates);
        }
    }
    choices.weights = weights;
    if (!options.partition_file.empty() && comm.size() > 1) {
        choices.given_parts =
            read_partition(comm, options.partition_file, loaded.mesh.levels.front().nodes);
    }
    Distribution result = distribute(comm, std::move(loaded.mesh.declaration), choices);
    const double deferred_s = comm.max(finish_reading(comm, loaded.mesh));
    setup.read_s += deferred_s;
    setup.partition_s = result.report.partition_s + result.report.migrate_s - deferred_s;
    setup.renumber_s = result.report.renumber_s;
    setup.halo_s = result.report.halo_s;
    return result;
}

std::span<const double> values_of(const MeshPart& part, int dat) {
    const auto& values = part.dats[static_cast<std::size_t>(dat)].values;
    return {values.data(), values.size()};
}

std::span<const LocalIndex> targets_of(const MeshPart& part, int map) {
    const auto& targets = part.maps[static_cast<std::size_t>(map)].targets;
    return {targets.data(), targets.size()};
}

void check_duals(const Communicator& comm, const Options& options, const LoadedMesh& loaded,
                 const MeshPart& part, const Console& console) {
    if (options.mesh_check == MeshCheck::off) {
        return;
    }
    for (std::size_t l = 0; l < loaded.mesh.levels.size(); ++l) {
        const MgcfdLevel& level = loaded.mesh.levels[l];
        if (level.has_own_faces) {
            continue;
        }
        const ClosureDefect defect = check_closure(
            comm, {&part.sets[static_cast<std::size_t>(level.node_set)],
                   targets_of(part, level.edge_nodes), values_of(part, level.edge_weights),
                   targets_of(part, level.boundary_node), values_of(part, level.boundary_weights)});
        if (defect.relative <= closure_tolerance) {
            continue;
        }
        const std::string problem = fmt::format(
            "{}: the dual cell of node {} (counted from 0) is not closed (relative defect {:.1e}; "
            "a uniform flow would not stay uniform).",
            loaded.input.level_files[l], defect.node, defect.relative);
        if (options.mesh_check == MeshCheck::strict) {
            throw InputError(problem +
                             " Repair the mesh, or run it as it is with --mesh-check warn.");
        }
        console.warning(problem);
    }
}

ContextOptions context_options(const SetupWork& work, LoopTimes loop_times) {
    return {
        work.rank.backend,
        work.threads,
        work.options.overlap,
        work.rank.device.get(),
        {work.options.device_graph, loop_times, work.options.check_stale_reads, work.strategies},
        work.rank.compute.get()};
}

Assembly assemble_once(const SetupWork& work, LoadedMesh loaded, const std::vector<double>& weights,
                       LoopTimes loop_times) {
    const Communicator& comm = work.comm;
    RunRecord& record = work.record;
    if (comm.size() > 1) {
        work.console.line(fmt::format("Partitioning into {} ...", comm.size()));
    }
    const bool on_devices = comm.min(std::int64_t{is_device(work.rank.backend)}) != 0;
    work.solver_case.declare(comm, loaded, on_devices);
    Distribution distribution = divide(work, weights, loaded, record.setup);
    record.mesh.hash = loaded.mesh.hash;
    record.memory.distribute_over_share = peak_over_share(comm, record.memory);
    add_connectivity(comm, distribution.part, record.memory);
    check_duals(comm, work.options, loaded, distribution.part, work.console);

    const std::vector<MgcfdLevel>& levels = loaded.mesh.levels;
    const std::vector<HaloSample> exchanges = work.solver_case.exchanges(distribution.part, levels);
    record.settings.renumber = distribution.report.renumbering;
    record.partition = describe_partition(comm, work.options, distribution, levels);
    if (record.partition) {
        record.partition->prediction = predict_halo(comm, work.options, exchanges.front());
    }
    HaloSetup halo_setup =
        set_up_halo({comm, work.options, work.rank, work.console}, work.halo_scheme, exchanges);
    record.halo = std::move(halo_setup.record);
    Assembly made;
    made.probes = find_probes(
        comm, distribution.part.sets[static_cast<std::size_t>(levels.front().node_set)],
        values_of(distribution.part, levels.front().coordinates), work.options.probe_points);
    made.halo = std::move(halo_setup.exchange);
    made.context = std::make_unique<Context>(comm, *made.halo, context_options(work, loop_times));
    made.mesh =
        std::make_unique<Mesh>(std::move(distribution.part), layout_mode(work.rank.backend));
    made.solver = work.solver_case.start(*made.context, *made.mesh, loaded.input.level_files,
                                         work.rank.any());
    describe_shares(comm, made.solver->owned_elements(), weights, record);
    malloc_trim(0);  // what set-up left in small pieces
    return made;
}

bool needs_balance(const SetupWork& work) {
    return work.rank.mixed() && work.options.weights.empty() && work.options.partition_file.empty();
}

}  // namespace

LoadedMesh load_mesh(const Communicator& comm, const Options& options, const Case& solver_case,
                     record::Setup& setup) {
    const ScopedTimer timer(setup.read_s);
    LoadedMesh loaded;
    loaded.input =
        read_mgcfd_input(comm, in_directory(options.input_directory, options.input_file));
    if (!solver_case.is_multigrid()) {
        loaded.input.level_files.resize(1);
    }
    loaded.mesh = read_mgcfd_mesh(comm, loaded.input, options.input_directory,
                                  solver_case.reading(comm.size()));
    return loaded;
}

Assembly assemble(const SetupWork& work, LoadedMesh loaded) {
    if (!needs_balance(work)) {
        return assemble_once(work, std::move(loaded), work.options.weights,
                             work.options.loop_times);
    }
    std::vector<double> weights;
    {
        SetupWork probing = work;
        if (probing.halo_scheme == "auto") {
            probing.halo_scheme = device_halo_scheme_names().front();
        }
        const Assembly probe = assemble_once(probing, std::move(loaded), {}, LoopTimes::all);
        work.console.line(fmt::format("Measuring the ranks in {} cycles ...", probe_steps));
        weights = measure_weights(*probe.context, *probe.solver, work.record);
        print_ranks(work.record, work.console);
    }
    return assemble_once(work,
                         load_mesh(work.comm, work.options, work.solver_case, work.record.setup),
                         weights, work.options.loop_times);
}

}  // namespace halocline::run
