// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A smaller graph for partitioners that are slow on large ones: a few vertices become one.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "halocline/dist/partition/partitioner.hpp"

namespace halocline::dist {

/// Divides a graph whose vertices have weights.
using GraphDivider = std::function<std::vector<int>(DistributedGraph& graph)>;

/// Part of each vertex of this rank's block: `divide` divides the contracted graph, then boundaries
/// are refined on the whole one (graph_refinement.hpp). Small graphs, and those whose neighbours are
/// mostly on other ranks, go to `divide` as they are.
///
/// Vertices join in rounds, each time with that neighbour on the same rank to which they have the
/// most edges ("heavy-edge matching": G. Karypis, V. Kumar, A fast and high quality multilevel scheme
/// for partitioning irregular graphs, SIAM J. Sci. Comput. 20, 1998,
/// doi:10.1137/S1064827595287997). Consumes the graph. The same graph on the same ranks gives the
/// same answer, if that of `divide` is. Collective.
[[nodiscard]] std::vector<int> divide_contracted(const Communicator& comm, DistributedGraph& graph,
                                                 std::span<const GlobalIndex> targets,
                                                 const GraphDivider& divide);

}  // namespace halocline::dist
