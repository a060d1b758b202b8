// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Products of three lines: positions, widths of dual cells, faces.
#include "verification/box_mesh.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace halocline::test {

BoxMesh::BoxMesh(const BoxShape& shape) : shape_(shape) {
    const int n = shape.nodes;
    for (int i = 0; i < n; ++i) {
        const double s = static_cast<double>(i) / (n - 1);
        const double turn = 2.0 * std::numbers::pi;
        line_.push_back(s + shape.stretch * std::sin(turn * s) / turn);
    }
    const auto at = [&](int i) { return line_[static_cast<std::size_t>(i)]; };
    for (int i = 0; i < n; ++i) {
        const double left = i == 0 ? at(0) : 0.5 * (at(i - 1) + at(i));
        const double right = i == n - 1 ? at(n - 1) : 0.5 * (at(i) + at(i + 1));
        width_.push_back(right - left);
    }
}

GlobalIndex BoxMesh::size() const {
    return GlobalIndex{shape_.nodes} * shape_.nodes * shape_.nodes;
}

BoxMesh::Index BoxMesh::index_of(GlobalIndex node) const {
    const int n = shape_.nodes;
    return {static_cast<int>(node / (n * n)), static_cast<int>(node / n % n),
            static_cast<int>(node % n)};
}

GlobalIndex BoxMesh::node_at(const Index& index) const {
    const GlobalIndex n = shape_.nodes;
    return (index[0] * n + index[1]) * n + index[2];
}

std::array<double, 3> BoxMesh::position(GlobalIndex node) const {
    const Index index = index_of(node);
    return {line_[static_cast<std::size_t>(index[0])], line_[static_cast<std::size_t>(index[1])],
            line_[static_cast<std::size_t>(index[2])]};
}

double BoxMesh::face(const Index& index, int axis) const {
    double area = 1.0;
    for (int other = 0; other < 3; ++other) {
        area *= other == axis
                    ? 1.0
                    : width_[static_cast<std::size_t>(index[static_cast<std::size_t>(other)])];
    }
    return area;
}

double BoxMesh::volume(GlobalIndex node) const {
    const Index index = index_of(node);
    return face(index, 0) * width_[static_cast<std::size_t>(index[0])];
}

double BoxMesh::surface(GlobalIndex node) const {
    const Index index = index_of(node);
    return 2.0 * (face(index, 0) + face(index, 1) + face(index, 2));
}

bool BoxMesh::is_inside(GlobalIndex node) const {
    for (const int i : index_of(node)) {
        if (i == 0 || i == shape_.nodes - 1) {
            return false;
        }
    }
    return true;
}

void BoxMesh::add_edges(MeshDeclaration& mesh, int nodes, const std::string& level) const {
    std::vector<GlobalIndex> ends;
    std::vector<double> weights;
    for (int axis = 0; axis < 3; ++axis) {
        for (GlobalIndex node = 0; node < size(); ++node) {
            Index next = index_of(node);
            if (++next[static_cast<std::size_t>(axis)] < shape_.nodes) {
                ends.insert(ends.end(), {node, node_at(next)});
                for (int d = 0; d < 3; ++d) {
                    weights.push_back(d == axis ? shape_.scale * face(index_of(node), axis) : 0.0);
                }
            }
        }
    }
    const int edges = mesh.add_set("edges" + level, static_cast<GlobalIndex>(ends.size()) / 2);
    mesh.add_map("edge_nodes" + level, edges, nodes, 2, std::move(ends));
    mesh.add_dat("edge_weights" + level, edges, 3, std::move(weights));
}

void BoxMesh::add_boundary(MeshDeclaration& mesh, int nodes, const std::string& level) const {
    std::vector<GlobalIndex> at;
    std::vector<double> weights;
    for (GlobalIndex node = 0; node < size(); ++node) {
        const Index index = index_of(node);
        for (int axis = 0; axis < 3; ++axis) {
            const int i = index[static_cast<std::size_t>(axis)];
            if (i != 0 && i != shape_.nodes - 1) {
                continue;
            }
            at.push_back(node);
            for (int d = 0; d < 3; ++d) {  // inward
                const double area = shape_.scale * face(index, axis);
                weights.push_back(d != axis ? 0.0 : i == 0 ? area : -area);
            }
        }
    }
    const auto entries = static_cast<GlobalIndex>(at.size());
    const int boundary = mesh.add_set("bnd" + level, entries);
    mesh.add_map("bnd_node" + level, boundary, nodes, 1, std::move(at));
    mesh.add_dat("bnd_group" + level, boundary, 1,
                 std::vector<double>(static_cast<std::size_t>(entries), shape_.group));
    mesh.add_dat("bnd_weights" + level, boundary, 3, std::move(weights));
}

int BoxMesh::add_to(MeshDeclaration& mesh, int index) const {
    const std::string level = "_L" + std::to_string(index);
    const int nodes = mesh.add_set("nodes" + level, size());
    std::vector<double> coordinates;
    std::vector<double> volumes;
    for (GlobalIndex node = 0; node < size(); ++node) {
        const std::array<double, 3> x = position(node);
        coordinates.insert(coordinates.end(), x.begin(), x.end());
        volumes.push_back(volume(node));
    }
    add_edges(mesh, nodes, level);
    add_boundary(mesh, nodes, level);
    mesh.add_dat("coordinates" + level, nodes, 3, std::move(coordinates));
    mesh.add_dat("volumes" + level, nodes, 1, std::move(volumes));
    return nodes;
}

MeshDeclaration BoxMesh::declare() const {
    MeshDeclaration mesh;
    add_to(mesh, 0);
    return mesh;
}

}  // namespace halocline::test
