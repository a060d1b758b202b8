// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// New here: several ranks. Each declares its own block; the result has the same bits on any number.
//   mpirun -n 2 06_two_ranks
#include <bit>
#include <cstdio>
#include <utility>

#include "halocline/halocline.hpp"

using halocline::BlockRange;
using halocline::GlobalIndex;
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
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& u, const Values<V, 1>& flux,
                                 Values<V, 1>& next) const {
        next[0] = u[0] + V(0.3) * flux[0];
    }
};

/// A ring of nodes. No rank ever holds all of it.
halocline::MeshDeclaration declare_block(const halocline::Communicator& comm, GlobalIndex size) {
    const BlockRange block = halocline::block_range(size, comm.rank(), comm.size());
    std::vector<GlobalIndex> ends;
    std::vector<double> values;
    for (GlobalIndex i = block.begin; i < block.end; ++i) {
        ends.insert(ends.end(), {i, (i + 1) % size});
        values.push_back(1.0 / static_cast<double>(i + 1));
    }
    halocline::MeshDeclaration declaration;
    const int nodes = declaration.add_set("nodes", size);
    const int edges = declaration.add_set("edges", size);
    declaration.add_map("edge_nodes", edges, nodes, 2, std::move(ends));
    declaration.add_dat("u", nodes, 1, std::move(values));
    return declaration;
}

int program(halocline::Runtime& runtime) {
    halocline::Mesh mesh = runtime.distribute(declare_block(runtime.comm(), 1000));
    const auto nodes = mesh.set<Node>("nodes");
    const auto edges = mesh.set<Edge>("edges");
    const auto edge_nodes = mesh.map<Edge, Node, 2>("edge_nodes");
    auto u = mesh.take_dat<Node, double, 1>("u");
    auto next = mesh.make_dat<Node, double, 1>(nodes, "next");
    auto flux = mesh.make_temporary<Node, double, 1>(nodes, "flux");

    for (int step = 0; step < 100; ++step) {
        run_chain(
            runtime.context(), "heat_step", nodes,
            make_loop("exchange", edges, Exchange{}, read<0>(u, edge_nodes), read<1>(u, edge_nodes),
                      inc<0>(flux, edge_nodes), inc<1>(flux, edge_nodes)),
            make_loop("step", nodes, Step{}, read(u), read(flux), write(next)));
        swap(u, next);  // the halo of u is old now: the next chain sends, computes, then waits
    }

    std::uint64_t mixed = 0;
    for (const double value : runtime.gather(u)) {
        mixed = (mixed ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3ULL;
    }
    if (runtime.comm().is_root()) {
        std::printf("# ranks %d, halo exchanges %lld\n", runtime.comm().size(),
                    static_cast<long long>(runtime.halo_ledger().exchanges));
        std::printf("all bits of the result, mixed: %016llx\n",
                    static_cast<unsigned long long>(mixed));
    }
    return 0;
}

int main(int argc, char** argv) { return halocline::run_program<program>(argc, argv); }
