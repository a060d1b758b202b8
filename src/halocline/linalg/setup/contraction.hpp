// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The Galerkin operator of pairs: edges between two pairs become one, edges within vanish.
#pragma once

#include "halocline/linalg/setup/ghost_nodes.hpp"
#include "halocline/linalg/setup/row_graph.hpp"

namespace halocline::linalg::setup {

/// A coarser graph, and where the finer one's nodes went.
struct Contraction {
    RowGraph graph;                  ///< a pair lies at the owner of its first node
    Buffer<GlobalIndex> parent;      ///< coarse node, by owned node of the finer graph
    Buffer<LocalIndex> first_child;  ///< owned finer node with the lowest id, by owned coarse node
};

/// P^T A P for the piecewise constant P of pairs, each edge with its share (`MergedEdge::share`);
/// `partner` as `match_pairs` gives it. Coarse nodes are numbered
/// by the lower id of their pair. At most four weights make a new one; they are added in an order that
/// is the same from both sides, so both rows have the same bits. Consumes `graph`.
/// Collective.
[[nodiscard]] Contraction contract_pairs(const Communicator& comm, RowGraph graph,
                                         const GhostNodes& ghosts,
                                         const Buffer<LocalIndex>& partner, double lengthwise);

}  // namespace halocline::linalg::setup
