// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// New here: fields over time for ParaView, and checkpoints. Heat spreads in a square plate.
#include <cstdio>
#include <utility>

#include "halocline/halocline.hpp"
#include "halocline/runtime/checkpoint.hpp"
#include "halocline/runtime/results.hpp"

using halocline::Values;

struct Node {};
struct Link {};
struct Square {};

struct Flow {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& u0, const Values<V, 1>& u1,
                                 Values<V, 1>& gain0, Values<V, 1>& gain1) const {
        const V flow = V(0.1) * (u1[0] - u0[0]);
        gain0[0] += flow;
        gain1[0] -= flow;
    }
};

struct Advance {
    template <class V>
    HALOCLINE_HD void operator()(Values<V, 1>& u, Values<V, 1>& gain) const {
        u[0] += gain[0];
        gain[0] = V(0.0);
    }
};

constexpr long side = 21;

halocline::MeshDeclaration declare_plate(const halocline::Runtime& runtime) {
    std::vector<halocline::GlobalIndex> ends, corners;
    std::vector<double> x, u;
    for (long node = 0; node < side * side; ++node) {
        const long i = node / side;
        const long j = node % side;
        x.insert(x.end(), {double(i), double(j)});
        u.push_back(node == side * side / 2 ? 100.0 : 0.0);
        if (i + 1 < side)
            ends.insert(ends.end(), {node, node + side});
        if (j + 1 < side)
            ends.insert(ends.end(), {node, node + 1});
        if (i + 1 < side && j + 1 < side)
            corners.insert(corners.end(), {node, node + side, node + side + 1, node + 1});
    }
    halocline::MeshDeclaration plate;
    const int nodes = plate.add_set("nodes", side * side);
    const int links = plate.add_set("links", long(ends.size()) / 2);
    const int squares = plate.add_set("squares", long(corners.size()) / 4);
    plate.add_map("ends", links, nodes, 2, runtime.block(ends, 2));
    plate.add_map("corners", squares, nodes, 4, runtime.block(corners, 4));
    plate.add_coordinates("x", nodes, 2, runtime.block(x, 2));
    plate.add_dat("u", nodes, 1, runtime.block(u));
    return plate;
}

int program(halocline::Runtime& runtime) {
    halocline::Mesh mesh = runtime.distribute(declare_plate(runtime));
    const auto nodes = mesh.set<Node>("nodes");
    const auto links = mesh.set<Link>("links");
    const auto ends = mesh.map<Link, Node, 2>("ends");
    const auto x = mesh.take_dat<Node, double, 2>("x");
    auto u = mesh.take_dat<Node, double, 1>("u");
    auto gain = mesh.make_dat<Node, double, 1>(nodes, "gain");

    halocline::Results results(runtime, "plate.vtkhdf", x, {.most_steps = 20, .time_unit = "s"});
    results.add_cells(mesh.map<Square, Node, 4>("corners"), halocline::CellShape::quadrilateral);
    results.add_field(u, "K");
    halocline::Checkpoints checkpoints(runtime, "plate.", "plate", {{"u", u}});

    const auto advance_to_20 = [&](long step) {
        for (; step <= 20; ++step) {
            par_loop(runtime.context(), "flow", links, Flow{}, read<0>(u, ends), read<1>(u, ends),
                     inc<0>(gain, ends), inc<1>(gain, ends));
            par_loop(runtime.context(), "advance", nodes, Advance{}, read_write(u),
                     read_write(gain));
            if (step == 10)
                checkpoints.write(step);
            if (results.steps() < step)
                results.write(0.1 * double(step));
        }
        return runtime.gather(u);
    };
    const std::vector<double> once = advance_to_20(1);
    const auto last = checkpoints.restart();  // u is as it was after step 10
    const std::vector<double> again = advance_to_20(last->step + 1);
    if (runtime.comm().is_root()) {
        std::printf("hottest: %.15g\n", once[once.size() / 2]);
        std::printf("the same after going on from step %ld: %s\n", long(last->step),
                    once == again ? "yes" : "no");
    }
    return 0;
}

int main(int argc, char** argv) { return halocline::run_program<program>(argc, argv); }
