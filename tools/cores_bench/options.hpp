// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Flags of halocline-cores.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace halocline::cores {

struct Options {
    std::vector<int>
        cores;             ///< numbers that are busy at once, ascending; empty: powers of 2 and all
    double time_s = 0.01;  ///< of one row
    int repeats = 3;       ///< of all rows, in turn
    std::string json_file;  ///< empty: none is written
    bool quiet = false;     ///< no table
    std::vector<std::string> command;
};

/// Options, or a text to print instead (--help, --version). Throws UsageError.
struct ParsedOptions {
    std::optional<Options> options;
    std::string text;
};
[[nodiscard]] ParsedOptions parse_options(int argc, char** argv);

}  // namespace halocline::cores
