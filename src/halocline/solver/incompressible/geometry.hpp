// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The finest level of a mesh as the solver sees it, in 2 or 3 dimensions.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "halocline/backend/context.hpp"
#include "halocline/core/expression.hpp"
#include "halocline/mesh/mesh.hpp"

namespace halocline::incompressible {

struct Node {};
struct Edge {};
struct BoundaryEntry {};

template <int dim>
using NodeVector = Dat<Node, double, dim>;
using NodeScalar = Dat<Node, double, 1>;
/// Of values that loops read directly only.
template <int dim>
using Direct = Dat<Node, double, dim, LaneStorage>;

/// Where an element lies; in the plane z is zero.
using Place = std::array<double, 3>;
template <class Tag, int dim>
[[nodiscard]] Place place_of(const Dat<Tag, double, dim>& coordinates, LocalIndex i) {
    Place place{};
    for (int d = 0; d < dim; ++d) {
        place[static_cast<std::size_t>(d)] = coordinates.store().at(i, d);
    }
    return place;
}
[[nodiscard]] inline double value_at(const Expression& formula, const Place& place, double time) {
    return formula(place[0], place[1], place[2], time);
}

/// Edges are those of the mesh and, without area, its diagonals.
template <int dim>
struct Geometry {
    Set<Node> nodes;
    Set<Edge> edges;
    Map<Edge, Node, 2> edge_nodes;
    NodeVector<dim> coordinates;
    Dat<Edge, double, dim> normals;  ///< area vectors, from the first node to the second
    Dat<Edge, double, 1> stiffness;  ///< weights of the Laplacian
    Direct<1> inverse_volume;        ///< of dual cells
    Direct<1> spread;                ///< sum |stiffness| / volume
    double largest_spread = 0.0;     ///< over all nodes
    double volume = 0.0;             ///< of the mesh
    /// Nodes whose sums over edges are not gradients of linear fields: at boundaries, and where cells are
    /// bent and dual faces are those of the mesh. And what makes them exact there (dim x dim).
    Subset<Node> inexact_nodes;
    /// None where there are no such nodes.
    std::optional<Dat<Members<Node>, double, dim * dim, LaneStorage>> exact_gradient;
};

/// What a level file has beside the usual.
struct LevelExtras {
    bool has_edge_vectors = false;  ///< ways along edges, of periodic meshes
    bool has_own_faces = false;     ///< see MgcfdLevel
};

/// Takes level 0 from `mesh`, read with dual volumes and weights of the Laplacian. Throws InputError,
/// naming `file`, for scaled areas. Collective.
template <int dim>
[[nodiscard]] Geometry<dim> make_geometry(Context& context, Mesh& mesh, const std::string& file,
                                          LevelExtras extras);

}  // namespace halocline::incompressible
