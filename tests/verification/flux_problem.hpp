// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Flux sums of a given state on a box, through the library's loops and MG-CFD's kernels.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "halocline/backend/par_loop.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/dist/exchange/halo_exchange.hpp"
#include "halocline/solver/mgcfd/kernels.hpp"
#include "verification/box_mesh.hpp"

namespace halocline::test {

struct Node {};
struct Edge {};
struct BoundaryEntry {};

using State = Values<double, 5>;

/// Turns a weight into what the edge flux takes.
struct HalfNormal {
    template <class V>
    void operator()(Values<V, 3>& weight) const {
        for (int d = 0; d < 3; ++d) {
            weight[d] = weight[d] * V(mgcfd::half_normal);
        }
    }
};

/// Mean of both ends' fluxes alone: the edge flux without its smoothing.
struct MeanFlux {
    static constexpr bool swap_symmetric = true;

    template <class V>
    void operator()(const Values<V, 8>& a, const Values<V, 8>& b, const Values<V, 3>& n,
                    Values<V, 5>& sum_a, Values<V, 5>& sum_b) const {
        const Values<V, 5> from_a = euler::flux_through(a, n[0], n[1], n[2]);
        const Values<V, 5> from_b = euler::flux_through(b, n[0], n[1], n[2]);
        for (int i = 0; i < 5; ++i) {
            const V flux = from_a[i] + from_b[i];
            sum_a[i] += flux;
            sum_b[i] -= flux;
        }
    }
};

/// Sums of edge fluxes and, if asked for, boundary fluxes at every node, by global id.
template <class EdgeKernel, class StateAt>
std::vector<State> flux_sums(const BoxMesh& box, Backend backend, bool with_boundary,
                             StateAt&& state_at) {
    const Communicator comm(MPI_COMM_WORLD);
    DistributeOptions options;
    options.partitioner = "block";
    options.renumber = true;
    Distribution distribution = distribute(comm, box.declare(), options);
    Mesh mesh(std::move(distribution.part), layout_mode(backend));
    const auto halo = make_halo_exchange(comm);
    Context context(comm, *halo, {backend, 1});

    const auto nodes = mesh.set<Node>("nodes_L0");
    const auto edges = mesh.set<Edge>("edges_L0");
    const auto boundary = mesh.set<BoundaryEntry>("bnd_L0");
    const auto ends = mesh.map<Edge, Node, 2>("edge_nodes_L0");
    const auto at = mesh.map<BoundaryEntry, Node, 1>("bnd_node_L0");
    auto normals = mesh.take_dat<Edge, double, 3>("edge_weights_L0");
    const auto group = mesh.take_dat<BoundaryEntry, double, 1>("bnd_group_L0");
    const auto weights = mesh.take_dat<BoundaryEntry, double, 3>("bnd_weights_L0");
    auto q = mesh.make_dat<Node, double, 5, DerivedStorage<euler::GasState>>(nodes, "q");
    q.fill([&](LocalIndex i, int d) { return state_at(nodes.part->global_id(i))[d]; });
    auto sum = mesh.make_dat<Node, double, 5, LaneStorage>(nodes, "sum");

    par_loop(context, "half_normal", edges, HalfNormal{}, read_write(normals));
    par_loop(context, "edge_flux", edges, EdgeKernel{}, read<0>(derived(q), ends),
             read<1>(derived(q), ends), read(oriented(normals)), inc<0>(sum, ends),
             inc<1>(sum, ends));
    if (with_boundary) {
        par_loop(context, "boundary_flux", boundary, mgcfd::BoundaryFlux{}, read<0>(derived(q), at),
                 read(group), read(weights), inc<0>(sum, at));
    }
    std::vector<State> result(static_cast<std::size_t>(box.size()));
    for (LocalIndex i = 0; i < nodes.part->owned; ++i) {
        for (int d = 0; d < 5; ++d) {
            result[static_cast<std::size_t>(nodes.part->global_id(i))][d] = sum.store().at(i, d);
        }
    }
    return result;
}

}  // namespace halocline::test
