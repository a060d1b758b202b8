// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Command line of halocline-solve: the case file, and flags that change what it says.
#pragma once

#include <string>
#include <vector>

#include "halocline/run/options.hpp"

namespace halocline::solve {

inline constexpr const char* program_name = "halocline-solve";

struct CommandLine {
    std::string case_file;
    std::vector<std::string> settings;  ///< section.key=value, in order
    bool dry_run = false;
    bool names = false;
    bool schema = false;
    std::string print;               ///< help, version, names or schema: print it and stop
    std::vector<std::string> words;  ///< as given, program first
    Affinity affinity;               ///< GPU and cores that the process took before MPI started
};

/// Throws UsageError.
[[nodiscard]] CommandLine parse_command(int argc, char** argv);

/// Writes what the flags among `words` say over what the case file said.
void apply_flags(const std::vector<std::string>& words, run::Options& options);

}  // namespace halocline::solve
