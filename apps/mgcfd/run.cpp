// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The phases of a run in order; each phase is one function.
#include "run.hpp"

#include <fmt/core.h>
#include <malloc.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "balance.hpp"
#include "device.hpp"
#include "footprint.hpp"
#include "halo.hpp"
#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"
#include "halocline/core/stop_request.hpp"
#include "halocline/dist/device_halo.hpp"
#include "halocline/io/closure.hpp"
#include "halocline/io/field_writer.hpp"
#include "halocline/io/file_io_times.hpp"
#include "halocline/io/output_check.hpp"
#include "halocline/io/partition_file.hpp"
#include "halocline/io/result_names.hpp"
#include "machine.hpp"
#include "placement.hpp"
#include "run_record.hpp"
#include "validation.hpp"

namespace halocline::mgcfd {

namespace {

/// Duals are closed to round-off in double precision; files of single precision come to 1e-6.
constexpr double closure_tolerance = 1e-5;

struct Loaded {
    MgcfdInput input;
    MgcfdMesh mesh;
};

/// Before the mesh is read: a long load should not end in a usage error.
void check_partitioner(const Options& options, int ranks) {
    const PartitionMethod way = resolve_partition(options.partitioner, options.partitioner_method);
    validate<UsageError>(
        options.weights.empty() || static_cast<int>(options.weights.size()) == ranks,
        fmt::format("--weights has {} numbers for {} ranks (each rank has one). Give one number a "
                    "rank.",
                    options.weights.size(), ranks));
    validate<UsageError>(way.partitioner != "file" || !options.partition_file.empty() || ranks == 1,
                         "the partitioner 'file' needs a partition. Give --partition-file FILE.");
    validate<UsageError>(way.partitioner == "file" || options.partition_file.empty(),
                         "--partition-file is read by the partitioner 'file' only. Give -m file.");
}

Loaded load(const Communicator& comm, const Options& options, record::Setup& setup) {
    const ScopedTimer timer(setup.read_s);
    Loaded loaded;
    loaded.input =
        read_mgcfd_input(comm, in_directory(options.input_directory, options.input_file));
    loaded.mesh = read_mgcfd_mesh(comm, loaded.input, options.input_directory,
                                  {options.legacy_mode, true, comm.size() > 1});
    return loaded;
}

Distribution divide(const Communicator& comm, const Options& options,
                    const std::vector<double>& weights, Loaded& loaded, record::Setup& setup) {
    DistributeOptions choices;
    choices.partitioner = options.partitioner;
    choices.method = options.partitioner_method;
    choices.renumber = options.renumber;
    choices.primary_set = loaded.mesh.levels.front().node_set;
    choices.graph_map = loaded.mesh.levels.front().edge_nodes;
    for (const MgcfdLevel& level : loaded.mesh.levels) {
        choices.coordinates.push_back(level.coordinates);
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

void check_duals(const Communicator& comm, const Options& options, const Loaded& loaded,
                 const MeshPart& part, const Console& console) {
    if (options.mesh_check == MeshCheck::off) {
        return;
    }
    for (std::size_t l = 0; l < loaded.mesh.levels.size(); ++l) {
        const MgcfdLevel& level = loaded.mesh.levels[l];
        const ClosureDefect defect = check_closure(
            comm, {&part.sets[static_cast<std::size_t>(level.node_set)],
                   targets_of(part, level.edge_nodes), values_of(part, level.edge_weights),
                   targets_of(part, level.boundary_node), values_of(part, level.boundary_weights)});
        if (defect.relative <= closure_tolerance) {
            continue;
        }
        const std::string problem = fmt::format(
            "{}: the dual cell of node {} (counted from 0) is not closed (relative defect {:.1e}; "
            "a free stream would not stay one).",
            loaded.input.level_files[l], defect.node, defect.relative);
        if (options.mesh_check == MeshCheck::strict) {
            throw InputError(problem +
                             " Repair the mesh, or run it as it is with --mesh-check warn.");
        }
        console.warning(problem);
    }
}

/// Files a run leaves behind, and what writing them cost.
class Output {
public:
    Output(const Communicator& comm, const Options& options, record::Io& io)
        : comm_(comm), options_(options), io_(io) {}

    void write(const std::string& path, const std::string& dataset, const SetPart& set,
               RawDat dat) {
        const ScopedTimer timer(io_.blocked_s);
        io_.bytes += write_field(comm_, path, dataset, set, dat);
        io_.files.push_back(path);
    }

    void write_flow(int cycle, Level& finest) {
        write(flow_path(options_.output_prefix, cycle), flow_dataset, *finest.nodes.part,
              finest.q.store().raw());
    }

    /// `cycles` done, which files are named by, are fewer than asked for after an early stop.
    void write_results(Context& context, const Mesh& mesh, std::vector<Level>& levels, int cycles) {
        for (Level& level : levels) {
            if (options_.output_variables) {
                write_level("variables", level, level.q.store(), cycles);
            }
            if (options_.output_fluxes) {
                LaneDat zero =
                    mesh.make_dat<Node, double, variables, LaneStorage>(level.nodes, "fluxes");
                write_level("fluxes", level, zero.store(), cycles);
            }
            if (options_.output_step_factors) {
                NodeScalar factors = step_factors(context, mesh, level);
                write_level("step_factors", level, factors.store(), cycles);
            }
        }
    }

private:
    void write_level(const char* quantity, const Level& level, DatStore& store, int cycles) {
        write(result_path(options_.output_prefix, quantity, level.index, cycles),
              result_dataset(quantity, level.index), *level.nodes.part, store.raw());
    }

    const Communicator& comm_;
    const Options& options_;
    record::Io& io_;
};

void run_cycles(const Communicator& comm, const Options& options, Solver& solver, Output& output,
                const StopRequest& stop, record::Results& results, Console& console) {
    comm.barrier();
    const double start_s = wall_seconds();
    for (int cycle = 1; cycle <= options.cycles; ++cycle) {
        const bool writes_flow = options.flow_interval > 0 && cycle % options.flow_interval == 0;
        const double rms =
            writes_flow
                ? solver.run_cycle([&] { output.write_flow(cycle, solver.levels().front()); })
                : solver.run_cycle();
        results.rms.push_back(rms);
        results.cycles = cycle;
        console.progress(cycle, options.cycles, rms);
        if (cycle < options.cycles && stop.agreed(comm)) {
            break;
        }
    }
    results.compute_s = comm.max(wall_seconds() - start_s);
    results.total_runtime_s = results.compute_s;
    console.end_progress();
}

/// The rank's memory need shows in its peak; the mean over ranks would hide one that is full.
void finish_record(const Communicator& comm, Context& context, const HaloExchange& halo,
                   const HaloLedger& before, RunRecord& record) {
    collect_ledger(comm, halo, before, record.halo);
    record.loops = collect_loops(comm, context.loops());
    record.setup.plan_s = comm.max(context.plans().build_seconds());
    add_peak(comm, record.memory);
    if (record.partition && record.partition->prediction) {
        predict_run(comm, halo.ledger().since(before), *record.partition->prediction);
    }
    record.io.blocked_s = comm.max(record.io.blocked_s);
}

void explain_papi(const Options& options, const Console& console) {
    if (!options.papi_config_file.empty()) {
        console.line("Hardware counters are not available in this build, " +
                     options.papi_config_file +
                     " is not read (no PAPI). Loop times and counted bytes are in the record.");
    }
}

std::string method_in_use(const Options& options) {
    return resolve_partition(options.partitioner, options.partitioner_method).method;
}

std::string banner(const RunRecord& record) {
    return fmt::format("halocline {} ({}), {}: {} rank{} x {} thread{}, back end {}",
                       record.code.version, record.code.arch, record.mpi.library,
                       record.layout.ranks, record.layout.ranks == 1 ? "" : "s",
                       record.layout.threads_per_rank,
                       record.layout.threads_per_rank == 1 ? "" : "s", record.backend);
}

/// A divided mesh with all that runs on it.
struct Assembly {
    std::unique_ptr<HaloExchange> halo;
    std::unique_ptr<Context> context;
    std::unique_ptr<Mesh> mesh;
    std::unique_ptr<Solver> solver;
};

/// What the parts of a set-up are told, and where they note what they did.
struct SetupWork {
    const Communicator& comm;
    const Options& options;
    const RankDevice& rank;
    int threads;
    std::string halo_scheme;
    RunRecord& record;
    Console& console;
};

ContextOptions context_options(const SetupWork& work, LoopTimes loop_times) {
    return {work.rank.backend,
            work.threads,
            work.options.overlap,
            work.rank.device.get(),
            {work.options.device_graph, loop_times, work.options.check_stale_reads},
            work.rank.compute.get()};
}

Assembly assemble(const SetupWork& work, Loaded loaded, const std::vector<double>& weights,
                  LoopTimes loop_times) {
    const Communicator& comm = work.comm;
    RunRecord& record = work.record;
    if (comm.size() > 1) {
        work.console.line(fmt::format("Partitioning into {} ...", comm.size()));
    }
    Distribution distribution = divide(comm, work.options, weights, loaded, record.setup);
    record.mesh.hash = loaded.mesh.hash;
    record.memory.distribute_over_share = peak_over_share(comm, record.memory);
    check_duals(comm, work.options, loaded, distribution.part, work.console);

    const std::vector<MgcfdLevel>& levels = loaded.mesh.levels;
    record.settings.renumber = distribution.report.renumbering;
    record.partition = describe_partition(comm, work.options, distribution, levels);
    if (record.partition) {
        record.partition->prediction =
            predict_halo(comm, work.options,
                         distribution.part.sets[static_cast<std::size_t>(levels.front().node_set)]);
    }
    HaloSetup halo_setup = set_up_halo(comm, work.options, work.halo_scheme, work.rank,
                                       distribution.part, levels, work.console);
    record.halo = std::move(halo_setup.record);
    Assembly made;
    made.halo = std::move(halo_setup.exchange);
    made.context = std::make_unique<Context>(comm, *made.halo, context_options(work, loop_times));
    made.mesh =
        std::make_unique<Mesh>(std::move(distribution.part), layout_mode(work.rank.backend));
    made.solver =
        std::make_unique<Solver>(*made.context, *made.mesh,
                                 SolverOptions{loaded.input.level_files, work.options.legacy_mode,
                                               work.options.measure_memory_bound, work.rank.any()});
    describe_shares(comm, made.solver->levels().front(), weights, record);
    malloc_trim(0);  // what set-up left in small pieces
    return made;
}

/// Ranks on cores and on devices get shares by their speed, measured in a few cycles whose states are
/// thrown away: the run has the same bits however its mesh is divided.
bool needs_balance(const SetupWork& work) {
    return work.rank.mixed() && work.options.weights.empty() && work.options.partition_file.empty();
}

Assembly assemble_balanced(const SetupWork& work, Loaded loaded) {
    if (!needs_balance(work)) {
        return assemble(work, std::move(loaded), work.options.weights, work.options.loop_times);
    }
    std::vector<double> weights;
    {
        SetupWork probing = work;
        if (probing.halo_scheme == "auto") {
            probing.halo_scheme = device_halo_scheme_names().front();
        }
        const Assembly probe = assemble(probing, std::move(loaded), {}, LoopTimes::all);
        work.console.line(fmt::format("Measuring the ranks in {} cycles ...", probe_cycles));
        weights = measure_weights(*probe.context, *probe.solver, work.record);
        print_ranks(work.record, work.console);
    }
    return assemble(work, load(work.comm, work.options, work.record.setup), weights,
                    work.options.loop_times);
}

}  // namespace

int run_case(const Communicator& comm, const Options& options, Console& console) {
    const double start_s = wall_seconds();
    const StopRequest stop;
    const RankDevice rank = open_rank_device(comm, options);
    const int threads = choose_threads(comm, options.threads, rank.backend == Backend::openmp);
    omp_set_num_threads(threads);
    RunRecord record = start_record(comm, options, rank.backend, threads);
    describe_devices(comm, rank, record);
    console.line(banner(record));
    for (const std::string& notice : options.notices) {
        console.line(notice);
    }
    describe_placement(comm, options.affinity, record.mpi, console, record.layout);
    explain_papi(options, console);
    check_output_writable(comm, options.output_prefix);
    check_partitioner(options, comm.size());
    const std::string halo_scheme = wanted_halo_scheme(options, rank, console);

    console.line("Loading from HDF5 files ...");
    record.memory = start_memory(comm);
    Loaded loaded = load(comm, options, record.setup);
    const std::vector<std::string> level_files = loaded.input.level_files;
    add_mesh_files(comm, loaded.input, options.input_directory, record.memory);
    record.mesh = describe_mesh(loaded.input, loaded.mesh);
    for (const record::MeshLevel& level : record.mesh.levels) {
        console.line(fmt::format("  level {}: {} nodes, {} edges, {} boundary entries", level.level,
                                 level.nodes, level.edges, level.boundary_entries));
    }
    Assembly run = assemble_balanced({comm, options, rank, threads, halo_scheme, record, console},
                                     std::move(loaded));
    if (rank.mixed()) {
        print_ranks(record, console);
    }
    Context& context = *run.context;
    record.setup.total_s = comm.max(wall_seconds() - start_s);
    context.loops().clear();
    const HaloLedger before = run.halo->ledger();
    const TransferCounts transfers =
        rank.device != nullptr ? rank.device->counts() : TransferCounts{};

    if (options.validate_result) {
        require_solutions(comm, options, static_cast<int>(level_files.size()));
    }
    console.line("Compute beginning");
    Output output(comm, options, record.io);
    int exit_code = 0;
    try {
        run_cycles(comm, options, *run.solver, output, stop, record.results, console);
    } catch (const Error& error) {
        console.end_progress();
        finish_record(comm, context, *run.halo, before, record);
        record.status = describe_failure(error);
        write_run_record(comm, options.record_file, record);
        throw;
    }
    if (rank.any()) {
        finish_devices(comm, context, *run.solver, transfers, record);
    }
    const bool stopped = record.results.cycles < options.cycles;
    if (stopped) {
        console.warning(fmt::format(
            "stopped after cycle {} of {} (asked to by SIGUSR1). Results are those of that cycle.",
            record.results.cycles, options.cycles));
        record.status.state = "stopped";
        exit_code = static_cast<int>(ExitCode::stopped_early);
    } else if (options.validate_result) {
        record.results.validation =
            validate_result(comm, options, *run.mesh, run.solver->levels(), console);
        exit_code =
            record.results.validation->passed ? 0 : static_cast<int>(ExitCode::comparison_differs);
    }
    const int cycles = static_cast<int>(record.results.cycles);
    output.write_results(context, *run.mesh, run.solver->levels(), cycles);
    record.results.norms = collect_norms(comm, run.solver->levels());
    finish_record(comm, context, *run.halo, before, record);
    record.results.memory_bound = collect_memory_bound(record.loops, cycles);
    run.solver.reset();

    if (options.measure_triad.value_or(record.results.compute_s > 1.0)) {
        record.triad_gb_per_s = measure_triad(comm, threads);
    }
    append_file_io_times(comm, options.output_prefix,
                         {options.partitioner + "-" + method_in_use(options), options.flow_interval,
                          static_cast<std::int64_t>(record.io.files.size()), record.io.blocked_s,
                          record.results.total_runtime_s});
    record.status.exit_code = exit_code;
    write_run_record(comm, options.record_file, record);
    if (options.print_summary) {
        console.summary(record);
    }
    for (const std::string& file : record.io.files) {
        console.line("  wrote " + file);
    }
    console.line("  wrote " + options.record_file);
    console.line(fmt::format("Max total runtime = {:.6f}", record.results.total_runtime_s));
    return exit_code;
}

}  // namespace halocline::mgcfd
