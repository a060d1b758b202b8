// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// PT-Scotch's k-way partitioning, called directly.
#pragma once

#include "halocline/dist/partition/partitioner.hpp"

namespace halocline::dist {

/// Whether this build links PT-Scotch.
[[nodiscard]] bool has_ptscotch();

/// "PT-Scotch 7.0.3"
[[nodiscard]] std::string ptscotch_version();

/// Part of each vertex of this rank's block; consumes the graph. Fixed seed and deterministic mode:
/// the same graph on the same ranks gives the same answer. Throws InputError when the graph is too
/// large for PT-Scotch's integers, RunError when it fails, EnvironmentError in a build without
/// PT-Scotch. Collective.
[[nodiscard]] std::vector<int> partition_ptscotch_kway(const Communicator& comm,
                                                       DistributedGraph& graph,
                                                       std::span<const GlobalIndex> targets);

}  // namespace halocline::dist
