// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// How a run is divided, exchanged, checked and shown, as flags by CLI11.
#include "halocline/run/flags.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "halocline/core/build_info.hpp"
#include "halocline/core/error.hpp"
#include "halocline/core/nearest.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/dist/exchange/device_halo.hpp"
#include "halocline/machine/threads.hpp"

namespace halocline::run {

std::string version_text() {
    return "halocline " + std::string(build_info::version) + " (" +
           std::string(build_info::git_describe) + ", " + std::string(build_info::arch) + ")";
}

namespace {

/// Words for values; the help lists them in the flag's own sentence.
template <class Value>
CLI::Validator words(std::map<std::string, Value> values) {
    return CLI::CheckedTransformer(std::move(values)).description("");
}

/// Bounds that the help does not print: most are the limits of a type.
template <class Value>
CLI::Validator bounds(Value least, Value most) {
    return CLI::Range(least, most).description("");
}
/// CLI11's own message would print the largest double.
CLI::Validator positive() {
    return CLI::Validator(
        [](std::string& text) {
            double value = 0.0;
            return CLI::detail::lexical_cast(text, value) && value > 0.0
                       ? std::string()
                       : text + " is not a number above 0";
        },
        "");
}

void add_division_flags(CLI::App& app, Options& options) {
    app.option_defaults()->group("Division of the mesh");
    app.add_option("-m,--partitioner", options.partitioner,
                   "Partitioner: " + alternatives(partitioner_names()) +
                       "\n(the record says which library answered)")
        ->capture_default_str();
    app.add_option("-r,--partitioner-method", options.partitioner_method,
                   "Its method: " + alternatives(partition_method_names()))
        ->capture_default_str();
    app.add_option("--weights", options.weights, "Target weight of each rank, as 1,1,2.5")
        ->delimiter(',');
    app.add_option(
           "--partition-file", options.partition_file,
           "For -m file: one rank number a line, a line a node of the finest\nlevel; or HDF5")
        ->type_name("FILE");
    app.add_flag("-n,--renumber,!--no-renumber", options.renumber,
                 "Renumber nodes for locality (default); outputs keep the file's order");
}

void add_device_flags(CLI::App& app, Options& options) {
    app.option_defaults()->group("Cores and devices");
    app.add_option("--backend", options.backend,
                   "What runs loops: " + alternatives(backend_names()))
        ->capture_default_str();
    app.add_option("--threads", options.threads,
                   "Threads of a rank (default: OMP_NUM_THREADS or its cores)")
        ->check(bounds(1, most_threads));
    app.add_option("--device", options.device,
                   "What ranks compute on: auto | cpu | gpu | mixed (GPUs and cores in\none job)")
        ->type_name("WORD")
        ->transform(words<DeviceSelection>(device_selections()));
    app.add_option("--device-ranks", options.device_ranks,
                   "With --device mixed: ranks of a host that take a GPU (default: one\na GPU)")
        ->check(bounds(0, 1023));
    app.add_flag(
        "--assume-gpu-aware", options.assume_gpu_aware,
        "Give MPI device pointers though it does not report support (halo\nscheme direct)");
    app.add_option("--gpu", options.gpu, "GPU of this rank (default: ranks of a host take turns)")
        ->check(bounds(0, 1023));
    app.add_option("--loop-times", options.loop_times,
                   "Kernels timed on a device: off | sample (some cycles) | all (no\ngraph then)")
        ->type_name("WORD")
        ->transform(words<LoopTimes>(
            {{"off", LoopTimes::off}, {"sample", LoopTimes::sample}, {"all", LoopTimes::all}}));
    app.add_flag("!--no-device-graph", options.device_graph,
                 "Launch each kernel by itself instead of a cycle as one graph");
    app.add_flag("--check-stale-reads", options.check_stale_reads,
                 "Overwrite host values that the device has newer ones of with NaN,\nso that a "
                 "stale read shows");
    app.add_option("--device-strategy", options.device_strategies,
                   "How device loops add through maps: gather | once, for all or as\nNAME=..., "
                   "several times; the bits are the same")
        ->type_name("WORD")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false)
        ->delimiter(',');
}

void add_halo_flags(CLI::App& app, Options& options) {
    app.option_defaults()->group("Halos");
    app.add_option("--halo-scheme", options.halo_scheme,
                   "How halos travel: " + alternatives(halo_scheme_names()) +
                       " | auto (measures, keeps the\nbest); between devices: " +
                       alternatives(device_halo_scheme_names()) + "\n| auto")
        ->type_name("WORD");
    app.add_flag_callback(
        "--no-halo-overlap", [&] { options.overlap = Overlap::off; },
        "Wait for halos before core elements run (shows what overlap saves)");
    app.add_option_function<std::string>(
           "--network-model",
           [&](const std::string& text) { options.network = network_model_from_text(text); },
           "Hold messages back as a network of MICROSECONDS,GB_PER_S would\n(one host)")
        ->type_name("US,GB/S");
}

void add_output_flags(CLI::App& app, Options& options) {
    app.option_defaults()->group("Output during the run");
    app.add_option("--output-interval", options.output_interval,
                   "Write fields to <prefix>flow.vtkhdf (ParaView) every so many steps\n(10), "
                   "seconds (30s), or after a list of steps (1,5,20)")
        ->type_name("WHEN");
    app.add_option(
           "--output-series-interval", options.series_interval,
           "Write a line of <prefix>series.csv every so many steps: what the\nsolver measures")
        ->check(bounds(1, 1000000000));
    app.add_option("--output-fields", options.output_fields,
                   "Fields of flow.vtkhdf, as density,pressure (default: the solver's\nusual ones)")
        ->type_name("NAMES")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false)
        ->delimiter(',');
    app.add_option("--output-levels", options.output_levels,
                   "Levels in flow.vtkhdf, as 0,1 (default: 0, the finest)")
        ->type_name("NUMBERS")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false)
        ->delimiter(',');
    app.add_option(
           "--output-files", options.output_files,
           "One file for all steps (run; default), or one a step and one for\nthe mesh (step)")
        ->type_name("WORD")
        ->transform(words<OutputFiles>(
            {{"run", OutputFiles::one_a_run}, {"step", OutputFiles::one_a_step}}));
    app.add_option("--output-compression", options.output_compression,
                   "How fields are compressed: " + alternatives(compression_names()))
        ->type_name("WORD");
    app.add_option("--output-compression-level", options.output_compression_level,
                   "Compression level, from 1 (default: 0, the method's usual level)")
        ->check(bounds(0, 19));
    app.add_option("--output-chunk", options.output_chunk,
                   "Rows of a field that are compressed together")
        ->capture_default_str()
        ->check(bounds(std::int64_t{1024}, std::int64_t{1} << 24));
    app.add_option("--io", options.io_mode,
                   "Output during the run: async (beside the loops; default) | sync")
        ->type_name("WORD")
        ->transform(words<output::IoMode>(
            {{"async", output::IoMode::async}, {"sync", output::IoMode::sync}}));
    app.add_option("--io-buffers", options.io_buffers,
                   "Outputs that may wait to be written; a full pool holds the loop back")
        ->check(bounds(1, 1024))
        ->capture_default_str();
    app.add_option("--io-writers", options.io_writers,
                   "Ranks that write files, evenly spread (default: all)")
        ->check(bounds(1, 1 << 24));
}

