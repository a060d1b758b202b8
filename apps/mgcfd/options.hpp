// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Command line of mgcfd: MG-CFD's flags and a few of ours.
#pragma once

#include <optional>
#include <string>

#include "halocline/core/communicator.hpp"
#include "halocline/solver/mgcfd/options.hpp"

namespace halocline::mgcfd {

/// What parsing asks the program to do instead of running: print a text and stop.
struct PrintAndStop {
    std::string text;
};

/// Parses the command line; `-c FILE` stands for the flags its settings name, at its place, so later
/// flags win. Returns the options, or a text to print (`--help`, `--version`). Collective: the
/// configuration file is read by rank 0. Throws UsageError or InputError on every rank.
struct ParsedCommand {
    std::optional<Options> options;
    PrintAndStop print;
};
[[nodiscard]] ParsedCommand parse_command(const Communicator& comm, int argc, char** argv);

/// What the flags alone say, without files, for decisions before MPI starts. None when they do not
/// parse: `parse_command` says why.
[[nodiscard]] std::optional<Options> peek_options(int argc, char** argv);

}  // namespace halocline::mgcfd
