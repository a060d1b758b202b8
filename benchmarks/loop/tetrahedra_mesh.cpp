// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Kuhn's division: each cube falls into the six tetrahedra that share its main diagonal.
#include "tetrahedra_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <random>
#include <utility>

namespace halocline::benchmarks {

namespace {

constexpr unsigned seed = 1;
using Vector = std::array<double, 3>;

Vector difference(const double* a, const double* b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

Vector cross(const Vector& a, const Vector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// Nodes along a side, and steps between neighbours by a code of three bits (x: 4, y: 2, z: 1).
struct Lattice {
    GlobalIndex side;

    [[nodiscard]] GlobalIndex step(unsigned code) const {
        return (code >> 2U & 1U) * side * side + (code >> 1U & 1U) * side + (code & 1U);
    }
    [[nodiscard]] std::array<GlobalIndex, 3> place(GlobalIndex node) const {
        return {node / (side * side), node / side % side, node % side};
    }
    /// Whether the node has a neighbour in direction `code`.
    [[nodiscard]] bool reaches(GlobalIndex node, unsigned code) const {
        const std::array<GlobalIndex, 3> at = place(node);
        return !((code & 4U) != 0 && at[0] + 1 == side) &&
               !((code & 2U) != 0 && at[1] + 1 == side) && !((code & 1U) != 0 && at[2] + 1 == side);
    }
    [[nodiscard]] bool is_inside(GlobalIndex node) const {
        const std::array<GlobalIndex, 3> at = place(node);
        return std::all_of(at.begin(), at.end(),
                           [&](GlobalIndex i) { return i > 0 && i + 1 < side; });
    }
};

/// Displacements vanish on the boundary and turn no tetrahedron over.
void add_nodes(const Lattice& lattice, TetrahedraMesh& mesh) {
    mesh.nodes = lattice.side * lattice.side * lattice.side;
    for (GlobalIndex node = 0; node < mesh.nodes; ++node) {
        Vector x;
        double bump = 0.05;
        const std::array<GlobalIndex, 3> at = lattice.place(node);
        for (std::size_t d = 0; d < 3; ++d) {
            x[d] = static_cast<double>(at[d]) / static_cast<double>(lattice.side - 1);
            bump *= std::sin(std::numbers::pi * x[d]);
        }
        mesh.x.insert(mesh.x.end(), {x[0] + bump, x[1] - bump, x[2] + 0.5 * bump});
        mesh.inside.push_back(lattice.is_inside(node) ? 1.0 : 0.0);
    }
}

/// From the cube's first corner to its last along the axes in each order. Odd orders have two corners
/// exchanged, so that all volumes are positive.
void add_tetrahedra(const Lattice& lattice, TetrahedraMesh& mesh) {
    constexpr std::array<std::array<unsigned, 2>, 6> between{
        {{4, 6}, {5, 4}, {6, 2}, {2, 3}, {1, 5}, {3, 1}}};
    for (GlobalIndex node = 0; node < mesh.nodes; ++node) {
        if (lattice.reaches(node, 7)) {
            for (const std::array<unsigned, 2>& codes : between) {
                mesh.corners.insert(mesh.corners.end(),
                                    {node, node + lattice.step(codes[0]),
                                     node + lattice.step(codes[1]), node + lattice.step(7)});
            }
        }
    }
    mesh.tetrahedra = static_cast<GlobalIndex>(mesh.corners.size() / 4);
}

/// Edges go along the seven directions of a cube's corners; returns (node, 8) the edge that leaves a
/// node in a direction, -1 where there is none.
std::vector<GlobalIndex> add_edges(const Lattice& lattice, TetrahedraMesh& mesh) {
    std::vector<GlobalIndex> edge_at(static_cast<std::size_t>(8 * mesh.nodes), -1);
    for (GlobalIndex node = 0; node < mesh.nodes; ++node) {
        for (unsigned code = 1; code < 8; ++code) {
            if (lattice.reaches(node, code)) {
                edge_at[static_cast<std::size_t>(8 * node + code)] = mesh.edges++;
                mesh.ends.insert(mesh.ends.end(), {node, node + lattice.step(code)});
            }
        }
    }
    return edge_at;
}

unsigned direction(const Lattice& lattice, GlobalIndex step) {
    unsigned code = 1;
    while (lattice.step(code) != step) {
        ++code;
    }
    return code;
}

void add_stiffness(const Lattice& lattice, const std::vector<GlobalIndex>& edge_at,
                   TetrahedraMesh& mesh) {
    constexpr std::array<std::pair<int, int>, 6> pairs{
        {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
    mesh.load.assign(static_cast<std::size_t>(mesh.nodes), 0.0);
    mesh.edge_weights.assign(static_cast<std::size_t>(mesh.edges), 0.0);
    for (std::size_t t = 0; 4 * t < mesh.corners.size(); ++t) {
        const GlobalIndex* node = &mesh.corners[4 * t];
        std::array<const double*, 4> corners{};
        for (std::size_t k = 0; k < 4; ++k) {
            corners[k] = &mesh.x[static_cast<std::size_t>(3 * node[k])];
        }
        const TetrahedronStiffness element = tetrahedron_stiffness(corners);
        for (std::size_t k = 0; k < 4; ++k) {
            mesh.load[static_cast<std::size_t>(node[k])] += 0.25 * element.volume;
        }
        for (std::size_t k = 0; k < 6; ++k) {
            const auto [first, second] = std::minmax(node[pairs[k].first], node[pairs[k].second]);
            const unsigned code = direction(lattice, second - first);
            const GlobalIndex edge = edge_at[static_cast<std::size_t>(8 * first + code)];
            mesh.edge_weights[static_cast<std::size_t>(edge)] += element.weights[k];
            mesh.element_weights.push_back(element.weights[k]);
        }
    }
}

/// Numbers all sets at random.
void shuffle(TetrahedraMesh& mesh) {
    std::mt19937_64 random(seed);
    const auto numbers = [&](GlobalIndex count) {
        return new_numbers(count, Numbering::shuffled, random);
    };
    const std::vector<GlobalIndex> node = numbers(mesh.nodes);
    const std::vector<GlobalIndex> tetrahedron = numbers(mesh.tetrahedra);
    const std::vector<GlobalIndex> edge = numbers(mesh.edges);
    rename_targets(mesh.corners, node);
    rename_targets(mesh.ends, node);
    mesh.corners = moved_rows(mesh.corners, 4, tetrahedron);
    mesh.element_weights = moved_rows(mesh.element_weights, 6, tetrahedron);
    mesh.ends = moved_rows(mesh.ends, 2, edge);
    mesh.edge_weights = moved_rows(mesh.edge_weights, 1, edge);
    mesh.x = moved_rows(mesh.x, 3, node);
    mesh.inside = moved_rows(mesh.inside, 1, node);
    mesh.load = moved_rows(mesh.load, 1, node);
}

}  // namespace

TetrahedronStiffness tetrahedron_stiffness(const std::array<const double*, 4>& corners) {
    const Vector a = difference(corners[1], corners[0]);
    const Vector b = difference(corners[2], corners[0]);
    const Vector c = difference(corners[3], corners[0]);
    const std::array<Vector, 3> normal{cross(b, c), cross(c, a), cross(a, b)};
    const double six_volumes = dot(a, normal[0]);
    const double scale = -1.0 / (6.0 * six_volumes);
    const double w12 = scale * dot(normal[0], normal[1]);
    const double w13 = scale * dot(normal[0], normal[2]);
    const double w23 = scale * dot(normal[1], normal[2]);
    // Rows of the matrix add up to zero.
    const double w01 = -scale * dot(normal[0], normal[0]) - w12 - w13;
    const double w02 = -scale * dot(normal[1], normal[1]) - w12 - w23;
    const double w03 = -scale * dot(normal[2], normal[2]) - w13 - w23;
    return {{w01, w02, w03, w12, w13, w23}, six_volumes / 6.0};
}

TetrahedraMesh make_tetrahedra_mesh(GlobalIndex tetrahedra, Numbering numbering) {
    const double cubes = static_cast<double>(tetrahedra) / 6.0;
    const Lattice lattice{std::max<GlobalIndex>(2, std::llround(std::cbrt(cubes))) + 1};
    TetrahedraMesh mesh;
    add_nodes(lattice, mesh);
    add_tetrahedra(lattice, mesh);
    add_stiffness(lattice, add_edges(lattice, mesh), mesh);
    if (numbering == Numbering::shuffled) {
        shuffle(mesh);
    }
    return mesh;
}

}  // namespace halocline::benchmarks
