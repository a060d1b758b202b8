// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The finest level of a mesh as the solver sees it, and what follows from the mesh alone.
#pragma once

#include <string>

#include "halocline/backend/context.hpp"
#include "halocline/backend/make_subset.hpp"
#include "halocline/mesh/mesh.hpp"
#include "halocline/solver/advection_diffusion/options.hpp"

namespace halocline::advection_diffusion {

struct Node {};
struct Edge {};
struct BoundaryEntry {};

using NodeScalar = Dat<Node, double, 1>;

struct Geometry {
    Set<Node> nodes;
    Set<Edge> edges;
    Map<Edge, Node, 2> edge_nodes;
    Subset<Node> boundary_nodes;
    Dat<Node, double, 3> coordinates;
    Dat<Edge, double, 3> normals;  ///< area vectors, from the first node to the second
    NodeScalar volume;
    Dat<Node, double, 1, LaneStorage> inverse_volume;   ///< 0 at boundary nodes
    Dat<Node, double, 6, LaneStorage> inverse_moments;  ///< of the least squares: xx xy xz yy yz zz
};

/// Takes level 0 from `mesh`, whose dual volumes were read. Throws InputError, naming `file`, for a node
/// whose neighbours lie in one plane (it has no gradient) and for a mesh whose areas are scaled.
/// Collective.
[[nodiscard]] Geometry make_geometry(Context& context, Mesh& mesh, const std::string& file);

/// Steps a unit of time that the explicit scheme needs where it is most restricted (section 5 of
/// docs/theory/advection_diffusion.md). Collective.
[[nodiscard]] double largest_rate(Context& context, const Mesh& mesh, const Geometry& geometry,
                                  const Options& options);

}  // namespace halocline::advection_diffusion
