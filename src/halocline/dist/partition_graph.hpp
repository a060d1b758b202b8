// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The graph a partitioner sees, built from block-distributed edges.
#pragma once

#include <span>

#include "halocline/dist/partitioner.hpp"

namespace halocline::dist {

/// Rows of this rank's block of `size` vertices, from every rank's block of edges (`pairs`: two
/// global ids each). Self-loops and duplicates are dropped. Collective.
[[nodiscard]] DistributedGraph build_distributed_graph(const Communicator& comm, GlobalIndex size,
                                                       std::span<const GlobalIndex> pairs);

}  // namespace halocline::dist
