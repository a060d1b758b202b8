// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A box of tetrahedra in memory with what the P1 Laplacian needs on it.
#pragma once

#include <array>
#include <vector>

#include "halocline/core/types.hpp"
#include "numbering.hpp"

namespace halocline::benchmarks {

/// A cube of side 1, nodes displaced a little within. All arrays are row-major.
struct TetrahedraMesh {
    GlobalIndex nodes = 0;
    GlobalIndex tetrahedra = 0;
    GlobalIndex edges = 0;

    std::vector<GlobalIndex> corners;  ///< (tetrahedron, 4) nodes, of positive volume
    std::vector<GlobalIndex> ends;     ///< (edge, 2) nodes
    std::vector<double> x;             ///< (node, 3) coordinates
    std::vector<double> inside;        ///< (node, 1) 0: on the boundary, where u = 0; 1: elsewhere
    std::vector<double> load;          ///< (node, 1) integral of the node's hat function
    /// (tetrahedron, 6) minus the off-diagonal entries of its stiffness matrix: 01 02 03 12 13 23.
    std::vector<double> element_weights;
    /// (edge, 1) minus the off-diagonal entry of the whole stiffness matrix.
    std::vector<double> edge_weights;
};

/// Minus the off-diagonal entries of the stiffness matrix of one tetrahedron, 01 02 03 12 13 23, and
/// its volume, from four corners of three coordinates each.
struct TetrahedronStiffness {
    std::array<double, 6> weights;
    double volume;
};
[[nodiscard]] TetrahedronStiffness tetrahedron_stiffness(
    const std::array<const double*, 4>& corners);

/// About `tetrahedra` of them, six a cube, as many cubes along each side.
///
/// Natural: nodes and cubes line by line, the six of a cube together, edges with their lower end.
/// Shuffled: all three sets are numbered at random (fixed seed).
[[nodiscard]] TetrahedraMesh make_tetrahedra_mesh(GlobalIndex tetrahedra, Numbering numbering);

}  // namespace halocline::benchmarks
