// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// New here: rows of different length, absent targets, integers, subsets. Heat in a wall of bricks.
#include <cinttypes>
#include <cstdio>

#include "halocline/halocline.hpp"
#include "kernels.hpp"
#include "mesh.hpp"

struct Node {};
struct Brick {};
struct Edge {};

/// 30 by 12 units: 30 / 12 = 2.5 goes through.
int program(halocline::Runtime& runtime) {
    halocline::Mesh mesh = runtime.distribute(declare_wall(runtime, 30, 12));
    halocline::Context& context = runtime.context();
    const auto bricks = mesh.set<Brick>("bricks");
    const auto edges = mesh.set<Edge>("edges");
    const auto corners = mesh.map<Brick, Node, most_corners>("corners");
    const auto ends = mesh.map<Edge, Node, 2>("ends");
    const auto sides = mesh.map<Edge, Brick, 2>("sides");
    const auto count = mesh.row_lengths(corners);
    const auto group = mesh.take_dat<Edge, std::int32_t, 1>("group");
    auto x = mesh.take_dat<Node, double, 2>("x");
    auto area = mesh.make_dat<Brick, double, 1>(bricks, "area");
    auto centre = mesh.make_dat<Brick, double, 2>(bricks, "centre");
    auto t = mesh.make_dat<Brick, double, 1>(bricks, "t");
    auto gain = mesh.make_dat<Brick, double, 1>(bricks, "gain");
    auto k = mesh.make_dat<Edge, double, 1>(edges, "k");
    x.set_absent({0.0, 0.0});       // corners that a brick has not: never used
    centre.set_absent({0.0, 0.0});  // nor is the centre of no brick
    t.set_absent({0.0});            // as cold as the bottom

    halocline::Global<std::int64_t, 1> largest;
    par_loop(context, "measure", bricks, Measure{}, read(count), read_all(x, corners), write(area),
             write(centre), inc(largest));
    par_loop(context, "conductance", edges, Conductance{}, read_all(x, ends),
             read_all(centre, sides), read(group), write(k));
    for (int step = 0; step < 4000; ++step) {
        par_loop(context, "flow", edges, Flow{}, read(group), read(k), read_all(t, sides),
                 inc_all(gain, sides));
        par_loop(context, "step", bricks, Step{}, read(area), read_write(t), read_write(gain));
    }
    const auto through = [&](const char* name, Group wanted, double temperature) {
        const auto wall = make_subset(context, mesh, edges, name, [&](halocline::LocalIndex e) {
            return group.store().at(e, 0) == wanted;
        });
        halocline::Global<double, 1> sum;
        const halocline::Global<double, 1> fixed{{temperature}};
        par_loop(context, name, wall, Through{}, read(k), read<0>(t, sides), read(fixed), inc(sum));
        return sum[0];
    };
    const double in = through("in", warm, 1.0);
    const double out = -through("out", cold, 0.0);
    if (runtime.comm().is_root()) {
        std::printf("%" PRId64 " of %" PRId64 " bricks have eight corners\n", largest[0],
                    bricks.part->global_size);
        std::printf("heat in %.12g, out %.12g\n", in, out);
    }
    return 0;
}

int main(int argc, char** argv) { return halocline::run_program<program>(argc, argv); }
