// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A box of nodes with its median dual, in memory and exact: the domain of verification problems.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "halocline/core/types.hpp"
#include "halocline/mesh/declaration.hpp"

namespace halocline::test {

/// The unit cube with `nodes` nodes a side.
struct BoxShape {
    int nodes = 0;
    double stretch = 0.0;  ///< 0: even; else x = s + stretch sin(2 pi s) / (2 pi) along each axis
    int group = 4;         ///< of all boundary entries
    double scale = 1.0;    ///< all face areas are multiplied by it
};

/// Nodes in order of x, then y, then z, the last fastest. Dual faces lie half-way between nodes.
class BoxMesh {
public:
    explicit BoxMesh(const BoxShape& shape);

    [[nodiscard]] GlobalIndex size() const;
    [[nodiscard]] std::array<double, 3> position(GlobalIndex node) const;
    [[nodiscard]] double volume(GlobalIndex node) const;
    /// Sum of the areas of all faces of a node's dual cell.
    [[nodiscard]] double surface(GlobalIndex node) const;
    /// True for nodes whose dual cell has no face on the boundary.
    [[nodiscard]] bool is_inside(GlobalIndex node) const;

    /// A level under the names that the solver looks up, with dual volumes: legacy mode. Levels are
    /// added finest first, maps to parents are not.
    /// @returns its set of nodes
    int add_to(MeshDeclaration& mesh, int index) const;
    /// The box as the only level.
    [[nodiscard]] MeshDeclaration declare() const;

private:
    using Index = std::array<int, 3>;
    [[nodiscard]] Index index_of(GlobalIndex node) const;
    [[nodiscard]] GlobalIndex node_at(const Index& index) const;
    [[nodiscard]] double face(const Index& index, int axis) const;
    void add_edges(MeshDeclaration& mesh, int nodes, const std::string& level) const;
    void add_boundary(MeshDeclaration& mesh, int nodes, const std::string& level) const;

    BoxShape shape_;
    std::vector<double> line_;
    std::vector<double> width_;
};

}  // namespace halocline::test
