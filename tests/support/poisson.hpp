// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Small edge operators that every rank knows whole, declared block by block.
#pragma once

#include <cstdint>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/linalg/hierarchy.hpp"
#include "halocline/mesh/declaration.hpp"

namespace halocline::test {

struct WholeOperator {
    GlobalIndex nodes = 0;
    std::vector<GlobalIndex> ends;
    std::vector<double> weights;
    std::vector<double> diagonal;  ///< empty: zero

    void add(GlobalIndex a, GlobalIndex b, double weight) {
        ends.insert(ends.end(), {a, b});
        weights.push_back(weight);
    }
};

/// In [0, 1), of a number alone.
[[nodiscard]] inline double chance(std::uint64_t key) {
    key += 0x9e3779b97f4a7c15U;
    key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9U;
    key = (key ^ (key >> 27)) * 0x94d049bb133111ebU;
    return static_cast<double>((key ^ (key >> 31)) >> 11) * 0x1p-53;
}

/// Nodes in a row, all weights 1.
[[nodiscard]] inline WholeOperator path(GlobalIndex nodes) {
    WholeOperator op{nodes, {}, {}, {}};
    for (GlobalIndex a = 0; a + 1 < nodes; ++a) {
        op.add(a, a + 1, 1.0);
    }
    return op;
}

/// A five-point stencil; `noise` changes weights by up to this share of them.
[[nodiscard]] inline WholeOperator grid(GlobalIndex width, GlobalIndex height, double noise = 0.0) {
    WholeOperator op{width * height, {}, {}, {}};
    for (GlobalIndex a = 0; a < op.nodes; ++a) {
        const auto key = static_cast<std::uint64_t>(a);
        if (a % width + 1 < width) {
            op.add(a, a + 1, 1.0 + noise * (chance(2 * key) - 0.5));
        }
        if (a / width + 1 < height) {
            op.add(a, a + width, 1.0 + noise * (chance(2 * key + 1) - 0.5));
        }
    }
    return op;
}

/// Nodes joined at random: several edges between the same two, some from a node to itself, nodes without
/// edges, a few negative weights, several parts.
[[nodiscard]] inline WholeOperator tangle(GlobalIndex nodes, std::uint64_t seed) {
    WholeOperator op{nodes, {}, {}, {}};
    for (std::uint64_t e = 0; e < 3 * static_cast<std::uint64_t>(nodes); ++e) {
        const auto any = [&](std::uint64_t salt) {
            return static_cast<GlobalIndex>(chance(seed + 8 * e + salt) *
                                            static_cast<double>(nodes));
        };
        const GlobalIndex a = any(0);
        GlobalIndex b = (a + 1 + any(1) % 9) % nodes;
        if (e % 50 == 0) {
            b = a;
        }
        if (a % 17 == 3 || b % 17 == 3) {
            continue;
        }
        const double weight = chance(seed + 8 * e + 2);
        op.add(a, b, e % 40 == 7 ? -0.01 * weight : 0.1 + weight);
    }
    return op;
}

struct DeclaredProblem {
    MeshDeclaration mesh;
    linalg::DeclaredOperator op;
};

template <class T>
[[nodiscard]] std::vector<T> block_of(const Communicator& comm, const std::vector<T>& whole,
                                      int width = 1) {
    const auto size = static_cast<std::int64_t>(whole.size()) / width;
    const BlockRange rows = block_range(size, comm.rank(), comm.size());
    return {whole.begin() + rows.begin * width, whole.begin() + rows.end * width};
}

/// Sets "nodes" and "edges", map "edge_nodes", dats "weights" and, if there is one, "diagonal".
[[nodiscard]] inline DeclaredProblem declare(const Communicator& comm, const WholeOperator& whole) {
    DeclaredProblem problem;
    const int nodes = problem.mesh.add_set("nodes", whole.nodes);
    const int edges = problem.mesh.add_set("edges", static_cast<GlobalIndex>(whole.weights.size()));
    problem.op.edge_nodes =
        problem.mesh.add_map("edge_nodes", edges, nodes, 2, block_of(comm, whole.ends, 2));
    problem.op.weights = problem.mesh.add_dat("weights", edges, 1, block_of(comm, whole.weights));
    if (!whole.diagonal.empty()) {
        problem.op.diagonal =
            problem.mesh.add_dat("diagonal", nodes, 1, block_of(comm, whole.diagonal));
    }
    return problem;
}

}  // namespace halocline::test
