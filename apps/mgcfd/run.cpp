// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The phases of a run in order; each phase is one function.
#include "run.hpp"

#include <fmt/core.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>

#include "assembly.hpp"
#include "balance.hpp"
#include "device.hpp"
#include "footprint.hpp"
#include "halo.hpp"
#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"
#include "halocline/core/stop_request.hpp"
#include "halocline/io/field_writer.hpp"
#include "halocline/io/file_io_times.hpp"
#include "halocline/io/output_check.hpp"
#include "halocline/io/output_lock.hpp"
#include "halocline/io/result_names.hpp"
#include "machine.hpp"
#include "placement.hpp"
#include "run_record.hpp"
#include "strategies.hpp"
#include "validation.hpp"

namespace halocline::mgcfd {

namespace {

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

/// Files a run leaves behind, and what writing them cost.
class Output {
public:
    Output(const Communicator& comm, const Options& options, record::Io& io)
        : comm_(comm), options_(options), io_(io) {}

    void write(const std::string& path, const std::string& dataset, const DatStore& dat) {
        const ScopedTimer timer(io_.blocked_s);
        io_.bytes += write_fields(comm_, path, {{dataset, dat}});
        io_.files.push_back(path);
    }

    void write_flow(int cycle, Level& finest) {
        write(flow_path(options_.output_prefix, cycle), flow_dataset, finest.q.store());
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
    void write_level(const char* quantity, const Level& level, const DatStore& store, int cycles) {
        write(result_path(options_.output_prefix, quantity, level.index, cycles),
              result_dataset(quantity, level.index), store);
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

/// Fewer threads compute the same, later: a user who measures must know.
void explain_threads(int asked, int given, const Console& console) {
    if (given < asked) {
        console.warning(fmt::format(
            "OpenMP gives {} of the {} threads asked for on each rank (OMP_THREAD_LIMIT, "
            "OMP_DYNAMIC or a limit of the system); results are the same. Lift the limit for the "
            "full speed, or ask for no more with --threads {}.",
            given, asked, given));
    }
}

/// What loops really got, which may have become less in mid-run.
void finish_threads(const Communicator& comm, const Context& context, const Console& console,
                    record::Layout& layout) {
    const bool fewer = context.fewest_threads() < context.threads();  // not so on ranks without any
    const auto fewest = static_cast<int>(
        comm.min(std::int64_t{fewer ? context.fewest_threads() : std::numeric_limits<int>::max()}));
    if (fewest < layout.threads_per_rank) {
        explain_threads(layout.threads_per_rank, fewest, console);
        layout.threads_per_rank = fewest;
    }
}

/// The rank's memory need shows in its peak; the mean over ranks would hide one that is full.
void finish_record(const Communicator& comm, Context& context, const HaloExchange& halo,
                   const HaloLedger& before, const Console& console, RunRecord& record) {
    finish_threads(comm, context, console, record.layout);
    collect_ledger(comm, halo, before, record.halo);
    record.loops = collect_loops(comm, context.loops());
    describe_strategies(context, record);
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

}  // namespace

int run_case(const Communicator& comm, const Options& options, Console& console) {
    const double start_s = wall_seconds();
    const StopRequest stop;
    const RankDevice rank =
        open_rank_device(comm, device_request(options), options.affinity.gpu_index);
    const Threads team = choose_threads(comm, options.threads, rank.backend == Backend::openmp);
    const int threads = team.given;
    omp_set_num_threads(threads);
    RunRecord record = start_record(comm, options, rank.backend, team);
    const std::vector<std::string> device_notices = describe_devices(comm, rank, record);
    console.line(banner(record));
    for (const std::string& notice : device_notices) {
        console.line("  " + notice);
    }
    for (const std::string& notice : options.notices) {
        console.line(notice);
    }
    describe_placement(comm, options.affinity, record.mpi, console, record.layout);
    explain_threads(team.asked, team.given, console);
    explain_papi(options, console);
    const OutputLock lock(comm, options.output_prefix, options.command, options.record_file);
    check_output_writable(comm, options.output_prefix,
                          {options.record_file, file_io_times_path(options.output_prefix)});
    check_partitioner(options, comm.size());
    const StrategyOptions strategies = read_strategies(options.device_strategies);
    if (!options.device_strategies.empty() && !rank.any()) {
        console.line("--device-strategy has no effect (no rank has a device).");
    }
    const std::string halo_scheme = wanted_halo_scheme(options, rank, console);

    console.line("Loading from HDF5 files ...");
    record.memory = start_memory(comm);
    Loaded loaded = load_case(comm, options, record.setup);
    const std::vector<std::string> level_files = loaded.input.level_files;
    add_mesh_files(comm, loaded.input, options.input_directory, record.memory);
    record.mesh = describe_mesh(loaded.input, loaded.mesh);
    for (const record::MeshLevel& level : record.mesh.levels) {
        console.line(fmt::format("  level {}: {} nodes, {} edges, {} boundary entries", level.level,
                                 level.nodes, level.edges, level.boundary_entries));
    }
    Assembly run =
        assemble_case({comm, options, rank, threads, halo_scheme, strategies, record, console},
                      std::move(loaded));
    if (rank.mixed()) {
        print_ranks(record, console);
    }
    Context& context = *run.context;
    record.setup.total_s = comm.max(wall_seconds() - start_s);
    context.restart_account();
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
        finish_record(comm, context, *run.halo, before, console, record);
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
    finish_record(comm, context, *run.halo, before, console, record);
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
