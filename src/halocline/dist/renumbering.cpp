// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Chooses a renumbering for each set: coordinates when there are any, else the graph.
#include "halocline/dist/renumbering.hpp"

#include <algorithm>
#include <span>

#include "halocline/dist/division.hpp"
#include "halocline/dist/reorder.hpp"

namespace halocline::dist {

namespace {

std::vector<int> graph_maps_of(const MeshDeclaration& declaration, int set) {
    std::vector<int> result;
    for (std::size_t m = 0; m < declaration.maps.size(); ++m) {
        const MapDeclaration& map = declaration.maps[m];
        if (map.to == set && map.from != set && map.arity == 2) {
            result.push_back(static_cast<int>(m));
        }
    }
    return result;
}

bool uses(const std::vector<SetRenumbering>& sets, Renumbering method) {
    return std::any_of(sets.begin(), sets.end(),
                       [method](const SetRenumbering& set) { return set.method == method; });
}

}  // namespace

std::vector<SetRenumbering> plan_renumbering(const MeshDeclaration& declaration,
                                             const DistributeOptions& options) {
    std::vector<SetRenumbering> plan(declaration.sets.size());
    for (std::size_t s = 0; s < plan.size() && options.renumber; ++s) {
        SetRenumbering& set = plan[s];
        set.graph_maps = graph_maps_of(declaration, static_cast<int>(s));
        set.coordinates = coordinates_on(declaration, options.coordinates, static_cast<int>(s));
        if (!set.graph_maps.empty()) {
            set.method = set.coordinates >= 0 ? Renumbering::hilbert : Renumbering::rcm_chunks;
        }
    }
    return plan;
}

std::string renumbering_name(const std::vector<SetRenumbering>& sets) {
    const bool hilbert = uses(sets, Renumbering::hilbert);
    const bool rcm_chunks = uses(sets, Renumbering::rcm_chunks);
    if (hilbert && rcm_chunks) {
        return "hilbert+rcm_chunks";
    }
    return hilbert ? "hilbert" : rcm_chunks ? "rcm_chunks" : "none";
}

Buffer<LocalIndex> order_by_graph(const std::vector<MapPart>& maps,
                                  const std::vector<int>& graph_maps, LocalIndex vertices) {
    std::vector<std::span<const LocalIndex>> edges;
    for (const int m : graph_maps) {
        const auto& targets = maps[static_cast<std::size_t>(m)].targets;
        edges.emplace_back(targets.data(), targets.size());
    }
    return locality_order(build_graph(vertices, edges));
}

}  // namespace halocline::dist
