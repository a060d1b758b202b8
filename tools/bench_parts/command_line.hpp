// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Flags by CLI11, whose faults become one sentence.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halocline::bench_parts {

/// Makes `--version` known, and has the last of equal flags count.
void prepare(CLI::App& app);

/// Reads the flags. Returns a text to print instead of going on (--help, --version). Throws UsageError.
[[nodiscard]] std::optional<std::string> parse(CLI::App& app, int argc, char** argv);

[[nodiscard]] std::vector<std::string> split(const std::string& text, char separator = ',');

/// A comma-separated list of known names; "all" is the empty list. Throws UsageError, in which `what` is
/// what a name names.
[[nodiscard]] std::vector<std::string> parse_names(const std::string& flag, const std::string& text,
                                                   const std::string& what,
                                                   std::span<const std::string_view> known);

}  // namespace halocline::bench_parts
