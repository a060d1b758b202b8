// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Coordinates travel to the owners, who find keys and tiles.
#include "halocline/dist/order/owned_order.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "halocline/dist/order/graph_bisection.hpp"
#include "halocline/dist/order/tile_order.hpp"
#include "halocline/dist/partition/hilbert.hpp"

namespace halocline::dist {

namespace {

Buffer<double> points_at_owners(std::span<const double> declared, int dim, const Route& owned) {
    const Buffer<double> packed = owned.packed(declared, dim);
    Buffer<double> points(static_cast<std::size_t>(owned.arriving()) *
                          static_cast<std::size_t>(dim));
    owned.deliver(packed, points.data(), dim);
    return points;
}

SetOrder order_by_coordinates(const Communicator& comm, const DatDeclaration& dat,
                              const Route& owned, const LocalGraph& graph,
                              const std::vector<std::uint8_t>& near_halo) {
    const std::span<const double> declared(dat.doubles());
    // One box on all ranks: the curve does not depend on who owns an element.
    const BoundingBox box = united_box(comm, bounding_box(declared, dat.dim));
    const Buffer<double> arrived = points_at_owners(declared, dat.dim, owned);
    const std::span<const double> points(arrived.data(), arrived.size());
    Buffer<LocalIndex> order = order_by_key(hilbert_keys(points, dat.dim, box));
    // Core elements come first in the end: tiles of theirs hold nothing else.
    LocalIndex* const core_end = std::stable_partition(
        order.begin(), order.end(),
        [&](LocalIndex i) { return near_halo[static_cast<std::size_t>(i)] == 0; });
    const bool in_tiles = gather_into_tiles(graph, points, dat.dim, {order.begin(), core_end});
    return {std::move(order), in_tiles};
}

}  // namespace

SetOrder order_owned(const Communicator& comm, const MeshDeclaration& declaration,
                     const SetRenumbering& renumbering, const Route& owned,
                     const std::vector<MapPart>& maps, const std::vector<std::uint8_t>& near_halo) {
    const auto elements = static_cast<LocalIndex>(owned.arriving());
    switch (renumbering.method) {
        case Renumbering::hilbert:
            return order_by_coordinates(
                comm, declaration.dats[static_cast<std::size_t>(renumbering.coordinates)], owned,
                graph_of_set(maps, renumbering.graph_maps, elements), near_halo);
        case Renumbering::bisection:
            return {bisection_order(graph_of_set(maps, renumbering.graph_maps, elements))};
        case Renumbering::with_targets:
            return {
                order_by_targets(maps[static_cast<std::size_t>(renumbering.follows)], elements)};
        case Renumbering::none:
            break;
    }
    Buffer<LocalIndex> order(static_cast<std::size_t>(elements));
    std::iota(order.begin(), order.end(), 0);
    return {std::move(order)};
}

}  // namespace halocline::dist
