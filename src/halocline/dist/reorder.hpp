// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Local graphs of sets and their reverse Cuthill-McKee order.
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

    [[nodiscard]] LocalIndex vertices() const noexcept {
        return static_cast<LocalIndex>(offsets.size()) - 1;
    }
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

/// New index by old index.
[[nodiscard]] Buffer<LocalIndex> invert(const Buffer<LocalIndex>& order);

}  // namespace halocline::dist
