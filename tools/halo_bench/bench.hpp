// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The experiment at one number of domains.
#pragma once

#include "halocline/machine/affinity.hpp"
#include "options.hpp"

namespace halocline::halo_bench {

/// Returns the exit code. Collective.
int run_experiment(const Communicator& comm, const Options& options, const Affinity& affinity);

}  // namespace halocline::halo_bench
