// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// METIS's k-way partitioning of a graph that rank 0 gathers.
#pragma once

#include "halocline/dist/partition/partitioner.hpp"

namespace halocline::dist {

/// Vertices beyond which METIS is refused: rank 0 holds the whole graph (not the mesh), about 0.3 kB
/// a vertex with METIS's own memory, and no rank is to hold more than its share of large things.
inline constexpr GlobalIndex metis_vertex_limit = 4'000'000;

/// Whether this build links METIS.
[[nodiscard]] bool has_metis();

/// "METIS 5.1.0 on rank 0"
[[nodiscard]] std::string metis_version();

/// Part of each vertex of this rank's block; consumes the graph. Fixed seed; the same for any number
/// of ranks. Throws InputError beyond metis_vertex_limit, EnvironmentError in a build without METIS.
/// Collective.
[[nodiscard]] std::vector<int> partition_metis_kway(const Communicator& comm,
                                                    DistributedGraph& graph,
                                                    std::span<const GlobalIndex> targets);

}  // namespace halocline::dist
