// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Each edge goes to the block owners of both its ends; there a counting sort makes rows.
#include "halocline/dist/partition_graph.hpp"

#include <algorithm>
#include <vector>

#include "halocline/dist/rows.hpp"
#include "halocline/dist/sparse_exchange.hpp"

namespace halocline::dist {

namespace {

/// One entry of the adjacency matrix.
struct Entry {
    GlobalIndex row;
    GlobalIndex column;
};

/// Adds both entries of every edge of the slice at the ranks that hold the rows; where files are in a
/// local order most rows are here already.
void exchange_entries(const Communicator& comm, GlobalIndex size,
                      std::span<const GlobalIndex> pairs, std::vector<Entry>& entries) {
    const BlockRange here = block_range(size, comm.rank(), comm.size());
    std::vector<Entry> leaving;
    std::vector<int> destination;
    const auto add = [&](GlobalIndex row, GlobalIndex column) {
        if (row >= here.begin && row < here.end) {
            entries.push_back({row, column});
        } else {
            leaving.push_back({row, column});
            destination.push_back(block_owner(row, size, comm.size()));
        }
    };
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
        if (pairs[i] != pairs[i + 1]) {
            add(pairs[i], pairs[i + 1]);
            add(pairs[i + 1], pairs[i]);
        }
    }
    const Grouping groups = group_by_rank(destination, comm.size());
    std::vector<Entry> packed;
    packed.reserve(leaving.size());
    for (const LocalIndex row : groups.rows) {
        packed.push_back(leaving[static_cast<std::size_t>(row)]);
    }
    const std::vector<Entry> arrived = SparseExchange(comm, groups.counts).forwarded(packed);
    entries.insert(entries.end(), arrived.begin(), arrived.end());
}

std::vector<Entry> collect_entries(const Communicator& comm, GlobalIndex size,
                                   std::span<const GlobalIndex> pairs, std::size_t slice_edges) {
    std::vector<Entry> entries;
    entries.reserve(pairs.size());
    const std::size_t step = 2 * slice_edges;
    const std::int64_t rounds =
        comm.max(static_cast<std::int64_t>((pairs.size() + step - 1) / step));
    for (std::int64_t round = 0; round < rounds; ++round) {
        const std::size_t begin = std::min(static_cast<std::size_t>(round) * step, pairs.size());
        exchange_entries(comm, size, pairs.subspan(begin, std::min(step, pairs.size() - begin)),
                         entries);
    }
    return entries;
}

/// Sorts each row and drops repeated columns, in place.
void make_rows_unique(DistributedGraph& graph) {
    std::int64_t kept = 0;
    std::int64_t begin = 0;
    for (std::size_t v = 0; v + 1 < graph.offsets.size(); ++v) {
        const auto first = graph.neighbours.begin() + begin;
        const auto last = graph.neighbours.begin() + graph.offsets[v + 1];
        begin = graph.offsets[v + 1];
        std::sort(first, last);
        const auto end = std::unique(first, last);
        std::copy(first, end, graph.neighbours.begin() + kept);
        kept += end - first;
        graph.offsets[v + 1] = kept;
    }
    graph.neighbours.resize(static_cast<std::size_t>(kept));
}

}  // namespace

DistributedGraph build_distributed_graph(const Communicator& comm, GlobalIndex size,
                                         std::span<const GlobalIndex> pairs,
                                         std::size_t slice_edges) {
    std::vector<Entry> entries = collect_entries(comm, size, pairs, slice_edges);
    const BlockRange block = block_range(size, comm.rank(), comm.size());
    DistributedGraph graph;
    graph.vertices = size;
    graph.offsets.assign(static_cast<std::size_t>(block.size()) + 1, 0);
    for (const Entry& entry : entries) {
        ++graph.offsets[static_cast<std::size_t>(entry.row - block.begin)];
    }
    std::int64_t total = 0;
    for (std::int64_t& offset : graph.offsets) {
        total += offset;
        offset = total;
    }
    graph.neighbours.resize(static_cast<std::size_t>(total));
    for (const Entry& entry : entries) {
        auto& end = graph.offsets[static_cast<std::size_t>(entry.row - block.begin)];
        graph.neighbours[static_cast<std::size_t>(--end)] = entry.column;
    }
    release(entries);
    make_rows_unique(graph);
    return graph;
}

}  // namespace halocline::dist
