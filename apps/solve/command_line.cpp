// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Parses twice: first to find the case file, then over what the case file says.
#include "command_line.hpp"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "case_schema.hpp"
#include "halocline/core/error.hpp"
#include "halocline/run/flags.hpp"
#include "names.hpp"
#include "solvers.hpp"

namespace halocline::solve {

namespace {

constexpr const char* description =
    "Runs one case file. Flags change what the file says, for this run.";

constexpr const char* examples = R"(
Examples:
  halocline-solve case.toml
  mpirun -n 16 halocline-solve case.toml -m ptscotch -r kway --halo-scheme auto
  halocline-solve case.toml --set solver.cycles=100 --set output.directory=long
  halocline-solve case.toml --dry-run

The case file is that of 'halocline run', which also makes meshes and chooses ranks and threads;
docs/case_file.md lists its keys. Relative paths start at the folder of the case file.
SIGUSR1 ends the run after the cycle it is in, with its results, a checkpoint and exit code 75;
--restart auto goes on from there.
Exit codes: 0 ok, 2 usage, 3 invalid case or mesh, 4 environment, 5 run failed,
6 validation differs, 75 stopped early.)";

std::string footer() {
    std::string text = "\nSolvers (key solver.name):\n";
    for (const Solver& solver : solvers()) {
        text += fmt::format("  {:<20} {}\n", solver.name, solver.summary);
    }
    return text + examples;
}

void add_flags(CLI::App& app, CommandLine& command, run::Options& options) {
    app.name(program_name);
    app.footer(footer());
    app.set_version_flag("--version", run::version_text());
    app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    app.add_option("case", command.case_file, "Case file (TOML)")->type_name("CASE.toml");
    app.add_option("--set", command.settings, "Change a key of the case; repeatable")
        ->type_name("KEY=VALUE")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false);
    app.add_flag("--dry-run", command.dry_run, "Check the case, say what would run, and stop");
    app.add_flag("--names", command.names, "Print the words that keys of case files choose from");
    app.add_flag("--schema", command.schema, "Print the JSON schema of case files");
    run::add_run_flags(app, options);
}

void parse(CLI::App& app, const std::vector<std::string>& words) {
    const std::vector<std::string> given(words.begin() + 1, words.end());
    const std::vector<std::string> completed = run::complete_long_flags(app, given);
    std::vector<std::string> reversed(completed.rbegin(), completed.rend());
    try {
        app.parse(reversed);
    } catch (const CLI::Success&) {
        throw;
    } catch (const CLI::ParseError& error) {
        run::throw_usage(app, error);
    }
}

}  // namespace

CommandLine parse_command(int argc, char** argv) {
    CommandLine command;
    run::Options unused;
    unused.partitioner = "";
    unused.partitioner_method = "";
    CLI::App app{description};
    add_flags(app, command, unused);
    command.words.assign(argv, argv + argc);
    try {
        parse(app, command.words);
    } catch (const CLI::CallForHelp&) {
        command.print = run::help_text(app);
        return command;
    } catch (const CLI::CallForVersion& version) {
        command.print = std::string(version.what()) + "\n";
        return command;
    }
    if (command.names) {
        command.print = names_text();
        return command;
    }
    if (command.schema) {
        command.print = case_schema_text();
        return command;
    }
    validate<UsageError>(!command.case_file.empty(),
                         "no case file given. Name one: halocline-solve case.toml.");
    return command;
}

void apply_flags(const std::vector<std::string>& words, run::Options& options) {
    CommandLine again;
    CLI::App app{description};
    add_flags(app, again, options);
    parse(app, words);
}

}  // namespace halocline::solve
