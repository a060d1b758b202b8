// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// An edge operator by rows: each rank has a contiguous range of nodes with all their edges.
#pragma once

#include <span>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/core/types.hpp"
#include "halocline/memory/buffer.hpp"

namespace halocline::linalg::setup {

/// Nodes of a graph over the ranks: rank r has [first[r], first[r + 1]).
using Ranges = std::vector<GlobalIndex>;

/// The ranges of `block_range`.
[[nodiscard]] Ranges block_ranges(GlobalIndex size, int ranks);
/// The ranges that `count` nodes on each rank make. Collective.
[[nodiscard]] Ranges ranges_of_counts(const Communicator& comm, LocalIndex count);
/// The rank whose range holds `node`.
[[nodiscard]] int owner_in(const Ranges& first, GlobalIndex node);

/// (A x)_a = d_a x_a + sum over entries (b, w) of row a of w (x_a - x_b). An edge stands in the rows of
/// both its ends, with the same bits of its weight; entries of a row follow each other in an order
/// that does not depend on the ranks.
struct RowGraph {
    Ranges first;                  ///< nodes of each rank (ranks + 1)
    GlobalIndex begin = 0;         ///< first node of this rank
    LocalIndex owned = 0;          ///< nodes of this rank
    Buffer<std::int64_t> offsets;  ///< (owned + 1), into columns and weights
    Buffer<LocalIndex> columns;    ///< local: own nodes, then ghosts
    Buffer<double> weights;        ///< by column
    Buffer<double> diagonal;       ///< (owned)
    Buffer<double> strongest;      ///< (owned) largest weight of the row; 0 where none is positive
    Buffer<double> inner;  ///< (owned) strongest edge within what a node stands for on its level
    Buffer<double> mass;   ///< (owned) sum over the same of what smoothing divides by
    Buffer<std::int8_t> has_negative;  ///< (owned) whether a weight of the row is negative
    std::vector<GlobalIndex> ghosts;   ///< nodes of other ranks that own rows name, ascending

    /// Own nodes and ghosts.
    [[nodiscard]] LocalIndex local_count() const {
        return owned + static_cast<LocalIndex>(ghosts.size());
    }
    /// Nodes over all ranks.
    [[nodiscard]] GlobalIndex size() const { return first.back(); }
    /// Global id of a local node.
    [[nodiscard]] GlobalIndex global_id(LocalIndex node) const {
        return node < owned ? begin + node : ghosts[static_cast<std::size_t>(node - owned)];
    }
    /// Neighbours of a row, by local index.
    [[nodiscard]] std::span<const LocalIndex> columns_of(LocalIndex row) const {
        const auto i = static_cast<std::size_t>(row);
        return {columns.data() + offsets[i], static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
    }
    /// Weights of a row, in the order of its columns.
    [[nodiscard]] std::span<const double> weights_of(LocalIndex row) const {
        const auto i = static_cast<std::size_t>(row);
        return {weights.data() + offsets[i], static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
    }
};

/// This rank's block of a declared operator.
struct DeclaredEdges {
    GlobalIndex nodes = 0;              ///< over all ranks
    std::span<const GlobalIndex> ends;  ///< (block of edges, 2), row-major, global
    std::span<const double> weights;    ///< (block of edges)
    std::span<const double> diagonal;   ///< (block of nodes); empty: zero
};

/// Rows of the declared operator, entries by ascending edge. Edges from a node to itself change
/// nothing and are left out. Collective.
[[nodiscard]] RowGraph rows_of_edges(const Communicator& comm, const DeclaredEdges& edges);

}  // namespace halocline::linalg::setup
