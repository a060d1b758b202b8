// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Edges go to the owners of both ends; a counting sort makes rows of them.
#include "halocline/linalg/setup/row_graph.hpp"

#include <algorithm>
#include <numeric>

#include "halocline/linalg/setup/ghost_nodes.hpp"

namespace halocline::linalg::setup {

Ranges block_ranges(GlobalIndex size, int ranks) {
    Ranges first;
    for (int r = 0; r < ranks; ++r) {
        first.push_back(block_range(size, r, ranks).begin);
    }
    first.push_back(size);
    return first;
}

Ranges ranges_of_counts(const Communicator& comm, LocalIndex count) {
    const std::int64_t mine = count;
    const std::vector<std::int64_t> counts = comm.all_gather(std::span(&mine, 1));
    Ranges first{0};
    for (const std::int64_t other : counts) {
        first.push_back(first.back() + other);
    }
    return first;
}

int owner_in(const Ranges& first, GlobalIndex node) {
    return static_cast<int>(std::upper_bound(first.begin(), first.end(), node) - first.begin()) - 1;
}

namespace {

/// One end of an edge as its owner gets it.
struct Entry {
    GlobalIndex row;
    GlobalIndex column;
    double weight;
};

/// Entries that other ranks and this one have for rows of this rank, by ascending edge: ranks' blocks
/// of edges ascend, and each keeps their order. Collective.
std::vector<Entry> entries_of_owners(const Communicator& comm, const Ranges& first,
                                     const DeclaredEdges& edges) {
    const auto ranks = static_cast<std::size_t>(comm.size());
    std::vector<std::int64_t> counts(ranks, 0);
    for (const GlobalIndex node : edges.ends) {
        ++counts[static_cast<std::size_t>(owner_in(first, node))];
    }
    std::vector<std::int64_t> place(ranks, 0);
    std::exclusive_scan(counts.begin(), counts.end(), place.begin(), std::int64_t{0});
    std::vector<Entry> sent(edges.ends.size());
    for (std::size_t i = 0; i < edges.ends.size(); ++i) {
        const Entry entry{edges.ends[i], edges.ends[i ^ 1], edges.weights[i / 2]};
        const auto owner = static_cast<std::size_t>(owner_in(first, entry.row));
        sent[static_cast<std::size_t>(place[owner]++)] = entry;
    }
    return dist::SparseExchange(comm, std::move(counts)).forwarded(sent);
}

/// Calls `visit(row, column, weight)` in ascending order of edges.
template <class Visit>
void visit_edges(const DeclaredEdges& edges, Visit&& visit) {
    for (std::size_t e = 0; e < edges.weights.size(); ++e) {
        const GlobalIndex a = edges.ends[2 * e];
        const GlobalIndex b = edges.ends[2 * e + 1];
        if (a != b) {
            visit(a, b, edges.weights[e]);
            visit(b, a, edges.weights[e]);
        }
    }
}
template <class Visit>
void visit_entries(const std::vector<Entry>& entries, Visit&& visit) {
    for (const Entry& entry : entries) {
        if (entry.row != entry.column) {
            visit(entry.row, entry.column, entry.weight);
        }
    }
}

bool is_own(const RowGraph& graph, GlobalIndex node) {
    return node >= graph.begin && node < graph.begin + graph.owned;
}

/// `visit_all(visit)` brings all entries of this rank's rows, each time in the same order.
template <class VisitAll>
void fill_rows(RowGraph& graph, VisitAll&& visit_all) {
    const auto rows = static_cast<std::size_t>(graph.owned);
    graph.offsets = Buffer<std::int64_t>(rows + 1, 0);
    visit_all([&](GlobalIndex row, GlobalIndex column, double) {
        ++graph.offsets[static_cast<std::size_t>(row - graph.begin)];
        if (!is_own(graph, column)) {
            graph.ghosts.push_back(column);
        }
    });
    make_unique(graph.ghosts);
    // Ends of the rows; filling from behind leaves their beginnings.
    std::int64_t end = 0;
    for (std::size_t i = 0; i <= rows; ++i) {
        const std::int64_t count = i < rows ? graph.offsets[i] : 0;
        graph.offsets[i] = end;
        end += count;
    }
    graph.columns = Buffer<LocalIndex>(static_cast<std::size_t>(end));
    graph.weights = Buffer<double>(static_cast<std::size_t>(end));
    visit_all([&](GlobalIndex row, GlobalIndex column, double weight) {
        const auto place =
            static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(row - graph.begin)]++);
        graph.columns[place] = is_own(graph, column)
                                   ? static_cast<LocalIndex>(column - graph.begin)
                                   : graph.owned + ghost_place(graph.ghosts, column);
        graph.weights[place] = weight;
    });
    for (std::size_t i = rows; i > 0; --i) {
        graph.offsets[i] = graph.offsets[i - 1];
    }
    graph.offsets[0] = 0;
}

}  // namespace

RowGraph rows_of_edges(const Communicator& comm, const DeclaredEdges& edges) {
    RowGraph graph;
    graph.first = block_ranges(edges.nodes, comm.size());
    const BlockRange block = block_range(edges.nodes, comm.rank(), comm.size());
    graph.begin = block.begin;
    graph.owned = static_cast<LocalIndex>(block.size());
    if (comm.size() == 1) {
        fill_rows(graph, [&](auto&& visit) { visit_edges(edges, visit); });
    } else {
        const std::vector<Entry> entries = entries_of_owners(comm, graph.first, edges);
        fill_rows(graph, [&](auto&& visit) { visit_entries(entries, visit); });
    }
    graph.diagonal = Buffer<double>(static_cast<std::size_t>(graph.owned), 0.0);
    std::copy(edges.diagonal.begin(), edges.diagonal.end(), graph.diagonal.begin());
    return graph;
}

}  // namespace halocline::linalg::setup
