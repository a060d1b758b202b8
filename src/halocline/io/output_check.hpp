// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Says before the first cycle that results could not be written after the last.
#pragma once

#include <cstdint>
#include <string>

#include "halocline/core/communicator.hpp"

namespace halocline {

/// Tries to write a small file with `prefix` and asks for `needed_bytes` of free space in its folder.
/// Collective. Throws EnvironmentError on every rank when the folder is missing, not writable or full.
void check_output_writable(const Communicator& comm, const std::string& prefix,
                           std::int64_t needed_bytes = 0);

}  // namespace halocline
