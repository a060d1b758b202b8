// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Says before the first cycle that results could not be written after the last.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"

namespace halocline {

/// Makes and removes a small file with `prefix` and beside each of `files`, whose names must be free
/// for a file, and asks for `needed_bytes` of free space in the folder of `prefix`.
/// Collective. Throws EnvironmentError on every rank when a folder is missing, not writable or full.
void check_output_writable(const Communicator& comm, const std::string& prefix,
                           const std::vector<std::string>& files = {},
                           std::int64_t needed_bytes = 0);

/// What any use of a prefix needs: a folder, and no control characters in names. Not collective.
/// Throws EnvironmentError or UsageError.
void require_output_folder(const std::string& prefix);

/// Throws EnvironmentError: results cannot be written with the prefix (reason). Remedy.
[[noreturn]] void refuse_prefix(const std::string& prefix, const std::string& reason,
                                const std::string& remedy);

}  // namespace halocline
