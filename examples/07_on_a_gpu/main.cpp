// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// New here: devices. Kernels marked HALOCLINE_HD run on cores and on GPUs, and steps that repeat go to
// the GPU as one graph. CMake's halocline_add_program is all it takes beside that.
//   HALOCLINE_BACKEND=emulated 07_on_a_gpu     the device code, on a machine without a GPU
#include <bit>
#include <cstdio>
#include <utility>

#include "halocline/halocline.hpp"

using halocline::GlobalIndex;
using halocline::Values;

struct Node {};
struct Edge {};

/// Heat flows from the warmer to the colder end.
struct Flow {
    /// Seen from the other end an edge is the same: devices may compute each end by itself.
    static constexpr bool swap_symmetric = true;
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& a, const Values<V, 1>& b, Values<V, 1>& gain_a,
                                 Values<V, 1>& gain_b) const {
        gain_a[0] += b[0] - a[0];
        gain_b[0] += a[0] - b[0];
    }
};

struct Step {
    double share;
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& u, const Values<V, 1>& gain,
                                 const Values<V, 1>& inside, Values<V, 1>& next,
                                 Values<V, 1>& change) const {
        const V difference = share * inside[0] * gain[0];
        next[0] = u[0] + difference;
        change[0] = halocline::math::max(change[0], halocline::math::abs(difference));
    }
};

/// A plate of n x n nodes, edges along both axes. One side is hot, the others are cold and stay so.
halocline::MeshDeclaration declare_plate(halocline::Runtime& runtime, GlobalIndex n) {
    std::vector<GlobalIndex> ends;
    std::vector<double> u;
    std::vector<double> inside;
    std::vector<double> places;
    for (GlobalIndex j = 0; j < n; ++j) {
        for (GlobalIndex i = 0; i < n; ++i) {
            const GlobalIndex node = j * n + i;
            if (i + 1 < n) {
                ends.insert(ends.end(), {node, node + 1});
            }
            if (j + 1 < n) {
                ends.insert(ends.end(), {node, node + n});
            }
            u.push_back(j == 0 ? 100.0 : 0.0);
            inside.push_back(i > 0 && i + 1 < n && j > 0 && j + 1 < n ? 1.0 : 0.0);
            places.insert(places.end(), {static_cast<double>(i), static_cast<double>(j)});
        }
    }
    halocline::MeshDeclaration declaration;
    const int nodes = declaration.add_set("nodes", n * n);
    const int edges = declaration.add_set("edges", 2 * n * (n - 1));
    declaration.add_map("edge_nodes", edges, nodes, 2, runtime.block(ends, 2));
    declaration.add_dat("u", nodes, 1, runtime.block(u));
    declaration.add_dat("inside", nodes, 1, runtime.block(inside));
    declaration.add_coordinates("places", nodes, 2, runtime.block(places, 2));
    return declaration;
}

int program(halocline::Runtime& runtime) {
    halocline::Mesh mesh = runtime.distribute(declare_plate(runtime, 60));
    const auto nodes = mesh.set<Node>("nodes");
    const auto edges = mesh.set<Edge>("edges");
    const auto edge_nodes = mesh.map<Edge, Node, 2>("edge_nodes");
    auto u = mesh.take_dat<Node, double, 1>("u");
    const auto inside = mesh.take_dat<Node, double, 1>("inside");
    auto next = mesh.make_dat<Node, double, 1>(nodes, "next");
    auto gain = mesh.make_temporary<Node, double, 1>(nodes, "gain");
    halocline::Global<double, 1> change;

    // The same work every time. Values stay on the device: look at them between steps, not within.
    halocline::RepeatedLoops step = runtime.repeat([&] {
        change.set({{0.0}});
        run_chain(runtime.context(), "heat_step", nodes,
                  make_loop("flow", edges, Flow{}, read<0>(u, edge_nodes), read<1>(u, edge_nodes),
                            inc<0>(gain, edge_nodes), inc<1>(gain, edge_nodes)),
                  make_loop("step", nodes, Step{0.2}, read(u), read(gain), read(inside),
                            write(next), reduce_max(change)));
        swap(u, next);
    });
    for (int i = 1; i <= 500; ++i) {
        step.run();
        if (i % 100 == 0 && runtime.comm().is_root()) {
            std::printf("step %d: largest change %.17g\n", i, change[0]);
        }
    }

    std::uint64_t mixed = 0;
    for (const double value : runtime.gather(u)) {
        mixed = (mixed ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3ULL;
    }
    const bool on_device = runtime.context().device() != nullptr;
    if (runtime.comm().is_root()) {
        std::printf("all bits of the result, mixed: %016llx\n",
                    static_cast<unsigned long long>(mixed));
        std::printf("# back end %s, halos by %s, %s\n", backend_name(runtime.context().backend()),
                    runtime.halo_scheme().c_str(),
                    !on_device                ? "loops one by one"
                    : step.obstacle().empty() ? "a graph a step"
                                              : step.obstacle().c_str());
    }
    return 0;
}

int main(int argc, char** argv) { return halocline::run_program<program>(argc, argv); }
