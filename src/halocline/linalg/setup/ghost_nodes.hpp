// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Values of nodes that other ranks own, by the ranges of a graph.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "halocline/dist/migration/sparse_exchange.hpp"
#include "halocline/linalg/setup/row_graph.hpp"

namespace halocline::linalg::setup {

/// Which rank asks which for which nodes; made once for a list of ghosts.
class GhostNodes {
public:
    /// `ghosts` ascending, none of them in this rank's own range. Collective.
    GhostNodes(const Communicator& comm, const Ranges& first, std::span<const GlobalIndex> ghosts);

    /// The ghosts' values from their owners' `own` ones. Collective.
    template <class T>
    void fetch(const T* own, T* ghost_values) const {
        if (!exchange_) {
            return;
        }
        std::vector<T> answers(asked_.size());
        for (std::size_t i = 0; i < asked_.size(); ++i) {
            answers[i] = own[asked_[i]];
        }
        exchange_->reverse(answers.data(), ghost_values);
    }
    /// The same where ghosts lie behind the `owned` values.
    template <class T>
    void update(Buffer<T>& values, LocalIndex owned) const {
        fetch(values.data(), values.data() + owned);
    }

private:
    std::optional<dist::SparseExchange> exchange_;  ///< none on one rank
    std::vector<LocalIndex> asked_;                 ///< own nodes that others ask for
};

/// Begins a level: every node stands for itself, with a mass of d + sum |w|. Nodes at a boundary have
/// fewer edges, but should be treated as those beside them: they take the largest mass among their
/// neighbours, up to twice their own. Collective.
void begin_level(RowGraph& graph, const GhostNodes& ghosts);

/// Place of `node` in `ghosts`.
[[nodiscard]] inline LocalIndex ghost_place(std::span<const GlobalIndex> ghosts, GlobalIndex node) {
    return static_cast<LocalIndex>(std::lower_bound(ghosts.begin(), ghosts.end(), node) -
                                   ghosts.begin());
}

/// Sorted, each once.
void make_unique(std::vector<GlobalIndex>& nodes);

/// `values` lie by `first`, `width` a node; returns this rank's block by `block_range`. Collective.
template <class T>
[[nodiscard]] std::vector<T> to_blocks(const Communicator& comm, const Ranges& first,
                                       std::vector<T> values, int width = 1) {
    if (comm.size() == 1) {
        return values;
    }
    const auto rank = static_cast<std::size_t>(comm.rank());
    std::vector<std::int64_t> counts(static_cast<std::size_t>(comm.size()));
    for (std::size_t r = 0; r < counts.size(); ++r) {
        const BlockRange block = block_range(first.back(), static_cast<int>(r), comm.size());
        counts[r] = std::max<std::int64_t>(
            0, std::min(first[rank + 1], block.end) - std::max(first[rank], block.begin));
    }
    const dist::SparseExchange exchange(comm, counts);
    std::vector<T> result(static_cast<std::size_t>(exchange.received_rows() * width));
    exchange.forward(values.data(), result.data(), width);
    return result;
}

}  // namespace halocline::linalg::setup
