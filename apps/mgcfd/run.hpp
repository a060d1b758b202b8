// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One run of mgcfd: read, distribute, cycle, write, record.
#pragma once

#include "console.hpp"
#include "options.hpp"

namespace halocline::mgcfd {

/// Runs the case. Collective. Throws on every rank; a record is written whenever the mesh was read.
/// @returns 0, or the exit code of a validation that failed
int run_case(const Communicator& comm, const Options& options, Console& console);

}  // namespace halocline::mgcfd
