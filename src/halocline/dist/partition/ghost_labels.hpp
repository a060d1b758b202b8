// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A distributed graph with local indices, and labels of the vertices across the block boundary.
#pragma once

#include <span>
#include <vector>

#include "halocline/dist/migration/sparse_exchange.hpp"
#include "halocline/dist/partition/partitioner.hpp"

namespace halocline::dist {

/// Rows of this rank's vertices; columns from `vertices()` on are ghosts, vertices of other ranks.
class GhostedGraph {
public:
    /// Consumes the graph. Collective.
    GhostedGraph(const Communicator& comm, DistributedGraph& graph);

    /// Vertices of this rank.
    [[nodiscard]] std::size_t vertices() const noexcept { return offsets_.size() - 1; }
    /// Neighbours of a vertex: below `vertices()` this rank's, else ghosts.
    [[nodiscard]] std::span<const LocalIndex> row(std::size_t vertex) const {
        const auto begin = static_cast<std::size_t>(offsets_[vertex]);
        return std::span<const LocalIndex>(columns_).subspan(
            begin, static_cast<std::size_t>(offsets_[vertex + 1]) - begin);
    }

    /// Labels of this rank's vertices, then room for the ghosts' labels.
    [[nodiscard]] std::vector<int> with_ghosts(std::span<const int> labels) const;
    /// Brings the ghosts' labels up to date. Collective.
    void refresh(std::vector<int>& labels) const;

private:
    std::vector<std::int64_t> offsets_;
    std::vector<LocalIndex> columns_;
    std::vector<LocalIndex> asked_;  ///< this rank's vertices that others have as ghosts
    std::size_t ghosts_ = 0;
    std::vector<SparseExchange> exchange_;  ///< one, made after the ghosts are known
};

}  // namespace halocline::dist
