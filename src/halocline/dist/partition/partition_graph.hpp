// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The graph a partitioner sees, built from block-distributed edges.
#pragma once

#include <cstddef>
#include <vector>

#include "halocline/dist/partition/partitioner.hpp"
#include "halocline/mesh/declaration.hpp"

namespace halocline::dist {

/// Maps that join elements of `set` with each other, which makes them a graph: those of arity 2 when
/// one of them has as many rows as `set` has elements (fewer edges cannot hold a mesh together), else
/// all that have several targets in `set`. A map from `set` to itself counts whatever its arity.
[[nodiscard]] std::vector<int> graph_maps_of(const MeshDeclaration& declaration, int set);

/// Rows of this rank's block of `set`, from every rank's block of `maps`, all of them onto `set`. Targets
/// of one row are joined as a ring, which keeps them together with the fewest edges (two are an edge,
/// corners of a polygon in their order are its sides); a map from `set` to itself joins each element
/// with its targets. Self-loops and duplicates are dropped. `slice_edges` travel at a time. Collective.
[[nodiscard]] DistributedGraph build_distributed_graph(const Communicator& comm,
                                                       const MeshDeclaration& declaration, int set,
                                                       const std::vector<int>& maps,
                                                       std::size_t slice_edges = std::size_t{1}
                                                                                 << 19);

}  // namespace halocline::dist
