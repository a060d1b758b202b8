// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The run of the benchmark from devices to report.
#pragma once

#include "options.hpp"
#include "report.hpp"

namespace halocline::p2p {

/// Runs what the options ask for; prints, writes files. Returns the exit code. Collective.
int run_benchmark(const Communicator& comm, const Options& options, const Affinity& affinity);

}  // namespace halocline::p2p
