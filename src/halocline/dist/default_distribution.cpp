// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Chooses a set and a partitioner by what the declaration offers.
#include <algorithm>
#include <array>
#include <string_view>

#include "halocline/core/error.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/dist/migration/division.hpp"
#include "halocline/dist/migration/validate.hpp"
#include "halocline/dist/partition/partition_graph.hpp"
#include "halocline/dist/partition/partitioner.hpp"

namespace halocline {

namespace {

/// The first that this build has and whose needs are met divides a mesh.
struct Partitioning {
    std::string_view partitioner;
    std::string_view method;
};
constexpr std::array<Partitioning, 6> preferred{{{"ptscotch", "kway"},
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
/// first. Replicated sets are not divided.
int set_to_divide(const MeshDeclaration& declaration, const std::vector<int>& coordinates) {
    int best = DistributeOptions::unnamed;
    GlobalIndex most = 0;
    const auto is_divided = [&](int set) {
        return !declaration.sets[static_cast<std::size_t>(set)].is_replicated;
    };
    int first = DistributeOptions::unnamed;
    for (int set = 0; set < static_cast<int>(declaration.sets.size()); ++set) {
        if (!is_divided(set)) {
            continue;
        }
        first = first < 0 ? set : first;
        const GlobalIndex count = joined_targets(declaration, set);
        if (count > most) {
            best = set;
            most = count;
        }
    }
    for (std::size_t k = 0; best < 0 && k < coordinates.size(); ++k) {
        const int set = declaration.dats[static_cast<std::size_t>(coordinates[k])].set;
        best = is_divided(set) ? set : best;
    }
    return best < 0 ? std::max(first, 0) : best;
}

void choose_partitioner(const MeshDeclaration& declaration, DistributeOptions& options) {
    const bool has_graph = !dist::partition_maps(declaration, options).empty();
    const bool has_points =
        dist::coordinates_on(declaration, options.coordinates, options.primary_set) >= 0;
    for (const Partitioning& way : preferred) {
        const auto partitioner = dist::make_partitioner(way.partitioner, way.method).partitioner;
        if (partitioner->available(way.method) &&
            (options.method == "auto" || options.method == way.method) &&
            (has_graph || !partitioner->needs_graph(way.method)) &&
            (has_points || !partitioner->needs_coordinates(way.method))) {
            options.partitioner = way.partitioner;
            options.method = way.method;
            return;
        }
    }
    options.partitioner = "block";  // refused with the method, with what there is
}

}  // namespace

DistributeOptions completed_options(const MeshDeclaration& declaration, DistributeOptions options) {
    validate<ContractError>(
        !declaration.sets.empty(),
        "the declaration of the mesh is empty (it has no sets: nothing was added, "
        "or it was moved to a mesh before). Declare the sets first, or pass a "
        "copy of a declaration that serves twice.");
    if (options.coordinates.empty()) {
        options.coordinates = declaration.coordinates;
    }
    dist::validate_coordinates(declaration, options.coordinates);
    if (options.primary_set == DistributeOptions::unnamed) {
        options.primary_set = set_to_divide(declaration, options.coordinates);
    }
    if (options.partitioner == "auto") {
        choose_partitioner(declaration, options);
    }
    return options;
}

}  // namespace halocline
