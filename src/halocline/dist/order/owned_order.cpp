// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Keys are made where the coordinates were declared, and 8 bytes an element travel to the owners.
#include "halocline/dist/order/owned_order.hpp"

#include <numeric>

#include "halocline/dist/partition/hilbert.hpp"

namespace halocline::dist {

namespace {

Buffer<LocalIndex> order_by_coordinates(const Communicator& comm, const DatDeclaration& dat,
                                        const Route& owned) {
    const std::span<const double> points(dat.doubles());
    // One box on all ranks: the order of two elements does not depend on who owns them.
    const BoundingBox box = united_box(comm, bounding_box(points, dat.dim));
    const Buffer<std::uint64_t> declared = hilbert_keys(points, dat.dim, box);
    const Buffer<std::uint64_t> packed =
        owned.packed(std::span<const std::uint64_t>(declared.data(), declared.size()), 1);
    Buffer<std::uint64_t> keys(static_cast<std::size_t>(owned.arriving()));
    owned.deliver(packed, keys.data(), 1);
    return order_by_key(keys);
}

}  // namespace

Buffer<LocalIndex> order_owned(const Communicator& comm, const MeshDeclaration& declaration,
                               const SetRenumbering& renumbering, const Route& owned,
                               const std::vector<MapPart>& maps) {
    switch (renumbering.method) {
        case Renumbering::hilbert:
            return order_by_coordinates(
                comm, declaration.dats[static_cast<std::size_t>(renumbering.coordinates)], owned);
        case Renumbering::rcm_chunks:
            return order_by_graph(maps, renumbering.graph_maps,
                                  static_cast<LocalIndex>(owned.arriving()));
        case Renumbering::with_targets:
            return order_by_targets(maps[static_cast<std::size_t>(renumbering.follows)],
                                    static_cast<LocalIndex>(owned.arriving()));
        case Renumbering::none:
            break;
    }
    Buffer<LocalIndex> order(static_cast<std::size_t>(owned.arriving()));
    std::iota(order.begin(), order.end(), 0);
    return order;
}

}  // namespace halocline::dist
