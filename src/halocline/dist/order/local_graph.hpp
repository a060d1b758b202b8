// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Graphs of what is neighbours within a set on one rank.
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
    /// The neighbours of a vertex.
    [[nodiscard]] std::span<const LocalIndex> row(LocalIndex v) const noexcept {
        return {neighbours.data() + offsets[static_cast<std::size_t>(v)],
                static_cast<std::size_t>(degree(v))};
    }
};

/// Graph of the pairs in `edge_lists` (two entries an edge). Pairs with an end at or beyond
/// `vertices`, or with equal ends, are left out.
[[nodiscard]] LocalGraph build_graph(LocalIndex vertices,
                                     std::span<const std::span<const LocalIndex>> edge_lists);

/// The graph with vertex order[i] as vertex i and each neighbour once, in ascending order.
[[nodiscard]] LocalGraph renumbered_graph(const LocalGraph& graph, const Buffer<LocalIndex>& order);

/// New index by old index.
[[nodiscard]] Buffer<LocalIndex> invert(const Buffer<LocalIndex>& order);

}  // namespace halocline::dist
