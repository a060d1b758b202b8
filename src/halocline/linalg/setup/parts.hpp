// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Connected parts of a graph that lies on several ranks.
#pragma once

#include "halocline/linalg/setup/ghost_nodes.hpp"
#include "halocline/linalg/setup/row_graph.hpp"

namespace halocline::linalg::setup {

/// Connected parts of a graph.
struct Parts {
    GlobalIndex count = 0;             ///< over all ranks
    std::vector<GlobalIndex> of_node;  ///< (owned): parts are numbered by their lowest node
};

/// By lowest ids that spread along edges: for coarse graphs, which are small across. Collective.
[[nodiscard]] Parts find_parts(const Communicator& comm, const RowGraph& graph,
                               const GhostNodes& ghosts);

}  // namespace halocline::linalg::setup
