// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Where worker threads run: beside their rank's core, never on another rank's own cores.
#pragma once

#include <sched.h>

#include <vector>

namespace halocline::endpoints {

/// CPUs of each worker of a rank.
///
/// Ranks that share one mask (not bound) share it out in order; a rank bound to fewer CPUs than it
/// has endpoints takes CPUs of the node that belong to no rank. A worker for which nothing is left
/// gets an empty set: the operating system places it.
///
/// @param masks      affinity of every rank of the node
/// @param rank       whose workers are placed
/// @param online     CPUs of the node that may be used at all
/// @param endpoints  pieces of a collective: workers plus the rank's own thread
[[nodiscard]] std::vector<cpu_set_t> place_workers(const std::vector<cpu_set_t>& masks, int rank,
                                                   const cpu_set_t& online, int endpoints);

/// CPUs that a rank has for itself; at least one.
[[nodiscard]] int cpus_of_rank(const std::vector<cpu_set_t>& masks, int rank);

/// CPUs of this process; a kernel with more than a cpu_set_t holds gives the first ones.
[[nodiscard]] cpu_set_t own_mask();

/// All CPUs that are online.
[[nodiscard]] cpu_set_t online_cpus();

}  // namespace halocline::endpoints
