// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Local graphs of sets, their reverse Cuthill-McKee order and its gathering into chunks.
#pragma once

#include <cstdint>
#include <span>

#include "halocline/core/types.hpp"
#include "halocline/memory/buffer.hpp"

namespace halocline::dist {

/// Undirected graph in compressed rows. No self-loops; an edge declared twice is stored twice.
struct LocalGraph {
    Buffer<std::int64_t> offsets;   ///< (vertices + 1)
    Buffer<LocalIndex> neighbours;  ///< both directions of every edge

    /// Number of vertices.
    [[nodiscard]] LocalIndex vertices() const noexcept {
        return static_cast<LocalIndex>(offsets.size()) - 1;
    }
    /// Number of neighbours of a vertex, repeated ones counted.
    [[nodiscard]] std::int64_t degree(LocalIndex v) const noexcept {
        return offsets[static_cast<std::size_t>(v) + 1] - offsets[static_cast<std::size_t>(v)];
    }
};

/// Graph of the pairs in `edge_lists` (two entries an edge). Pairs with an end at or beyond
/// `vertices`, or with equal ends, are left out.
[[nodiscard]] LocalGraph build_graph(LocalIndex vertices,
                                     std::span<const std::span<const LocalIndex>> edge_lists);

/// Old index by new index: each connected component in reverse breadth-first order from a
/// pseudo-peripheral vertex, components by their lowest vertex. Depends on the graph alone.
[[nodiscard]] Buffer<LocalIndex> reverse_cuthill_mckee(const LocalGraph& graph);

/// Walks `order` and pulls each vertex's surroundings forward: chunks of up to `chunk_size` vertices
/// grown breadth first among those not taken yet. Neighbours then lie within a private cache instead
/// of a whole front apart, while chunks still follow each other like the order given. Deterministic.
[[nodiscard]] Buffer<LocalIndex> gather_into_chunks(const LocalGraph& graph,
                                                    const Buffer<LocalIndex>& order,
                                                    LocalIndex chunk_size);

/// What renumbering uses: reverse Cuthill-McKee, then chunks that fit a private cache with the rows
/// around them.
[[nodiscard]] Buffer<LocalIndex> locality_order(const LocalGraph& graph);

/// New index by old index.
[[nodiscard]] Buffer<LocalIndex> invert(const Buffer<LocalIndex>& order);

}  // namespace halocline::dist