void add_checkpoint_flags(CLI::App& app, Options& options) {
    app.option_defaults()->group("Checkpoints and stops");
    app.add_option("--checkpoint-interval", options.checkpoint_interval,
                   "Write a checkpoint every so many steps")
        ->check(bounds(1, 1000000000));
    app.add_option("--checkpoint-seconds", options.checkpoint_seconds,
                   "Write a checkpoint when so many seconds have passed since the last")
        ->check(positive());
    app.add_option("--checkpoint-keep", options.checkpoint_keep,
                   "Newest checkpoints to keep; older ones of this run are removed")
        ->check(bounds(1, 1000000))
        ->capture_default_str();
    app.add_option(
           "--restart", options.restart,
           "Go on from a checkpoint; auto: from the newest one with this\nprefix, if there is one")
        ->type_name("FILE|auto");
    app.add_option("--time-limit", options.time_limit_s,
                   "Stop with a checkpoint before so many seconds have passed (exit\ncode 75)")
        ->type_name("SECONDS")
        ->check(positive());
}

void add_report_flags(CLI::App& app, Options& options) {
    app.option_defaults()->group("Checks and reports");
    app.add_option("--mesh-check", options.mesh_check,
                   "What to do about dual cells that are not closed: strict | warn | off")
        ->type_name("WORD")
        ->transform(words<MeshCheck>(
            {{"strict", MeshCheck::strict}, {"warn", MeshCheck::warn}, {"off", MeshCheck::off}}));
    app.add_option("--record", options.record_file, "Run record (default: <prefix>record.json)")
        ->type_name("FILE");
    app.add_option("--progress", options.progress,
                   "How progress is shown: auto | line (one that moves) | log | off")
        ->type_name("WORD")
        ->transform(words<Progress>({{"auto", Progress::automatic},
                                     {"line", Progress::line},
                                     {"log", Progress::log},
                                     {"off", Progress::off}}));
    app.add_flag("!--no-summary", options.print_summary, "Print no table at the end");
    app.add_flag_callback(
        "--triad", [&] { options.measure_triad = true; },
        "Measure memory bandwidth (default: after runs of a second or more)");
    app.add_flag_callback(
        "--no-triad", [&] { options.measure_triad = false; }, "Measure no memory bandwidth");
    app.add_flag("-b,--measure-mem-bound", options.measure_memory_bound,
                 "Also run a streaming kernel with the traffic of the flux kernel");
}

}  // namespace

