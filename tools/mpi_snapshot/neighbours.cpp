// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Outgoing neighbours of Cartesian, graph and distributed graph topologies.
#include "communicators.hpp"
#include "functions.hpp"
#include "groups.hpp"
#include "memory.hpp"

namespace halocline::snapshot {

namespace {

/// Local ranks in the order of the send buffer; MPI_PROC_NULL at open boundaries.
struct Ranks {
    int count;
    int* values;
};

Ranks cartesian(MPI_Comm handle) {
    int dimensions = 0;
    real.MPI_Cartdim_get(handle, &dimensions);
    Ranks ranks{2 * dimensions, allocate_array<int>(static_cast<std::size_t>(2 * dimensions) + 1)};
    for (int i = 0; ranks.values != nullptr && i < dimensions; ++i) {
        real.MPI_Cart_shift(handle, i, 1, ranks.values + 2 * i, ranks.values + 2 * i + 1);
    }
    return ranks;
}

Ranks graph(MPI_Comm handle, int rank) {
    int count = 0;
    real.MPI_Graph_neighbors_count(handle, rank, &count);
    Ranks ranks{count, allocate_array<int>(static_cast<std::size_t>(count) + 1)};
    if (ranks.values != nullptr) {
        real.MPI_Graph_neighbors(handle, rank, count, ranks.values);
    }
    return ranks;
}

Ranks distributed_graph(MPI_Comm handle) {
    int sources = 0, destinations = 0, weighted = 0;
    real.MPI_Dist_graph_neighbors_count(handle, &sources, &destinations, &weighted);
    int* from = allocate_array<int>(2 * static_cast<std::size_t>(sources) + 1);
    Ranks to{destinations, allocate_array<int>(2 * static_cast<std::size_t>(destinations) + 1)};
    if (from != nullptr && to.values != nullptr) {
        // Not MPI_UNWEIGHTED: in Open MPI that is data of its library.
        real.MPI_Dist_graph_neighbors(handle, sources, from, from + sources, destinations,
                                      to.values, to.values + destinations);
    }
    return to;
}

}  // namespace

const Neighbours& neighbours_of(Communicator& communicator, MPI_Comm handle) {
    static Neighbours none{0, nullptr};
    if (Neighbours* known = communicator.neighbours.load(std::memory_order_acquire)) {
        return *known;
    }
    int topology = MPI_UNDEFINED;
    real.MPI_Topo_test(handle, &topology);
    Ranks ranks{0, nullptr};
    if (topology == MPI_CART) {
        ranks = cartesian(handle);
    } else if (topology == MPI_GRAPH) {
        ranks = graph(handle, communicator.rank);
    } else if (topology == MPI_DIST_GRAPH) {
        ranks = distributed_graph(handle);
    }
    auto* made = allocate_array<Neighbours>(1);
    if (made == nullptr || ranks.values == nullptr) {
        return none;
    }
    *made = {ranks.count, world_ranks_of(*communicator.peers, ranks.values, ranks.count)};
    communicator.neighbours.store(made, std::memory_order_release);
    return *made;
}

}  // namespace halocline::snapshot
