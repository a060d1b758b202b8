// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What every solver's case has: mesh, ranks, results.
#include "sections.hpp"

#include <fmt/core.h>

#include <filesystem>

#include "halocline/backend/context.hpp"
#include "halocline/core/error.hpp"
#include "halocline/core/standard_output.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/io/input_file.hpp"
#include "halocline/run/console.hpp"
#include "halocline/run/driver.hpp"
#include "halocline/run/strategies.hpp"
#include "mesh_section.hpp"

namespace halocline::solve {

namespace {

void read_parallel(const Communicator& comm, CaseSection& root, const std::string& mesh_folder,
                   const run::Case& solver_case, run::Options& options) {
    CaseSection parallel = root.section("parallel");
    const std::optional<int> ranks = parallel.automatic_count("ranks");
    if (ranks && *ranks != comm.size()) {
        options.notices.push_back(fmt::format(
            "parallel.ranks is {}, {} {} started (the launcher decides): running on {}.", *ranks,
            comm.size(), comm.size() == 1 ? "was" : "were", comm.size()));
    }
    options.threads = parallel.automatic_count("threads").value_or(0);
    options.backend =
        parallel.checked("backend", [](const auto& word) { (void)backend_from_name(word); });
    options.partitioner = parallel.checked(
        "partitioner", [](const auto& word) { (void)resolve_partition(word, "auto"); });
    options.partitioner_method = parallel.checked("partitioner_method", [&](const auto& word) {
        (void)resolve_partition(options.partitioner, word);
    });
    options.device = device_selections().at(parallel.choice("device"));
    options.halo_scheme = parallel.choice("halo_scheme");
    if (options.halo_scheme == "default") {
        options.halo_scheme.clear();
    }
    options.device_strategies = parallel.texts("device_strategies");
    try {
        static_cast<void>(
            run::read_strategies(options.device_strategies, solver_case.loops_with_strategies()));
    } catch (const UsageError& error) {
        parallel.fail("device_strategies", std::string("has a mistake: ") + error.what());
    }
    options.weights = parallel.numbers("weights");
    const std::string partition = parallel.text("partition_file");
    options.partition_file = partition.empty() ? "" : in_directory(mesh_folder, partition);
    options.renumber = parallel.flag("renumber");
    parallel.skip({"launcher", "launcher_args"});
    parallel.expect_no_more();
}

void read_probes(CaseSection& output, run::Options& options) {
    options.series_interval = output.count("series_interval");
    CaseSection probes = output.section("probes");
    options.probe_points = probes.points("points");
    options.probe_fields = probes.texts("fields");
    probes.expect_no_more();
}

/// Makes the folder of the results; the prefix follows it.
void read_output(const Communicator& comm, CaseSection& root, const std::string& folder,
                 bool make_folder, const ReadMore& read_more, run::Options& options) {
    CaseSection output = root.section("output");
    const std::string directory = in_directory(folder, output.text("directory"));
    options.output_prefix = directory + "/" + output.text("prefix");
    options.output_variables = output.flag("variables");
    options.flow_interval = output.count("flow_interval");
    read_probes(output, options);
    options.output_interval = output.schedule("interval");
    options.output_fields = output.texts("fields");
    for (const double level : output.numbers("levels")) {
        options.output_levels.push_back(static_cast<int>(level));
    }
    options.output_files = output.choice("files") == "step" ? run::OutputFiles::one_a_step
                                                            : run::OutputFiles::one_a_run;
    options.output_compression = output.choice("compression");
    options.output_compression_level = output.count("compression_level");
    options.output_chunk = output.count("chunk");
    options.io_mode = output.choice("io") == "sync" ? output::IoMode::sync : output::IoMode::async;
    options.io_buffers = output.count("io_buffers");
    options.io_writers = output.count("io_writers");
    read_more(output);
    output.skip({"pictures"});  // drawn by `halocline run`
    output.expect_no_more();
    run_agreed(comm, [&] {
        std::error_code failure;
        if (comm.is_root() && make_folder) {
            std::filesystem::create_directories(directory, failure);
        }
        if (failure) {
            output.fail("directory", "leads to " + directory + ", which cannot be made (" +
                                         failure.message() + "). Choose another folder.");
        }
    });
}

void read_checkpoint_section(CaseSection& root, const std::string& folder, run::Options& options) {
    CaseSection checkpoint = root.section("checkpoint");
    options.checkpoint_interval = checkpoint.count("interval");
    options.checkpoint_seconds = checkpoint.number("seconds");
    options.checkpoint_keep = checkpoint.count("keep");
    options.time_limit_s = checkpoint.number("time_limit");
    options.restart = checkpoint.text("restart");
    if (!options.restart.empty() && options.restart != run::restart_newest) {
        options.restart = in_directory(folder, options.restart);
    }
    checkpoint.expect_no_more();
}

void show(const Communicator& comm, const run::Case& solver_case, const std::string& work,
          const run::Options& options) {
    if (!comm.is_root()) {
        return;
    }
    const auto row = [](const char* what, const std::string& value) {
        say("  {:<12} {}\n", what, value);
    };
    const auto plural = [](int count, const char* word) {
        return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
    };
    say("{} is valid; a run would be\n", options.case_file);
    row("solver", fmt::format("{}, {}", solver_case.name(), work));
    row("mesh", in_directory(options.input_directory, options.input_file));
    row("ranks", plural(comm.size(), "rank") + ", " +
                     (options.threads == 0 ? "threads: auto" : plural(options.threads, "thread")));
    row("back end", options.backend);
    row("partitioner", options.partitioner + ", " + options.partitioner_method);
    row("halo scheme", options.halo_scheme.empty() ? "default" : options.halo_scheme);
    row("results", options.output_prefix + "*");
    row("record", options.record_file);
    for (const std::string& notice : options.notices) {
        say("{}\n", notice);
    }
}

}  // namespace

run::MeshCheck read_mesh_check(CaseSection& solver) {
    const std::string check = solver.choice("mesh_check");
    return check == "off"    ? run::MeshCheck::off
           : check == "warn" ? run::MeshCheck::warn
                             : run::MeshCheck::strict;
}

std::optional<bool> read_triad(CaseSection& solver) {
    const std::string triad = solver.choice("measure_triad");
    return triad == "auto" ? std::nullopt : std::optional(triad == "on");
}

void refuse_results_of_mgcfd(CaseSection& output) {
    for (const std::string_view key : {"fluxes", "step_factors"}) {
        if (output.flag(key)) {
            output.fail(key, "is true (only the solver mgcfd has such results). Leave it out.");
        }
    }
}

void read_shared_sections(const Communicator& comm, const CommandLine& command, CaseSection& root,
                          const run::Case& solver_case, const ReadMore& read_more,
                          run::Options& options) {
    options.front_end = program_name;
    options.program = program_name;
    options.case_file = command.case_file;
    options.command = command.words;
    options.affinity = command.affinity;
    const std::string folder = std::filesystem::path(command.case_file).parent_path().string();
    root.skip({"title", "submit"});  // tables and batch jobs: `halocline run`, `halocline submit`
    const MeshPlace mesh = read_mesh_section(comm, root, folder);
    options.input_directory = mesh.directory;
    options.input_file = mesh.input;
    read_parallel(comm, root, mesh.directory, solver_case, options);
    read_output(comm, root, folder, !command.dry_run, read_more, options);
    read_checkpoint_section(root, folder, options);
    root.expect_no_more();
}

int run_or_show(const Communicator& comm, const CommandLine& command, const std::string& work,
                run::Case& solver_case, run::Options& options) {
    apply_flags(command.words, options);
    if (options.record_file.empty()) {
        options.record_file = options.output_prefix + "record.json";
    }
    if (command.dry_run) {
        show(comm, solver_case, work, options);
        return 0;
    }
    run::Console console(comm, options.front_end, options.progress);
    return run::run_case(comm, options, solver_case, console);
}

}  // namespace halocline::solve