void add_run_flags(CLI::App& app, Options& options) {
    const std::string heading = app.option_defaults()->get_group();
    add_division_flags(app, options);
    add_device_flags(app, options);
    add_halo_flags(app, options);
    add_output_flags(app, options);
    add_checkpoint_flags(app, options);
    add_report_flags(app, options);
    app.option_defaults()->group(heading);
}

std::string help_text(const CLI::App& app) {
    // What CLI11 puts behind the names of flags that switch something off.
    constexpr std::string_view mark = "{false}";
    std::string text = app.help();
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
        text.erase(at, mark.size());
    }
    return text;
}

std::vector<std::string> complete_long_flags(const CLI::App& app, std::vector<std::string> words) {
    for (std::string& word : words) {
        if (word.rfind("--", 0) != 0 || word.size() < 4) {
            continue;
        }
        const std::size_t length = std::min(word.find('='), word.size());
        const std::string beginning = word.substr(2, length - 2);
        std::vector<std::string> matches;
        bool exact = false;
        for (const CLI::Option* option : app.get_options()) {
            for (const std::string& name : option->get_lnames()) {
                exact = exact || name == beginning;
                if (name.rfind(beginning, 0) == 0 &&
                    (matches.empty() || app.get_option("--" + matches.front()) != option)) {
                    matches.push_back(name);
                }
            }
        }
        if (!exact && matches.size() == 1) {
            word = "--" + matches.front() + word.substr(length);
        }
    }
    return words;
}

void throw_usage(const CLI::App& app, const CLI::ParseError& error) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            names.push_back("--" + name);
        }
        for (const std::string& name : option->get_snames()) {
            names.push_back("-" + name);
        }
    }
    std::vector<std::string_view> known(names.begin(), names.end());
    const bool surplus = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    for (const std::string& word : surplus ? app.remaining() : std::vector<std::string>()) {
        if (word == "--") {
            continue;
        }
        if (!word.starts_with('-')) {
            throw UsageError("surplus argument '" + word + "' (it belongs to no flag). " +
                             app.get_name() + " --help says what there is; leave it out.");
        }
        throw UsageError("unknown argument '" + word + "' (" + app.get_name() +
                         " --help lists all). " +
                         suggest_name(word.substr(0, word.find('=')), known));
    }
    throw UsageError(std::string(error.what()) + ". " + app.get_name() +
                     " --help lists all flags.");
}

}  // namespace halocline::run
