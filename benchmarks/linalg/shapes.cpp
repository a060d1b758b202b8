// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Five- and seven-point stencils, and linear finite elements on cubes that are cut into six tetrahedra.
#include "shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

namespace halocline::bench {

namespace {

struct Grid {
    std::array<GlobalIndex, 3> size;
    [[nodiscard]] GlobalIndex nodes() const { return size[0] * size[1] * size[2]; }
    [[nodiscard]] std::array<GlobalIndex, 3> place(GlobalIndex node) const {
        return {node % size[0], node / size[0] % size[1], node / (size[0] * size[1])};
    }
    [[nodiscard]] GlobalIndex node(const std::array<GlobalIndex, 3>& p) const {
        return p[0] + size[0] * (p[1] + size[1] * p[2]);
    }
    [[nodiscard]] bool has(const std::array<GlobalIndex, 3>& p) const {
        for (std::size_t d = 0; d < 3; ++d) {
            if (p[d] < 0 || p[d] >= size[d]) {
                return false;
            }
        }
        return true;
    }
};

/// Edges of all nodes in order; a rank keeps those of its block.
struct Edges {
    std::vector<GlobalIndex> ends;
    std::vector<double> weights;
};

/// Edges to the next node in each direction; calls `add(a, b, direction)`.
template <class Add>
void stencil_edges(const Grid& grid, Add&& add) {
    for (GlobalIndex a = 0; a < grid.nodes(); ++a) {
        const auto p = grid.place(a);
        for (std::size_t d = 0; d < 3; ++d) {
            auto q = p;
            ++q[d];
            if (grid.has(q)) {
                add(a, grid.node(q), d);
            }
        }
    }
}

Edges stencil(const Communicator& comm, const Grid& grid, double stretched, GlobalIndex& count) {
    count = 0;
    for (std::size_t d = 0; d < 3; ++d) {
        count += grid.nodes() / grid.size[d] * (grid.size[d] - 1);
    }
    const BlockRange block = block_range(count, comm.rank(), comm.size());
    const std::array<double, 3> weight{1.0 / stretched, stretched, stretched};
    Edges edges;
    edges.ends.reserve(static_cast<std::size_t>(2 * block.size()));
    edges.weights.reserve(static_cast<std::size_t>(block.size()));
    GlobalIndex e = 0;
    stencil_edges(grid, [&](GlobalIndex a, GlobalIndex b, std::size_t d) {
        if (e >= block.begin && e < block.end) {
            edges.ends.insert(edges.ends.end(), {a, b});
            edges.weights.push_back(weight[d]);
        }
        ++e;
    });
    return edges;
}

/// In [-0.5, 0.5), of a place and a direction.
double noise(std::uint64_t key) {
    key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9U;
    key = (key ^ (key >> 27)) * 0x94d049bb133111ebU;
    key ^= key >> 31;
    return static_cast<double>(key >> 11) * 0x1p-53 - 0.5;
}

using Point = std::array<double, 3>;

Point perturbed_place(const Grid& grid, GlobalIndex node, double stretched) {
    const auto p = grid.place(node);
    Point x;
    for (std::size_t d = 0; d < 3; ++d) {
        const bool inside = p[d] > 0 && p[d] + 1 < grid.size[d];
        x[d] = static_cast<double>(p[d]) +
               (inside ? 0.4 * noise(static_cast<std::uint64_t>(3 * node) + d) : 0.0);
    }
    x[0] *= stretched;
    return x;
}

Point cross(const Point& a, const Point& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Point minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

/// Edge weights of linear elements: w_ab = - sum over tetrahedra of their volume times grad N_a grad N_b.
std::map<std::pair<GlobalIndex, GlobalIndex>, double> element_weights(const Grid& grid,
                                                                      double stretched) {
    constexpr int paths[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};
    std::map<std::pair<GlobalIndex, GlobalIndex>, double> weights;
    for (GlobalIndex a = 0; a < grid.nodes(); ++a) {
        const auto p = grid.place(a);
        if (!grid.has({p[0] + 1, p[1] + 1, p[2] + 1})) {
            continue;
        }
        const auto corner = [&](int k) {
            return grid.node({p[0] + (k & 1), p[1] + (k >> 1 & 1), p[2] + (k >> 2 & 1)});
        };
        for (const auto& path : paths) {
            const std::array<GlobalIndex, 4> t{corner(0), corner(path[0]), corner(path[1]),
                                               corner(7)};
            std::array<Point, 4> x, gradient;
            for (std::size_t i = 0; i < 4; ++i) {
                x[i] = perturbed_place(grid, t[i], stretched);
            }
            const double six = dot(minus(x[1], x[0]), cross(minus(x[2], x[0]), minus(x[3], x[0])));
            for (std::size_t i = 0; i < 4; ++i) {
                const Point& o = x[(i + 1) % 4];
                const Point n = cross(minus(x[(i + 2) % 4], o), minus(x[(i + 3) % 4], o));
                const double height = dot(n, minus(x[i], o));
                gradient[i] = {n[0] / height, n[1] / height, n[2] / height};
            }
            for (std::size_t i = 0; i < 4; ++i) {
                for (std::size_t j = i + 1; j < 4; ++j) {
                    weights[{std::min(t[i], t[j]), std::max(t[i], t[j])}] -=
                        std::fabs(six) / 6.0 * dot(gradient[i], gradient[j]);
                }
            }
        }
    }
    return weights;
}

Edges elements(const Communicator& comm, const Grid& grid, double stretched, GlobalIndex& count) {
    const auto weights = element_weights(grid, stretched);
    count = static_cast<GlobalIndex>(weights.size());
    const BlockRange block = block_range(count, comm.rank(), comm.size());
    Edges edges;
    GlobalIndex e = 0;
    for (const auto& [ends, weight] : weights) {
        if (e >= block.begin && e < block.end) {
            edges.ends.insert(edges.ends.end(), {ends.first, ends.second});
            edges.weights.push_back(weight);
        }
        ++e;
    }
    return edges;
}

}  // namespace

Poisson declare_poisson(const Communicator& comm, const std::string& shape, GlobalIndex n,
                        double stretched) {
    const Grid grid{{n, n, shape == "square" ? 1 : n}};
    GlobalIndex count = 0;
    Edges edges = shape == "tets" ? elements(comm, grid, stretched, count)
                                  : stencil(comm, grid, stretched, count);
    Poisson poisson;
    const int nodes = poisson.mesh.add_set("nodes", grid.nodes());
    const int edge_set = poisson.mesh.add_set("edges", count);
    poisson.op.edge_nodes =
        poisson.mesh.add_map("edge_nodes", edge_set, nodes, 2, std::move(edges.ends));
    poisson.op.weights = poisson.mesh.add_dat("weights", edge_set, 1, std::move(edges.weights));
    const BlockRange block = block_range(grid.nodes(), comm.rank(), comm.size());
    std::vector<double> x;
    x.reserve(static_cast<std::size_t>(3 * block.size()));
    for (GlobalIndex a = block.begin; a < block.end; ++a) {
        const auto p = grid.place(a);
        for (std::size_t d = 0; d < 3; ++d) {
            x.push_back(static_cast<double>(p[d]) * (d == 0 ? stretched : 1.0));
        }
    }
    poisson.mesh.add_coordinates("x", nodes, 3, std::move(x));
    return poisson;
}

}  // namespace halocline::bench
