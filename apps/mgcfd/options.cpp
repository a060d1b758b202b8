// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// MG-CFD's flags by CLI11; words of OP2 are taken out first, configuration files expanded in place.
#include "options.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "halocline/core/error.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/io/config_file.hpp"
#include "halocline/run/flags.hpp"

namespace halocline::mgcfd {

namespace {

constexpr const char* description =
    "Multigrid Euler solver on MG-CFD's mesh files: same files, same flags, same numbers.";

constexpr const char* examples = R"(
Examples:
  mgcfd -i input.dat --output-variables
  mgcfd -d rotor37 -g 50 -o out/ --output-variables --output-step-factors
  mpirun -n 16 mgcfd_mpi -i input.dat -m ptscotch -r kway -o run1.
  OMP_NUM_THREADS=8 mgcfd_openmp -i input.dat -v
  mgcfd -d rotor37 -g 500 -o out/ --output-interval 10 --checkpoint-interval 100 --restart auto

SIGUSR1 ends the run after the cycle it is in, with its results, a checkpoint and exit code 75;
--restart auto goes on from there.
Exit codes: 0 ok, 2 usage, 3 invalid mesh or input, 4 environment, 5 run failed,
6 validation differs, 75 stopped early.)";

/// Back end that a program name stands for.
std::string default_backend(const std::string& program) {
    if (program == "mgcfd_seq") {
        return "serial";
    }
    if (program.find("cuda") != std::string::npos) {
        return "cuda";
    }
    return program == "mgcfd" ? "auto" : "openmp";
}

bool is_op2_word(const std::string& word) {
    constexpr std::array<const char*, 7> prefixes{
        "OP_BLOCK_SIZE=",     "OP_PART_SIZE=",       "OP_CACHE_LINE_SIZE=", "OP_AUTO_SOA",
        "OP_HYBRID_BALANCE=", "OP_MAPS_BASE_INDEX=", "OP_TEST_FREQ="};
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [&](const char* prefix) { return word.rfind(prefix, 0) == 0; });
}

/// OP2 looks for these words anywhere; getopt would read `-gpudirect` as `-g pudirect`.
std::vector<std::string> take_op2_words(std::vector<std::string> words, Options& options) {
    std::erase_if(words, [&](const std::string& word) {
        if (word == "-gpudirect") {
            options.gpudirect = true;
            return true;
        }
        if (is_op2_word(word)) {
            options.notices.push_back(word + " has no effect (the library plans loops itself).");
            return true;
        }
        return false;
    });
    return words;
}

/// Flags that a configuration setting stands for.
std::vector<std::string> flags_of(const ConfigSetting& setting) {
    static const std::map<std::string, std::string> switches{
        {"validate_result", "--validate-result"},
        {"measure_mem_bound", "--measure-mem-bound"},
        {"renumber", "--renumber"},
        {"output_step_factors", "--output-step-factors"},
        {"output_fluxes", "--output-fluxes"},
        {"output_variables", "--output-variables"}};
    static const std::map<std::string, std::string> values{
        {"input_file", "--input-file"},
        {"input_file_directory", "--input-directory"},
        {"output_file_prefix", "--output-file-prefix"},
        {"papi-config-file", "--papi-config-file"},
        {"partitioner", "--partitioner"},
        {"partitioner-method", "--partitioner-method"}};
    if (const auto found = switches.find(setting.key); found != switches.end()) {
        return {found->second + (config_flag(setting) ? "=true" : "=false")};
    }
    if (const auto found = values.find(setting.key); found != values.end()) {
        return {found->second + "=" + setting.value};
    }
    if (setting.key == "cycles") {
        return {"--num-cycles=" + std::to_string(config_integer(setting, 1))};
    }
    if (setting.key == "output_flow_interval") {
        return {"--output-flow-interval=" + std::to_string(config_integer(setting, 1))};
    }
    return {};  // config-filepath: stored by MG-CFD, never read again
}

std::vector<std::string> expand_config_files(const Communicator& comm,
                                             const std::vector<std::string>& words) {
    std::vector<std::string> expanded;
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::string path;
        if (words[i] == "-c" || words[i] == "--config-filepath") {
            validate<UsageError>(i + 1 < words.size(),
                                 words[i] + " needs the path of a configuration file.");
            path = words[++i];
        } else if (words[i].size() > 2 && words[i].rfind("-c", 0) == 0) {
            path = words[i].substr(2);
        } else if (words[i].rfind("--config-filepath=", 0) == 0) {
            path = words[i].substr(words[i].find('=') + 1);
        } else {
            expanded.push_back(words[i]);
            continue;
        }
        for (const ConfigSetting& setting : read_config_file(comm, path, mgcfd_config_keys())) {
            for (std::string& flag : flags_of(setting)) {
                expanded.push_back(std::move(flag));
            }
        }
    }
    return expanded;
}

