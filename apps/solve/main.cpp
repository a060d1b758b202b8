// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// halocline-solve: runs one case file; see docs/solve.md.
#include "case_file.hpp"
#include "command_line.hpp"
#include "halocline/core/error.hpp"
#include "halocline/core/print.hpp"
#include "halocline/core/standard_output.hpp"
#include "halocline/core/stop_request.hpp"
#include "halocline/machine/affinity.hpp"
#include "halocline/run/devices.hpp"
#include "solvers.hpp"

namespace {

int run_program(const halocline::Communicator& comm, const halocline::Affinity& affinity, int argc,
                char** argv) {
    using namespace halocline::solve;
    CommandLine command = parse_command(argc, argv);
    command.affinity = affinity;
    if (!command.print.empty()) {
        if (comm.is_root()) {
            halocline::say("{}", command.print);
        }
        return 0;
    }
    const toml::table file = read_case_file(comm, command.case_file, command.settings);
    CaseSection root(file, SectionSchema::root(), "", command.case_file);
    return solver_of(root).run(comm, command, root);
}

/// What the case asks for, before MPI is there. Mistakes wait for the run, which explains them.
halocline::run::Options peek_options(int argc, char** argv) {
    using namespace halocline::solve;
    halocline::run::Options options;
    try {
        const CommandLine command = parse_command(argc, argv);
        if (!command.print.empty()) {
            return {};
        }
        const toml::table root = peek_case_file(command.case_file, command.settings);
        options.threads = root["parallel"]["threads"].value_or(0);  // a word: the environment's
        options.backend = root["parallel"]["backend"].value_or(std::string("auto"));
        options.flow_interval = root["output"]["flow_interval"].value_or(0);
        if (const toml::table* output = root["output"].as_table();
            output != nullptr && output->contains("interval")) {
            options.output_interval = std::string(1, '1');  // how often does not matter yet
        }
        options.checkpoint_interval = root["checkpoint"]["interval"].value_or(0);
        options.checkpoint_seconds = root["checkpoint"]["seconds"].value_or(0.0);
        if (root["output"]["io"].value_or(std::string("async")) == "sync") {
            options.io_mode = halocline::output::IoMode::sync;
        }
        const auto selection = halocline::device_selections().find(
            root["parallel"]["device"].value_or(std::string("auto")));
        if (selection != halocline::device_selections().end()) {
            options.device = selection->second;
        }
        apply_flags(command.words, options);
    } catch (const halocline::Error&) {
        return {};
    }
    return options;
}

}  // namespace

int main(int argc, char** argv) {
    halocline::guard_streams();
    const halocline::StopRequest stop;  // a signal may come before there is a run
    return halocline::run_placed_program(
        argc, argv, halocline::solve::program_name,
        halocline::run::affinity_request_of(peek_options(argc, argv)), run_program);
}
