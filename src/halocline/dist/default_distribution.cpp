// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Chooses a set and a partitioner by what the declaration offers.
#include <array>
#include <string_view>

#include "halocline/dist/distribute.hpp"
#include "halocline/dist/division.hpp"
#include "halocline/dist/partition_graph.hpp"
#include "halocline/dist/partitioner.hpp"

namespace halocline {

namespace {

/// The first that this build has and whose needs are met divides a mesh.
struct Way {
    std::string_view partitioner;
    std::string_view method;
};
constexpr std::array<Way, 6> preferred{{{"ptscotch", "kway"},
                                        {"parmetis", "kway"},
                                        {"sfc", "geomkway"},
                                        {"metis", "kway"},
                                        {"sfc", "geom"},
                                        {"block", "none"}}};

/// Targets in `set` over all elements that join it.
GlobalIndex joined_targets(const MeshDeclaration& declaration, int set) {
    GlobalIndex count = 0;
    for (const int m : dist::graph_maps_of(declaration, set)) {
        const MapDeclaration& map = declaration.maps[static_cast<std::size_t>(m)];
        count += declaration.sets[static_cast<std::size_t>(map.from)].size * map.arity;
    }
    return count;
}

/// The set that loops meet most often through maps; without any the first with coordinates, else the
/// first.
int set_to_divide(const MeshDeclaration& declaration) {
    int best = -1;
    GlobalIndex most = 0;
    for (int set = 0; set < static_cast<int>(declaration.sets.size()); ++set) {
        const GlobalIndex count = joined_targets(declaration, set);
        if (count > most) {
            best = set;
            most = count;
        }
    }
    if (best < 0 && !declaration.coordinates.empty()) {
        const auto dat = static_cast<std::size_t>(declaration.coordinates.front());
        return declaration.dats[dat].set;
    }
    return best < 0 ? 0 : best;
}

}  // namespace

DistributeOptions default_distribution(const MeshDeclaration& declaration) {
    DistributeOptions options;
    options.order_all_sets = true;
    options.coordinates = declaration.coordinates;
    options.primary_set = set_to_divide(declaration);
    const bool has_graph = !dist::graph_maps_of(declaration, options.primary_set).empty();
    const bool has_points =
        dist::coordinates_on(declaration, options.coordinates, options.primary_set) >= 0;
    for (const Way& way : preferred) {
        const auto partitioner = dist::make_partitioner(way.partitioner, way.method).partitioner;
        if (partitioner->available(way.method) &&
            (has_graph || !partitioner->needs_graph(way.method)) &&
            (has_points || !partitioner->needs_coordinates(way.method))) {
            options.partitioner = way.partitioner;
            options.method = way.method;
            break;
        }
    }
    return options;
}

}  // namespace halocline
