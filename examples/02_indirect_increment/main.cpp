// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// New here: a map. Each edge adds the difference of its two nodes to both of them.
#include <cstdio>
#include <utility>

#include "halocline/halocline.hpp"

using halocline::Values;

struct Node {};
struct Edge {};

struct AddDifference {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& a, const Values<V, 1>& b, Values<V, 1>& sum_a,
                                 Values<V, 1>& sum_b) const {
        const V difference = b[0] - a[0];
        sum_a[0] += difference;  // an increment: the kernel never sees the sum so far
        sum_b[0] -= difference;
    }
};

//   0 --- 1 --- 2
//   |     |     |
//   3 --- 4 --- 5
int program(halocline::Runtime& runtime) {
    const std::vector<halocline::GlobalIndex> ends{0, 1, 1, 2, 3, 4, 4, 5, 0, 3, 1, 4, 2, 5};
    halocline::MeshDeclaration declaration;
    const int node_set = declaration.add_set("nodes", 6);
    const int edge_set = declaration.add_set("edges", 7);
    declaration.add_map("edge_nodes", edge_set, node_set, 2, runtime.block(ends, 2));
    declaration.add_dat("u", node_set, 1,
                        runtime.block(std::vector{0.0, 1.0, 4.0, 9.0, 16.0, 25.0}));

    halocline::Mesh mesh = runtime.distribute(std::move(declaration));
    const auto nodes = mesh.set<Node>("nodes");
    const auto edges = mesh.set<Edge>("edges");
    const auto edge_nodes = mesh.map<Edge, Node, 2>("edge_nodes");
    const auto u = mesh.take_dat<Node, double, 1>("u");
    auto laplacian = mesh.make_dat<Node, double, 1>(nodes, "laplacian");

    // <0> and <1> are the columns of the map. No colouring, no atomics: the library turns the loop
    // round, so that every node collects from its edges, always in the same order.
    par_loop(runtime.context(), "add_difference", edges, AddDifference{}, read<0>(u, edge_nodes),
             read<1>(u, edge_nodes), inc<0>(laplacian, edge_nodes), inc<1>(laplacian, edge_nodes));

    const std::vector<double> result = runtime.gather(laplacian);
    for (std::size_t i = 0; i < result.size() && runtime.comm().is_root(); ++i) {
        std::printf("node %zu: %g\n", i, result[i]);
    }
    return 0;
}

int main(int argc, char** argv) { return halocline::run_program<program>(argc, argv); }
