// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The phases of a run in order; each phase is one function.
#include "halocline/run/driver.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"
#include "halocline/core/stop_request.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/io/output_check.hpp"
#include "halocline/io/output_lock.hpp"
#include "halocline/run/assembly.hpp"
#include "halocline/run/balance.hpp"
#include "halocline/run/devices.hpp"
#include "halocline/run/footprint.hpp"
#include "halocline/run/halo.hpp"
#include "halocline/run/machine.hpp"
#include "halocline/run/placement.hpp"
#include "halocline/run/record.hpp"
#include "halocline/run/strategies.hpp"
#include "halocline/run/thread_count.hpp"

namespace halocline::run {

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

/// Fewer threads compute the same, later: a user who measures must know.
void explain_threads(std::int64_t asked, std::int64_t given, const Console& console) {
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

std::string banner(const RunRecord& record) {
    return fmt::format("halocline {} ({}), {}: {} rank{} x {} thread{}, back end {}",
                       record.code.version, record.code.arch, record.mpi.library,
                       record.layout.ranks, record.layout.ranks == 1 ? "" : "s",
                       record.layout.threads_per_rank,
                       record.layout.threads_per_rank == 1 ? "" : "s", record.backend);
}

/// The pace of steps, and whether another one ends before a limit.
class StepClock {
public:
    /// @param start_s  of the run, by `wall_seconds`
    StepClock(double limit_s, double start_s)
        : limit_s_(limit_s), start_s_(start_s), last_s_(wall_seconds()) {}

    void note_step() {
        const double now_s = wall_seconds();
        longest_s_ = std::max(longest_s_, now_s - last_s_);
        last_s_ = now_s;
    }
    /// A step with a checkpoint takes as long as the longest so far, and the end of a run is given as
    /// much and a second.
    [[nodiscard]] bool is_over() const {
        return limit_s_ > 0.0 && last_s_ - start_s_ + 2.0 * longest_s_ + 1.0 > limit_s_;
    }

private:
    double limit_s_;
    double start_s_;
    double last_s_;
    double longest_s_ = 0.0;
};

const char* text_of(StopReason reason) {
    return reason == StopReason::time_limit ? "its time limit is near"
           : reason == StopReason::term     ? "asked to by SIGTERM"
                                            : "asked to by SIGUSR1";
}

bool can_continue(StopReason reason) {
    return reason != StopReason::none && reason != StopReason::failed_output;
}

/// Solver and options of one run, and what is known of it so far.
class Run {
public:
    Run(const Communicator& comm, const Options& options, Case& solver_case, Console& console)
        : comm_(comm),
          options_(options),
          case_(solver_case),
          console_(console),
          rank_(open_rank_device(comm, device_request(options), options.affinity.gpu_index)),
          team_(choose_threads(comm, options.threads, rank_.backend == Backend::openmp)),
          loop_threads_(team_.given),
          record_(start_record(comm, options, rank_.backend, team_)) {
        record_.settings.solver = case_.name();
        case_.describe(record_.settings);
    }

    int execute() {
        introduce();
        const OutputLock lock(comm_, options_.output_prefix, options_.command,
                              options_.record_file);
        check_request();
        set_up();
        const bool stopped = take_steps();
        const int exit_code = judge(stopped);
        write_results();
        close(exit_code);
        return exit_code;
    }

private:
    /// Shows where ranks run, and what the user should know before anything takes time.
    void introduce() {
        const std::vector<std::string> notices = describe_devices(comm_, rank_, record_);
        console_.line(banner(record_));
        for (const std::string& notice : notices) {
            console_.line("  " + notice);
        }
        for (const std::string& notice : options_.notices) {
            console_.line(notice);
        }
        describe_placement(comm_, options_.affinity, record_.mpi, console_, record_.layout);
        explain_threads(team_.asked, team_.given, console_);
    }

    /// Throws what can be known to go wrong before the mesh is read.
    void check_request() {
        case_.check_options();
        std::vector<std::string> files = case_.own_files();
        files.push_back(options_.record_file);
        check_output_writable(comm_, options_.output_prefix, files);
        check_partitioner(options_, comm_.size());
        validate<UsageError>(options_.probe_points.empty() || options_.series_interval > 0,
                             "there are probes, but output.series_interval is 0 (their values are "
                             "written nowhere). Say every how many steps.");
        strategies_ = read_strategies(options_.device_strategies, case_.loops_with_strategies());
        if (!options_.device_strategies.empty() && !rank_.any()) {
            console_.line("--device-strategy has no effect (no rank has a device).");
        }
        halo_scheme_ = wanted_halo_scheme(options_, rank_, console_);
    }

    /// Reads and divides the mesh and makes the solver, with all cores of ranks whose loops run on a GPU.
    void load_and_assemble() {
        const int cores = choose_set_up_threads(comm_, options_.threads);
        const ThreadCount threads(rank_.backend == Backend::cuda ? cores : team_.given);
        console_.line("Loading from HDF5 files ...");
        record_.memory = start_memory(comm_);
        LoadedMesh loaded = load_mesh(comm_, options_, case_, record_.setup);
        add_mesh_files(comm_, loaded.input, options_.input_directory, record_.memory);
        record_.mesh = describe_mesh(loaded.input, loaded.mesh);
        for (const record::MeshLevel& level : record_.mesh.levels) {
            console_.line(fmt::format("  level {}: {} nodes, {} edges, {} boundary entries",
                                      level.level, level.nodes, level.edges,
                                      level.boundary_entries));
        }
        for (const std::string& file : loaded.input.level_files) {
            level_files_.push_back(in_directory(options_.input_directory, file));
        }
        run_ = assemble({comm_, options_, case_, rank_, team_.given, halo_scheme_, strategies_,
                         record_, console_},
                        std::move(loaded));
    }

    void set_up() {
        load_and_assemble();
        if (rank_.mixed()) {
            print_ranks(record_, console_);
        }
        output_ = std::make_unique<Output>(
            *run_.context, options_,
            CheckpointHead{
                std::string(case_.name()), case_.settings(), record_.mesh.hash.value_or(""), 0, {}},
            *run_.solver, level_files_, run_.probes, record_.io);
        for (const Probe& probe : run_.probes) {
            const auto& [x, y, z] = probe.position;
            console_.line(fmt::format("  probe at node {} (counted from 0), ({}, {}, {})",
                                      probe.node, x, y, z));
        }
        record_.setup.total_s = comm_.max(wall_seconds() - start_s_);
        run_.context->restart_account();
        halo_before_ = run_.halo->completed_ledger();
        transfers_before_ = rank_.device != nullptr ? rank_.device->counts() : TransferCounts{};
        case_.require_inputs(comm_, static_cast<int>(level_files_.size()));
    }

    /// After an error: what was handed over before it is written all the same.
    void keep_output() {
        try {
            output_->finish_loop();
        } catch (const Error& error) {
            console_.warning(error.what());
        }
    }

    /// The record of a run that failed. Where it cannot be written either, as on a full disk, the one
    /// message of the run is why it failed.
    void keep_record() {
        try {
            write_run_record(comm_, options_.record_file, record_);
        } catch (const Error&) {  // NOLINT(bugprone-empty-catch): the caller throws the first error
        }
    }

    /// Whether a signal ended them early.
    bool take_steps() {
        // Output in the loop is all on the disk then, however the run is ended.
        if (writes_in_loop(options_) || options_.time_limit_s > 0.0) {
            stop_.hear_term();
        }
        console_.line("Compute beginning");
        try {
            run_steps();
        } catch (const Error& error) {
            console_.end_progress();
            note_steps();
            keep_output();
            finish_record();
            record_.status = describe_failure(error);
            keep_record();
            throw;
        }
        if (rank_.any()) {
            finish_devices(comm_, *run_.context, *run_.solver, transfers_before_, record_);
        }
        return !run_.solver->is_complete(done_.steps);
    }

    void run_steps() {
        done_ = output_->restart(console_);
        comm_.barrier();
        const double start_s = wall_seconds();
        const double start_cpu_s = cpu_seconds();
        StepClock clock(options_.time_limit_s, start_s_);
        for (int step = done_.steps + 1; !run_.solver->is_complete(done_.steps); ++step) {
            const double rms = output_->run_step(
                step, [&](const auto& observe) { return run_.solver->step(observe); });
            done_.rms.push_back(rms);
            done_.steps = step;
            const bool complete = run_.solver->is_complete(step);
            console_.progress(case_.step_name(), step, complete ? step : run_.solver->steps(), rms);
            output_->after_step(done_);
            clock.note_step();
            if (!complete) {
                stopped_because_ = stop_.agreed(comm_, own_reason(clock));
            }
            if (stopped_because_ != StopReason::none) {
                break;
            }
        }
        if (can_continue(stopped_because_)) {
            output_->keep(done_);
        }
        output_->finish_loop();
        record_.results.compute_s = comm_.max(wall_seconds() - start_s);
        record_.results.compute_cpu_s = comm_.sum(cpu_seconds() - start_cpu_s);
        record_.results.total_runtime_s = record_.results.compute_s;
        note_steps();
        console_.end_progress();
    }

    void note_steps() {
        record_.results.cycles = done_.steps;
        record_.results.rms = done_.rms;
    }

    [[nodiscard]] StopReason own_reason(const StepClock& clock) const {
        return output_->has_failed() ? StopReason::failed_output
               : clock.is_over()     ? StopReason::time_limit
                                     : StopReason::none;
    }

    /// The exit code of what was computed.
    int judge(bool stopped) {
        if (stopped) {
            console_.warning(
                fmt::format("stopped after cycle {} of {} ({}). Results are those of that cycle; "
                            "--restart auto "
                            "goes on from {}.",
                            record_.results.cycles, run_.solver->steps(), text_of(stopped_because_),
                            output_->newest_checkpoint()));
            record_.status.state = "stopped";
            return static_cast<int>(ExitCode::stopped_early);
        }
        if (options_.validate_result) {
            record_.results.validation = run_.solver->validate(console_);
        }
        const auto& validation = record_.results.validation;
        return validation && !validation->passed ? static_cast<int>(ExitCode::comparison_differs)
                                                 : 0;
    }

    void write_results() {
        run_.solver->write_results(*output_, static_cast<int>(record_.results.cycles));
        record_.results.norms = collect_norms(comm_, *run_.solver);
        finish_record();
        run_.solver->complete(record_);
        run_.solver.reset();
        // The memory of cores says nothing of loops on a device. A run that was asked to end has little
        // time left for its record: mpirun kills ranks a second after SIGTERM.
        const bool on_cores = comm_.max(std::int64_t{run_.context->device() != nullptr}) == 0;
        const bool has_time = stopped_because_ == StopReason::none;
        if (options_.measure_triad.value_or(on_cores && has_time &&
                                            record_.results.compute_s > 1.0)) {
            record_.triad_gb_per_s = measure_triad(comm_, team_.given);
        }
    }

    void close(int exit_code) {
        case_.write_own_files(comm_, record_);
        record_.status.exit_code = exit_code;
        write_run_record(comm_, options_.record_file, record_);
        if (options_.print_summary) {
            console_.summary(record_);
        }
        for (const std::string& file : record_.io.files) {
            console_.line("  wrote " + file);
        }
        console_.line("  wrote " + options_.record_file);
        console_.line(fmt::format("Max total runtime = {:.6f}", record_.results.total_runtime_s));
    }

    /// The rank's memory need shows in its peak; the mean over ranks would hide one that is full.
    void finish_record() {
        Context& context = *run_.context;
        finish_threads(comm_, context, console_, record_.layout);
        collect_ledger(comm_, *run_.halo, halo_before_, record_.halo);
        record_.loops = collect_loops(comm_, context.loops());
        describe_strategies(context, record_);
        record_.setup.plan_s = comm_.max(context.plans().build_seconds());
        add_peak(comm_, record_.memory);
        add_memory_parts(comm_, record_.memory);
        if (record_.partition && record_.partition->prediction) {
            predict_run(comm_, run_.halo->ledger().since(halo_before_),
                        *record_.partition->prediction);
        }
    }

    const double start_s_ = wall_seconds();
    StopRequest stop_;
    StopReason stopped_because_ = StopReason::none;
    const Communicator& comm_;
    const Options& options_;
    Case& case_;
    Console& console_;
    const RankDevice rank_;
    const Threads team_;
    const ThreadCount loop_threads_;
    RunRecord record_;
    StrategyOptions strategies_;
    std::string halo_scheme_;
    Assembly run_;
    std::unique_ptr<Output> output_;
    Progressed done_;
    std::vector<std::string> level_files_;
    HaloLedger halo_before_;
    TransferCounts transfers_before_;
};

}  // namespace

int run_case(const Communicator& comm, const Options& options, Case& solver_case,
             Console& console) {
    return Run(comm, options, solver_case, console).execute();
}

}  // namespace halocline::run
