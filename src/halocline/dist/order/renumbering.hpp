// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Which sets are renumbered, how, and from what.
#pragma once

#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/dist/order/local_graph.hpp"
#include "halocline/memory/buffer.hpp"
#include "halocline/mesh/declaration.hpp"
#include "halocline/mesh/part.hpp"

namespace halocline::dist {

/// How the elements of a set follow each other.
enum class Renumbering {
    none,          ///< ascending global id
    hilbert,       ///< along Hilbert's curve through the coordinates, in tiles where that is better
    bisection,     ///< halves of the graph, again and again, that follow each other
    with_targets,  ///< ascending lowest target, then id
};

/// How one set is renumbered.
struct SetRenumbering {
    Renumbering method = Renumbering::none;  ///< how
    std::vector<int>
        graph_maps;        ///< of several columns, from another set; empty for edge-like sets
    int coordinates = -1;  ///< dat on the set
    int follows = -1;      ///< map whose targets decide, of `with_targets`
};

/// By set. Sets that maps of arity 2 make a graph are renumbered, by their coordinates when the
/// options name them; with `order_all_sets` as that says. The declaration still holds its maps.
/// Collective.
[[nodiscard]] std::vector<SetRenumbering> plan_renumbering(const Communicator& comm,
                                                           const MeshDeclaration& declaration,
                                                           const DistributeOptions& options);

/// Sets in an order in which each comes after the set that it follows.
[[nodiscard]] std::vector<int> renumbering_sequence(const std::vector<SetRenumbering>& sets);

/// The first `elements` of a map's set by ascending lowest target; ties stay as they are.
[[nodiscard]] Buffer<LocalIndex> order_by_targets(const MapPart& map, LocalIndex elements);

/// The order of one set on this rank.
struct SetOrder {
    Buffer<LocalIndex> elements;  ///< by place
    bool in_tiles = false;        ///< gathered into tiles along the curve
};

/// The name for reports; sets renumbered in different ways join theirs by '+'. `in_tiles`: some set is.
[[nodiscard]] std::string renumbering_name(const std::vector<SetRenumbering>& sets, bool in_tiles);

/// Which of a set's elements 0 … `vertices` are neighbours; `maps` hold local targets.
[[nodiscard]] LocalGraph graph_of_set(const std::vector<MapPart>& maps,
                                      const std::vector<int>& graph_maps, LocalIndex vertices);

}  // namespace halocline::dist
