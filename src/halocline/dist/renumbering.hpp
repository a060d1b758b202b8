// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Which sets are renumbered, how, and from what.
#pragma once

#include <string>
#include <vector>

#include "halocline/dist/distribute.hpp"
#include "halocline/memory/buffer.hpp"
#include "halocline/mesh/declaration.hpp"
#include "halocline/mesh/part.hpp"

namespace halocline::dist {

enum class Renumbering {
    none,        ///< ascending global id
    hilbert,     ///< along Hilbert's curve through the coordinates
    rcm_chunks,  ///< reverse Cuthill-McKee, gathered into chunks that fit a private cache
};

/// How one set is renumbered.
struct SetRenumbering {
    Renumbering method = Renumbering::none;
    std::vector<int> graph_maps;  ///< of arity 2, from another set; empty for edge-like sets
    int coordinates = -1;         ///< dat on the set
};

/// By set. Sets that maps of arity 2 make a graph are renumbered, by their coordinates when the
/// options name them.
[[nodiscard]] std::vector<SetRenumbering> plan_renumbering(const MeshDeclaration& declaration,
                                                           const DistributeOptions& options);

/// The name for reports; sets renumbered in different ways join theirs by '+'.
[[nodiscard]] std::string renumbering_name(const std::vector<SetRenumbering>& sets);

/// Elements 0 … `vertices` of a set in the order of its graph; `maps` hold local targets.
[[nodiscard]] Buffer<LocalIndex> order_by_graph(const std::vector<MapPart>& maps,
                                                const std::vector<int>& graph_maps,
                                                LocalIndex vertices);

}  // namespace halocline::dist
