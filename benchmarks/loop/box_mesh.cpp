// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Builds the box line by line, then renames nodes and reorders edges.
#include "box_mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>

namespace halocline::benchmarks {

namespace {

constexpr unsigned seed = 1;

struct BoxEdge {
    GlobalIndex first;
    GlobalIndex second;
    int direction;
};

std::vector<BoxEdge> edges_of(GlobalIndex side) {
    std::vector<BoxEdge> edges;
    edges.reserve(static_cast<std::size_t>(3 * side * side * side));
    const std::array<GlobalIndex, 3> stride{side * side, side, 1};
    for (GlobalIndex node = 0; node < side * side * side; ++node) {
        for (int direction = 0; direction < 3; ++direction) {
            const GlobalIndex step = stride[static_cast<std::size_t>(direction)];
            if (node / step % side + 1 < side) {
                edges.push_back({node, node + step, direction});
            }
        }
    }
    return edges;
}

std::array<double, 5> state_at(GlobalIndex node) {
    const double wave = 0.05 * std::sin(1e-4 * static_cast<double>(node));
    const double density = 1.4 + wave;
    const double speed = 1.2 - wave;
    return {density, density * speed, density * 0.1 * wave, density * 0.2 * wave,
            2.5 + 0.5 * density * speed * speed};
}

}  // namespace

MeshDeclaration make_box(GlobalIndex nodes, Numbering numbering) {
    const auto side = std::max<GlobalIndex>(2, std::llround(std::cbrt(static_cast<double>(nodes))));
    const GlobalIndex count = side * side * side;
    std::mt19937_64 random(seed);
    const std::vector<GlobalIndex> number = new_numbers(count, numbering, random);
    std::vector<BoxEdge> edges = edges_of(side);
    if (numbering == Numbering::shuffled) {
        std::shuffle(edges.begin(), edges.end(), random);
    }

    std::vector<GlobalIndex> ends;
    std::vector<double> normals(3 * edges.size(), 0.0);
    for (std::size_t e = 0; e < edges.size(); ++e) {
        ends.push_back(number[static_cast<std::size_t>(edges[e].first)]);
        ends.push_back(number[static_cast<std::size_t>(edges[e].second)]);
        normals[3 * e + static_cast<std::size_t>(edges[e].direction)] = 1.0;
    }
    std::vector<double> q(5 * static_cast<std::size_t>(count));
    for (GlobalIndex node = 0; node < count; ++node) {
        const std::array<double, 5> state = state_at(node);
        const auto row = 5 * static_cast<std::size_t>(number[static_cast<std::size_t>(node)]);
        std::copy(state.begin(), state.end(), q.begin() + static_cast<std::ptrdiff_t>(row));
    }

    MeshDeclaration mesh;
    const int node_set = mesh.add_set("nodes", count);
    const int edge_set = mesh.add_set("edges", static_cast<GlobalIndex>(edges.size()));
    mesh.add_map("edge_nodes", edge_set, node_set, 2, std::move(ends));
    mesh.add_dat("q", node_set, 5, std::move(q));
    mesh.add_dat("normals", edge_set, 3, std::move(normals));
    return mesh;
}

}  // namespace halocline::benchmarks
