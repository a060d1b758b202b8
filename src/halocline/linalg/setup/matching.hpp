// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Pairs of strongly coupled nodes, the same on any number of ranks.
#pragma once

#include "halocline/linalg/setup/ghost_nodes.hpp"
#include "halocline/linalg/setup/row_graph.hpp"

namespace halocline::linalg::setup {

/// Local partner of each local node, ghosts included; itself for nodes that stay alone.
///
/// Matching by locally dominant edges: an edge whose two ends have none that they like better becomes a
/// pair. Lines of a regular numbering come first (lines.hpp). Preferences are a strict order of all edges by
/// weight and a hash of global ids, so the pairs are those
/// of the greedy matching in that order, whoever finds them in which sequence (Preis 1999,
/// doi:10.1007/3-540-49116-3_24; Manne & Bisseling 2007, doi:10.1007/978-3-540-68111-3_74). Edges of weight zero and below,
/// and those much weaker than others at both ends, make no pairs. Collective.
[[nodiscard]] Buffer<LocalIndex> match_pairs(const Communicator& comm, const RowGraph& graph,
                                             const GhostNodes& ghosts, double largest_ratio);

}  // namespace halocline::linalg::setup
