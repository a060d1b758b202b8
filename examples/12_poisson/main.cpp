// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// New here: an equation solved by the library. Multigrid whose levels the mesh is given before it is divided.
#include <cstdio>
#include <utility>
#include <vector>

#include "halocline/halocline.hpp"
#include "halocline/linalg/solver.hpp"

namespace linalg = halocline::linalg;
using halocline::BlockRange;
using halocline::GlobalIndex;
using halocline::LocalIndex;

struct Node {};
struct Edge {};

constexpr GlobalIndex side = 129;  // nodes along a side of the plate

/// This rank's edges of a square plate; the metal at the left conducts ten times better.
struct Plate {
    std::vector<GlobalIndex> ends;
    std::vector<double> weights;
};

Plate plate_of(const halocline::Communicator& comm, GlobalIndex edges) {
    const BlockRange mine = halocline::block_range(edges, comm.rank(), comm.size());
    Plate plate;
    for (GlobalIndex e = mine.begin; e < mine.end; ++e) {
        const bool along = e < edges / 2;  // first all edges along x, then those along y
        const GlobalIndex k = along ? e : e - edges / 2;
        const GlobalIndex x = along ? k % (side - 1) : k % side;
        const GlobalIndex y = along ? k / (side - 1) : k / side;
        plate.ends.insert(plate.ends.end(), {x + side * y, x + side * y + (along ? 1 : side)});
        plate.weights.push_back(x < side / 2 ? 10.0 : 1.0);
    }
    return plate;
}

/// Heat comes in at one corner and goes out at the opposite one.
double heat_of(GlobalIndex node) { return node == 0 ? 1.0 : node == side * side - 1 ? -1.0 : 0.0; }

int program(halocline::Runtime& runtime) {
    constexpr GlobalIndex edge_count = 2 * side * (side - 1);
    halocline::MeshDeclaration declaration;
    const int node_set = declaration.add_set("nodes", side * side);
    const int edge_set = declaration.add_set("edges", edge_count);
    Plate plate = plate_of(runtime.comm(), edge_count);
    linalg::DeclaredOperator conduction;
    conduction.edge_nodes =
        declaration.add_map("edge_nodes", edge_set, node_set, 2, std::move(plate.ends));
    conduction.weights = declaration.add_dat("weights", edge_set, 1, std::move(plate.weights));

    const linalg::Hierarchy hierarchy =
        linalg::declare_hierarchy(runtime.comm(), declaration, conduction);
    halocline::Mesh mesh = runtime.distribute(std::move(declaration));

    const auto nodes = mesh.set<Node>("nodes");
    const auto edge_nodes = mesh.map<Edge, Node, 2>("edge_nodes");
    const auto weights = mesh.take_dat<Edge, double, 1>("weights");
    linalg::Solver solver(runtime.context(), mesh, linalg::EdgeOperator(edge_nodes, weights),
                          hierarchy);

    auto heat = mesh.make_dat<Node, double, 1>(nodes, "heat");
    auto temperature = mesh.make_dat<Node, double, 1>(nodes, "temperature");
    heat.fill([&](LocalIndex i, int) { return heat_of(nodes.part->global_id(i)); });
    const linalg::SolveReport report = solver.solve(heat, temperature);

    const std::vector<double> result = runtime.gather(temperature);
    if (runtime.comm().is_root()) {
        std::printf("%zu levels, %.3f times the entries of the finest\n", hierarchy.levels.size(),
                    hierarchy.operator_complexity());
        std::printf("%d iterations, temperature of the corners: %.15g and %.15g\n",
                    report.iterations, result.front(), result.back());
        if (!report.converged) {
            std::printf("%s\n", report.message.c_str());
        }
    }
    return report.converged ? 0 : 5;
}

int main(int argc, char** argv) { return halocline::run_program<program>(argc, argv); }
