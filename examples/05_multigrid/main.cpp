// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// New here: two grid levels. Values go up by a mean over children and come down through the parents.
#include <cstdio>
#include <utility>

#include "halocline/halocline.hpp"

using halocline::Values;

struct Node {};  // fine and coarse nodes are one kind of element in two sets

struct AddToParent {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& fine, const Values<V, 1>& share,
                                 Values<V, 1>& coarse) const {
        coarse[0] += share[0] * fine[0];
    }
};

struct Negate {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& state, Values<V, 1>& correction) const {
        correction[0] = V(0.0) - state[0];
    }
};

struct AddFromParent {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& correction, Values<V, 1>& fine) const {
        fine[0] += correction[0];
    }
};

/// Eight fine nodes, two to a parent. The coarse level "solves" for a mean of zero; what is left on
/// the fine level is the part that only the fine level can see.
int program(halocline::Runtime& runtime) {
    halocline::MeshDeclaration declaration;
    const int fine_set = declaration.add_set("fine", 8);
    const int coarse_set = declaration.add_set("coarse", 4);
    const std::vector<halocline::GlobalIndex> parents{0, 0, 1, 1, 2, 2, 3, 3};
    const std::vector<double> values{1.0, 3.0, 10.0, 30.0, 5.0, 5.0, 0.0, 8.0};
    declaration.add_map("parent", fine_set, coarse_set, 1, runtime.block(parents));
    declaration.add_dat("u", fine_set, 1, runtime.block(values));
    declaration.add_dat("share", fine_set, 1, runtime.block(std::vector(8, 0.5)));

    halocline::Mesh mesh = runtime.distribute(std::move(declaration));
    const auto fine = mesh.set<Node>("fine");
    const auto coarse = mesh.set<Node>("coarse");
    const auto parent = mesh.map<Node, Node, 1>("parent");
    const auto share = mesh.take_dat<Node, double, 1>("share");
    auto u = mesh.take_dat<Node, double, 1>("u");
    auto mean = mesh.make_dat<Node, double, 1>(coarse, "mean");
    auto correction = mesh.make_dat<Node, double, 1>(coarse, "correction");

    halocline::Context& context = runtime.context();
    par_loop(context, {"restrict", 1}, fine, AddToParent{}, read(u), read(share),
             inc<0>(mean, parent));
    par_loop(context, {"solve", 1}, coarse, Negate{}, read(mean), write(correction));
    par_loop(context, {"prolong", 0}, fine, AddFromParent{}, read<0>(correction, parent), inc(u));

    const std::vector<double> means = runtime.gather(mean);
    const std::vector<double> rest = runtime.gather(u);
    if (runtime.comm().is_root()) {
        std::printf("means: %g %g %g %g\nrest:", means[0], means[1], means[2], means[3]);
        for (const double value : rest) {
            std::printf(" %g", value);
        }
        std::printf("\n");
    }
    return 0;
}

int main(int argc, char** argv) { return halocline::run_program<program>(argc, argv); }
