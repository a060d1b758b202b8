// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Do the faces of every dual cell form a closed surface?
#pragma once

#include <span>

#include "halocline/core/communicator.hpp"
#include "halocline/core/types.hpp"
#include "halocline/mesh/part.hpp"

namespace halocline {

/// One level on this rank, after distribution: rows of owned and import-exec elements, row-major.
/// Edge weights point from an edge's first node to its second; boundary weights point inward.
struct ClosureInput {
    const SetPart* nodes = nullptr;             ///< of the level
    std::span<const LocalIndex> edge_nodes;     ///< (edges.exec, 2)
    std::span<const double> edge_weights;       ///< (edges.exec, 3) [area]
    std::span<const LocalIndex> boundary_node;  ///< (boundary.exec, 1)
    std::span<const double> boundary_weights;   ///< (boundary.exec, 3) [area]
};

/// The node whose dual cell is furthest from closed.
struct ClosureDefect {
    double relative =
        0.0;  ///< |sum of face areas as vectors| / sum of |face areas|; 0 closed, 1 open
    GlobalIndex node = -1;  ///< in file order, counted from 0
};

/// The largest defect over all owned nodes of all ranks, the same answer on every rank:
///   d_i = | sum_{a(e)=i} w_e - sum_{b(e)=i} w_e - sum_{k(beta)=i} W_beta | / sum of their lengths.
/// A closed dual keeps a free stream to round-off: d is some 1e-16 times the number of faces.
/// Collective. NaN weights give infinity.
[[nodiscard]] ClosureDefect check_closure(const Communicator& comm, const ClosureInput& input);

}  // namespace halocline
