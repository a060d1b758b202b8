// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The graph a partitioner sees, built from block-distributed edges.
#pragma once

#include <span>

#include "halocline/dist/partitioner.hpp"

namespace halocline::dist {

/// Rows of this rank's block of `size` vertices, from every rank's block of edges (`pairs`: two
/// global ids each). Self-loops and duplicates are dropped. Edges travel in slices of
/// `slice_edges`. Collective.
[[nodiscard]] DistributedGraph build_distributed_graph(const Communicator& comm, GlobalIndex size,
                                                       std::span<const GlobalIndex> pairs,
                                                       std::size_t slice_edges = std::size_t{1}
                                                                                 << 19);

}  // namespace halocline::dist
