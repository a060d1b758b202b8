// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reads a case file and what --set changes in it.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"

namespace halocline::solve {

/// Parses `path` and applies every `section.key=value` of `settings` in order; a value is TOML, or a
/// plain word. Rank 0 reads. Throws InputError or UsageError on every rank. Collective.
[[nodiscard]] toml::table read_case_file(const Communicator& comm, const std::string& path,
                                         const std::vector<std::string>& settings);

/// The same by this process alone, for decisions before MPI starts. Empty when the file cannot be
/// read or parsed: `read_case_file` says why.
[[nodiscard]] toml::table peek_case_file(const std::string& path,
                                         const std::vector<std::string>& settings);

}  // namespace halocline::solve
