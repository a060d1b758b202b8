// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Ghosts in ascending global id are grouped by the rank whose block they are in.
#include "halocline/dist/partition/ghost_labels.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "halocline/core/error.hpp"
#include "halocline/dist/migration/local_ids.hpp"
#include "halocline/dist/migration/rows.hpp"

namespace halocline::dist {

namespace {

std::vector<GlobalIndex> find_ghosts(const DistributedGraph& graph, const BlockRange& block) {
    std::vector<GlobalIndex> ghosts;
    for (const GlobalIndex id : graph.neighbours) {
        if (id < block.begin || id >= block.end) {
            ghosts.push_back(id);
        }
    }
    std::sort(ghosts.begin(), ghosts.end());
    ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
    ghosts.shrink_to_fit();
    return ghosts;
}

}  // namespace

GhostedGraph::GhostedGraph(const Communicator& comm, DistributedGraph& graph)
    : offsets_(std::move(graph.offsets)) {
    const BlockRange block = block_range(graph.vertices, comm.rank(), comm.size());
    const std::vector<GlobalIndex> ghosts = find_ghosts(graph, block);
    ghosts_ = ghosts.size();
    run_agreed(comm, [&] {
        validate<InputError>(vertices() + ghosts_ <= std::numeric_limits<LocalIndex>::max(),
                             "the graph is too large for its ranks (a rank would hold more than "
                             "2147483647 vertices). Use more ranks.");
    });
    const SortedIds positions(ghosts);
    columns_.reserve(graph.neighbours.size());
    for (const GlobalIndex id : graph.neighbours) {
        const bool mine = id >= block.begin && id < block.end;
        columns_.push_back(mine ? static_cast<LocalIndex>(id - block.begin)
                                : static_cast<LocalIndex>(vertices()) + positions.find(id));
    }
    release(graph.neighbours);
    std::vector<std::int64_t> wanted(static_cast<std::size_t>(comm.size()), 0);
    for (const GlobalIndex id : ghosts) {
        ++wanted[static_cast<std::size_t>(block_owner(id, graph.vertices, comm.size()))];
    }
    exchange_.emplace_back(comm, std::move(wanted));
    for (const GlobalIndex id : exchange_.front().forwarded(ghosts)) {
        asked_.push_back(static_cast<LocalIndex>(id - block.begin));
    }
}

std::vector<int> GhostedGraph::with_ghosts(std::span<const int> labels) const {
    std::vector<int> all(labels.begin(), labels.end());
    all.resize(vertices() + ghosts_);
    return all;
}

void GhostedGraph::refresh(std::vector<int>& labels) const {
    std::vector<int> answers(asked_.size());
    for (std::size_t i = 0; i < answers.size(); ++i) {
        answers[i] = labels[static_cast<std::size_t>(asked_[i])];
    }
    exchange_.front().reverse(answers.data(), labels.data() + vertices());
}

}  // namespace halocline::dist
