// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// New here: a chain. Two loops fused into one pass over memory, and two dats that swap.
#include <cstdio>
#include <utility>

#include "halocline/halocline.hpp"

using halocline::Values;

struct Node {};
struct Edge {};

struct Exchange {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& a, const Values<V, 1>& b, Values<V, 1>& flux_a,
                                 Values<V, 1>& flux_b) const {
        flux_a[0] += b[0] - a[0];
        flux_b[0] += a[0] - b[0];
    }
};

struct Step {
    double share;  // kernels may carry constants

    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& u, const Values<V, 1>& flux,
                                 Values<V, 1>& next) const {
        next[0] = u[0] + V(share) * flux[0];
    }
};

/// Heat spreads round a ring of 8 nodes. A quarter of each difference flows in a step, so that n
/// steps spread a spike as row 2n of Pascal's triangle.
int program(halocline::Runtime& runtime) {
    halocline::MeshDeclaration declaration;
    const int node_set = declaration.add_set("nodes", 8);
    const int edge_set = declaration.add_set("edges", 8);
    const std::vector<halocline::GlobalIndex> ring{0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 0};
    const std::vector<double> spike{64.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    declaration.add_map("edge_nodes", edge_set, node_set, 2, runtime.block(ring, 2));
    declaration.add_dat("u", node_set, 1, runtime.block(spike));

    halocline::Mesh mesh = runtime.distribute(std::move(declaration));
    const auto nodes = mesh.set<Node>("nodes");
    const auto edges = mesh.set<Edge>("edges");
    const auto edge_nodes = mesh.map<Edge, Node, 2>("edge_nodes");
    auto u = mesh.take_dat<Node, double, 1>("u");
    auto next = mesh.make_dat<Node, double, 1>(nodes, "next");
    auto flux = mesh.make_temporary<Node, double, 1>(nodes, "flux");  // never reaches memory

    for (int step = 0; step < 3; ++step) {
        run_chain(
            runtime.context(), "heat_step", nodes,
            make_loop("exchange", edges, Exchange{}, read<0>(u, edge_nodes), read<1>(u, edge_nodes),
                      inc<0>(flux, edge_nodes), inc<1>(flux, edge_nodes)),
            make_loop("step", nodes, Step{0.25}, read(u), read(flux), write(next)));
        // The chain reads u at other nodes while it runs: it must not write there. Hence next.
        swap(u, next);
    }

    const std::vector<double> result = runtime.gather(u);
    for (std::size_t i = 0; i < result.size() && runtime.comm().is_root(); ++i) {
        std::printf("%g%c", result[i], i + 1 < result.size() ? ' ' : '\n');
    }
    return 0;
}

int main(int argc, char** argv) { return halocline::run_program<program>(argc, argv); }
