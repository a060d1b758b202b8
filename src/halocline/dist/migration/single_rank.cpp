// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One rank: convert, renumber set by set, and give declared arrays back as soon as they are copied.
#include "halocline/dist/migration/single_rank.hpp"

#include <span>
#include <utility>

#include "halocline/core/clock.hpp"
#include "halocline/dist/migration/absent.hpp"
#include "halocline/dist/migration/rows.hpp"
#include "halocline/dist/migration/validate.hpp"
#include "halocline/dist/order/graph_bisection.hpp"
#include "halocline/dist/order/renumbering.hpp"
#include "halocline/dist/order/tile_order.hpp"
#include "halocline/dist/partition/hilbert.hpp"

namespace halocline::dist {

namespace {

SetPart whole_set(const SetDeclaration& set) {
    validate_local_count(set.name, set.size);
    SetPart part;
    part.name = set.name;
    part.global_size = set.size;
    part.is_replicated = set.is_replicated;
    part.core = part.owned = part.exec = part.total = static_cast<LocalIndex>(set.size);
    return part;
}

MapPart whole_map(MapDeclaration& map) {
    MapPart part{map.name, map.from, map.to, map.arity, {}};
    part.may_be_absent = map.may_be_absent;
    part.targets = converted<LocalIndex>(std::span<const GlobalIndex>(map.targets));
    release(map.targets);
    return part;
}

DatPart whole_dat(DatDeclaration& dat, const SetPart& set, const Buffer<LocalIndex>* order) {
    const auto dim = static_cast<std::size_t>(dat.dim);
    const DatValues declared = dat.take_values(static_cast<std::size_t>(set.total) * dim);
    const auto placed = [&]<class T>(const std::vector<T>& values) {
        DatPart part{dat.name, dat.set, dat.dim, words_of_rows<T>(set, dim), element_type_of<T>};
        if (order != nullptr) {
            permute_rows_into(values_in<T>(part.values), std::span<const T>(values), dat.dim,
                              {order->data(), order->size()});
        } else {
            convert_into(values_in<T>(part.values), std::span<const T>(values));
        }
        return part;
    };
    return std::visit(placed, declared);
}

SetOrder order_along_curve(const LocalGraph& graph, const DatDeclaration& dat) {
    const std::span<const double> points(dat.doubles());
    Buffer<LocalIndex> order =
        order_by_key(hilbert_keys(points, dat.dim, bounding_box(points, dat.dim)));
    const bool in_tiles = gather_into_tiles(graph, points, dat.dim, {order.data(), order.size()});
    return {std::move(order), in_tiles};
}

SetOrder set_order(const MeshPart& mesh, const MeshDeclaration& declaration, int set,
                   const SetRenumbering& renumbering) {
    const LocalIndex elements = mesh.sets[static_cast<std::size_t>(set)].total;
    if (renumbering.method == Renumbering::with_targets) {
        return {
            order_by_targets(mesh.maps[static_cast<std::size_t>(renumbering.follows)], elements)};
    }
    const LocalGraph graph = graph_of_set(mesh.maps, renumbering.graph_maps, elements);
    return renumbering.method == Renumbering::hilbert
               ? order_along_curve(
                     graph, declaration.dats[static_cast<std::size_t>(renumbering.coordinates)])
               : SetOrder{bisection_order(graph)};
}

/// Applies an order (old index by new index) to a set's ids and to all maps from and to it.
void renumber_set(MeshPart& mesh, int set, const Buffer<LocalIndex>& order) {
    mesh.sets[static_cast<std::size_t>(set)].global_ids = GlobalIds(order);
    const Buffer<LocalIndex> new_index = invert(order);
    for (MapPart& map : mesh.maps) {
        if (map.to == set) {
            relabel(map.targets, new_index);
        }
        if (map.from == set) {
            const std::span<const LocalIndex> rows(map.targets.data(), map.targets.size());
            map.targets = permuted_rows(rows, map.arity, {order.data(), order.size()});
        }
    }
}

void localise_dats(MeshPart& mesh, MeshDeclaration& declaration, int set,
                   const Buffer<LocalIndex>* order) {
    for (std::size_t d = 0; d < mesh.dats.size(); ++d) {
        if (declaration.dats[d].set == set) {
            mesh.dats[d] =
                whole_dat(declaration.dats[d], mesh.sets[static_cast<std::size_t>(set)], order);
        }
    }
}

}  // namespace

Distribution localise_whole_mesh(const Communicator& comm, MeshDeclaration declaration,
                                 const DistributeOptions& options) {
    Distribution result;
    MeshPart& mesh = result.part;
    for (const SetDeclaration& set : declaration.sets) {
        mesh.sets.push_back(whole_set(set));
    }
    mark_absent(declaration, mesh);
    const std::vector<SetRenumbering> plan = plan_renumbering(comm, declaration, options);
    for (MapDeclaration& map : declaration.maps) {
        mesh.maps.push_back(whole_map(map));
    }
    mesh.dats.resize(declaration.dats.size());
    ScopedTimer timer(result.report.renumber_s);
    bool in_tiles = false;
    for (const int set : renumbering_sequence(plan)) {
        const SetRenumbering& renumbering = plan[static_cast<std::size_t>(set)];
        if (renumbering.method == Renumbering::none) {
            localise_dats(mesh, declaration, set, nullptr);
            continue;
        }
        const SetOrder order = set_order(mesh, declaration, set, renumbering);
        in_tiles = in_tiles || order.in_tiles;
        renumber_set(mesh, set, order.elements);
        localise_dats(mesh, declaration, set, &order.elements);
    }
    result.report.renumbering = renumbering_name(plan, in_tiles);
    place_absent_targets(mesh);
    return result;
}

}  // namespace halocline::dist