void add_case_options(CLI::App& app, Options& options) {
    app.add_option("-i,--input-file", options.input_file, "input.dat of the case")
        ->type_name("FILE");
    app.add_option("-d,--input-directory", options.input_directory,
                   "Folder of the input file and of the files it names")
        ->type_name("DIR");
    app.add_option("-o,--output-file-prefix", options.output_prefix,
                   "Put in front of output file names; 'out/' is a folder")
        ->type_name("PREFIX");
    app.add_option("-c,--config-filepath", "Settings as key = value lines; later flags win")
        ->type_name("FILE");
    app.add_option_function<std::string>(
           "-p,--papi-config-file",
           [&](const std::string& file) {
               options.notices.push_back(
                   "Hardware counters are not available in this build, " + file +
                   " is not read (no PAPI). Loop times and counted bytes are in "
                   "the record.");
           },
           "Hardware counters to read")
        ->type_name("FILE");
    app.add_option("-g,--num-cycles", options.steps, "Multigrid cycles")
        ->check(CLI::Range(1, 1000000000))
        ->capture_default_str();
    app.add_flag("-l,--legacy-mode", options.legacy_mode,
                 "Dual volumes and weights as the files have them ('areas', '.renumbered')");
    app.add_flag("-v,--validate-result,--validate", options.validate_result,
                 "Compare with solution.variables.L<l>.cycles=<n>.h5");
    app.add_option("-I,--output-flow-interval", options.flow_interval,
                   "Write level 0 every so many cycles")
        ->check(CLI::Range(1, 1000000000));
    app.add_flag("--output-variables", options.output_variables, "Write the state of all levels");
    app.add_flag("--output-fluxes", options.output_fluxes,
                 "Write flux sums (zero after an update)");
    app.add_flag("--output-step-factors", options.output_step_factors, "Write time step / volume");
}

/// Defaults of the program's name, and the flags that change them.
void set_up(CLI::App& app, Options& options, int argc, char** argv) {
    options.front_end = "mgcfd";
    options.command.assign(argv, argv + argc);
    options.program = std::filesystem::path(argv[0]).filename().string();
    options.backend = default_backend(options.program);
    const PartitionMethod usual = default_partition("parmetis");
    options.partitioner = usual.partitioner;
    options.partitioner_method = usual.partitioner == "parmetis" ? "auto" : usual.method;
    app.name(options.program);
    app.footer(examples);
    app.set_version_flag("--version", run::version_text());
    app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    add_case_options(app, options);
    run::add_run_flags(app, options);
}

}  // namespace

std::optional<Options> peek_options(int argc, char** argv) {
    Options options;
    CLI::App app;
    set_up(app, options, argc, argv);
    std::vector<std::string> words(argv + 1, argv + argc);
    try {
        words = run::complete_long_flags(app, take_op2_words(std::move(words), options));
        std::reverse(words.begin(), words.end());
        app.parse(words);
    } catch (const CLI::ParseError&) {
        return std::nullopt;
    } catch (const Error&) {
        return std::nullopt;
    }
    return options;
}

ParsedCommand parse_command(const Communicator& comm, int argc, char** argv) {
    Options options;
    CLI::App app{description};
    set_up(app, options, argc, argv);
    std::vector<std::string> words(argv + 1, argv + argc);
    words = run::complete_long_flags(app, take_op2_words(std::move(words), options));
    words = expand_config_files(comm, words);
    std::vector<std::string> reversed(words.rbegin(), words.rend());
    try {
        app.parse(reversed);
    } catch (const CLI::CallForHelp&) {
        return {std::nullopt, {run::help_text(app)}};
    } catch (const CLI::CallForVersion& version) {
        return {std::nullopt, {std::string(version.what()) + "\n"}};
    } catch (const CLI::ParseError& error) {
        run::throw_usage(app, error);
    }
    if (options.record_file.empty()) {
        options.record_file = options.output_prefix + "record.json";
    }
    return {std::move(options), {}};
}

}  // namespace halocline::mgcfd
