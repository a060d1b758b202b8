// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A box of hexahedra as an edge-based mesh in memory, numbered along its lines or at random.
#pragma once

#include "halocline/mesh/declaration.hpp"
#include "numbering.hpp"

namespace halocline::benchmarks {

/// About `nodes` nodes, as many along each side; edges join neighbours along the three directions.
///
/// Sets "nodes" and "edges", map "edge_nodes" (edge, 2), dats "q" (node, 5): a smooth flow at about
/// Mach 1.2, and "normals" (edge, 3): unit area vectors from the first node to the second. Shuffled:
/// nodes and edges are numbered at random (fixed seed); the values are those of the same places.
[[nodiscard]] MeshDeclaration make_box(GlobalIndex nodes, Numbering numbering);

}  // namespace halocline::benchmarks
