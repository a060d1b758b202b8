// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Flags that every program which runs a solver has, whatever names the case.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "halocline/run/options.hpp"

namespace halocline::run {

/// Partitioner, halo scheme, back end, output, checks, progress, each under a heading of the help: written
/// into `options` where given.
void add_run_flags(CLI::App& app, Options& options);

/// What `--help` prints.
[[nodiscard]] std::string help_text(const CLI::App& app);

/// getopt takes any unambiguous beginning of a long flag; scripts rely on it.
[[nodiscard]] std::vector<std::string> complete_long_flags(const CLI::App& app,
                                                           std::vector<std::string> words);

/// CLI11's error as a sentence with the nearest known flag.
[[noreturn]] void throw_usage(const CLI::App& app, const CLI::ParseError& error);

/// What `--version` prints.
[[nodiscard]] std::string version_text();

}  // namespace halocline::run
