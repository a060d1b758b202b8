// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// halocline-solve: runs one case file; see docs/solve.md.
#include <fmt/core.h>

#include "case_file.hpp"
#include "command_line.hpp"
#include "halocline/machine/affinity.hpp"
#include "solvers.hpp"

namespace {

int run_program(const halocline::Communicator& comm, int argc, char** argv) {
    using namespace halocline::solve;
    const CommandLine command = parse_command(argc, argv);
    if (!command.print.empty()) {
        if (comm.is_root()) {
            fmt::print("{}", command.print);
        }
        return 0;
    }
    const toml::table file = read_case_file(comm, command.case_file, command.settings);
    CaseSection root(file, SectionSchema::root(), "", command.case_file);
    return solver_of(root).run(comm, command, root);
}

}  // namespace

int main(int argc, char** argv) {
    return halocline::run_placed_program(argc, argv, halocline::solve::program_name, run_program);
}
