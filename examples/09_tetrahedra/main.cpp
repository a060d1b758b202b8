// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// New here: globals that later loops read. Conjugate gradients whose matrix is a loop over tetrahedra.
#include <cstdio>
#include <utility>

#include "halocline/halocline.hpp"
#include "mesh.hpp"

using halocline::Global;
using halocline::Values;

struct Node {};
struct Tetrahedron {};

struct Finish {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& inside, const Values<V, 1>& direction,
                                 Values<V, 1>& product, Values<V, 1>& energy) const {
        product[0] *= inside[0];  // u = 0 stays on the boundary
        energy[0] += direction[0] * product[0];
    }
};

struct Square {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& left, Values<V, 1>& squares) const {
        squares[0] += left[0] * left[0];
    }
};

struct Advance {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& length, const Values<V, 1>& direction,
                                 const Values<V, 1>& product, Values<V, 1>& u, Values<V, 1>& left,
                                 Values<V, 1>& squares) const {
        u[0] += length[0] * direction[0];
        left[0] -= length[0] * product[0];
        squares[0] += left[0] * left[0];
    }
};

struct Turn {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& share, const Values<V, 1>& left,
                                 Values<V, 1>& direction, Values<V, 1>& product) const {
        direction[0] = left[0] + share[0] * direction[0];
        product[0] = V(0.0);
    }
};

/// Minus the Laplacian of u is 1 in a cube of side 1, u is 0 on its surface. In the middle u = 0.0562.
int program(halocline::Runtime& runtime) {
    constexpr long cubes = 12;
    halocline::Mesh mesh = runtime.distribute(declare_cube(runtime, cubes));
    const auto nodes = mesh.set<Node>("nodes");
    const auto tetrahedra = mesh.set<Tetrahedron>("tetrahedra");
    const auto corners = mesh.map<Tetrahedron, Node, 4>("corners");
    const auto x = mesh.take_dat<Node, double, 3>("x");
    const auto inside = mesh.take_dat<Node, double, 1>("inside");
    auto left = mesh.take_dat<Node, double, 1>("left");            // of the right-hand side
    auto direction = mesh.take_dat<Node, double, 1>("direction");  // the same at first
    auto u = mesh.make_dat<Node, double, 1>(nodes, "u");
    auto product = mesh.make_dat<Node, double, 1>(nodes, "product");
    Global<double, 1> squares, energy, length, share;

    halocline::Context& context = runtime.context();
    par_loop(context, "square", nodes, Square{}, read(left), inc(squares));
    int iterations = 0;
    for (double first = squares[0]; squares[0] > 1e-20 * first; ++iterations) {
        energy.set({{0.0}});
        par_loop(context, "stiffness", tetrahedra, Stiffness{}, read<0>(direction, corners),
                 read<1>(direction, corners), read<2>(direction, corners),
                 read<3>(direction, corners), read<0>(x, corners), read<1>(x, corners),
                 read<2>(x, corners), read<3>(x, corners), inc<0>(product, corners),
                 inc<1>(product, corners), inc<2>(product, corners), inc<3>(product, corners));
        par_loop(context, "finish", nodes, Finish{}, read(inside), read(direction),
                 read_write(product), inc(energy));
        const double before = squares[0];
        length.set({{before / energy[0]}});
        squares.set({{0.0}});
        par_loop(context, "advance", nodes, Advance{}, read(length), read(direction), read(product),
                 read_write(u), read_write(left), inc(squares));
        share.set({{squares[0] / before}});
        par_loop(context, "turn", nodes, Turn{}, read(share), read(left), read_write(direction),
                 write(product));
    }
    const std::vector<double> result = runtime.gather(u);
    if (runtime.comm().is_root()) {
        std::printf("%d iterations, u in the middle: %.15g\n", iterations,
                    result[result.size() / 2]);
    }
    return 0;
}

int main(int argc, char** argv) { return halocline::run_program<program>(argc, argv); }
