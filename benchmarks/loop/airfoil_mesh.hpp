// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The mesh of the airfoil test in memory: quadrilaterals in a channel with a bump on its floor.
#pragma once

#include <vector>

#include "halocline/core/types.hpp"
#include "numbering.hpp"

namespace halocline::benchmarks {

/// Sets, maps and dats under the names that OP2's airfoil gives them. All arrays are row-major.
struct AirfoilMesh {
    GlobalIndex nodes = 0;
    GlobalIndex cells = 0;
    GlobalIndex edges = 0;   ///< faces between two cells
    GlobalIndex bedges = 0;  ///< faces on the boundary

    std::vector<GlobalIndex> pedge;  ///< (edge, 2) nodes
    std::vector<GlobalIndex>
        pecell;  ///< (edge, 2) cells; the first lies left of first - second node
    std::vector<GlobalIndex> pbedge;   ///< (bedge, 2) nodes
    std::vector<GlobalIndex> pbecell;  ///< (bedge, 1) cell
    std::vector<GlobalIndex> pcell;    ///< (cell, 4) nodes, anticlockwise
    std::vector<double> x;             ///< (node, 2) coordinates
    std::vector<double> bound;         ///< (bedge, 1) 1: wall, 0: far field
};

/// About `cells` cells in a channel of 3 by 1, twice as many along as across; the bump is a tenth
/// high and stands on the middle third of the floor, which is a wall; all else is far field.
///
/// Natural: nodes and cells line by line along the channel, the faces above and behind a cell with
/// it. Shuffled: all four sets are numbered at random (fixed seed).
[[nodiscard]] AirfoilMesh make_airfoil_mesh(GlobalIndex cells, Numbering numbering);

}  // namespace halocline::benchmarks
