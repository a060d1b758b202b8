// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Each edge goes to the block owners of both its ends; there a counting sort makes rows.
#include "halocline/dist/partition/partition_graph.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "halocline/dist/migration/rows.hpp"
#include "halocline/dist/migration/sparse_exchange.hpp"

namespace halocline::dist {

namespace {

/// One entry of the adjacency matrix.
struct Entry {
    GlobalIndex row;
    GlobalIndex column;
};

/// Collects entries of the adjacency matrix at the ranks that hold the rows. Those whose rows are here
/// stay: where files are in a local order that is nearly all of them.
class EntryCollector {
public:
    EntryCollector(const Communicator& comm, GlobalIndex size)
        : comm_(comm), size_(size), here_(block_range(size, comm.rank(), comm.size())) {}

    void add_edge(GlobalIndex a, GlobalIndex b) {
        if (a != b) {
            add(a, b);
            add(b, a);
        }
    }
    /// Sends what belongs elsewhere. Collective.
    void exchange() {
        const Grouping groups = group_by_rank(destination_, comm_.size());
        std::vector<Entry> packed;
        packed.reserve(leaving_.size());
        for (const LocalIndex row : groups.rows) {
            packed.push_back(leaving_[static_cast<std::size_t>(row)]);
        }
        leaving_.clear();
        destination_.clear();
        const std::vector<Entry> arrived = SparseExchange(comm_, groups.counts).forwarded(packed);
        entries_.insert(entries_.end(), arrived.begin(), arrived.end());
    }
    void reserve(std::size_t entries) { entries_.reserve(entries_.size() + entries); }
    [[nodiscard]] std::vector<Entry> take() { return std::move(entries_); }

private:
    void add(GlobalIndex row, GlobalIndex column) {
        if (row >= here_.begin && row < here_.end) {
            entries_.push_back({row, column});
        } else {
            leaving_.push_back({row, column});
            destination_.push_back(block_owner(row, size_, comm_.size()));
        }
    }

    const Communicator& comm_;
    GlobalIndex size_;
    BlockRange here_;
    std::vector<Entry> entries_;
    std::vector<Entry> leaving_;
    std::vector<int> destination_;
};

/// The targets of a row without absent ones; `room` has room for a row.
std::span<const GlobalIndex> present_targets(std::span<const GlobalIndex> targets,
                                             std::vector<GlobalIndex>& room) {
    if (std::find(targets.begin(), targets.end(), absent) == targets.end()) {
        return targets;
    }
    room.clear();
    std::copy_if(targets.begin(), targets.end(), std::back_inserter(room),
                 [](GlobalIndex target) { return target != absent; });
    return room;
}

/// Edges of one row; `element` is -1 where rows are elements of another set.
void add_row(EntryCollector& collector, GlobalIndex element, std::span<const GlobalIndex> targets) {
    if (element >= 0) {
        for (const GlobalIndex target : targets) {
            collector.add_edge(element, target);
        }
        return;
    }
    for (std::size_t k = 1; k < targets.size(); ++k) {
        collector.add_edge(targets[k - 1], targets[k]);
    }
    if (targets.size() > 2) {
        collector.add_edge(targets.back(), targets.front());
    }
}

void collect_entries(const Communicator& comm, const MeshDeclaration& declaration,
                     const MapDeclaration& map, std::size_t slice_edges,
                     EntryCollector& collector) {
    const auto arity = static_cast<std::size_t>(map.arity);
    const std::span<const GlobalIndex> targets(map.targets);
    const std::size_t rows = targets.size() / arity;
    const std::size_t step = std::max<std::size_t>(slice_edges / arity, 1);
    const GlobalIndex first = block_range(declaration.sets[static_cast<std::size_t>(map.from)].size,
                                          comm.rank(), comm.size())
                                  .begin;
    collector.reserve(2 * rows * (arity > 2 || map.from == map.to ? arity : 1));
    const std::int64_t rounds = comm.max(static_cast<std::int64_t>((rows + step - 1) / step));
    std::vector<GlobalIndex> room;
    for (std::int64_t round = 0; round < rounds; ++round) {
        const std::size_t begin = std::min(static_cast<std::size_t>(round) * step, rows);
        const std::size_t end = std::min(begin + step, rows);
        for (std::size_t row = begin; row < end; ++row) {
            add_row(collector,
                    map.from == map.to ? first + static_cast<GlobalIndex>(row) : GlobalIndex{-1},
                    present_targets(targets.subspan(row * arity, arity), room));
        }
        collector.exchange();
    }
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

std::vector<int> graph_maps_of(const MeshDeclaration& declaration, int set) {
    std::vector<int> pairs;
    std::vector<int> all;
    bool pairs_suffice = false;
    for (std::size_t m = 0; m < declaration.maps.size(); ++m) {
        const MapDeclaration& map = declaration.maps[m];
        if (map.to != set || (map.arity < 2 && map.from != set)) {
            continue;
        }
        all.push_back(static_cast<int>(m));
        if (map.arity == 2 && map.from != set) {
            pairs.push_back(static_cast<int>(m));
            pairs_suffice |= declaration.sets[static_cast<std::size_t>(map.from)].size >=
                             declaration.sets[static_cast<std::size_t>(set)].size;
        }
    }
    return pairs_suffice ? pairs : all;
}

DistributedGraph build_distributed_graph(const Communicator& comm,
                                         const MeshDeclaration& declaration, int set,
                                         const std::vector<int>& maps, std::size_t slice_edges) {
    const GlobalIndex size = declaration.sets[static_cast<std::size_t>(set)].size;
    EntryCollector collector(comm, size);
    for (const int m : maps) {
        collect_entries(comm, declaration, declaration.maps[static_cast<std::size_t>(m)],
                        slice_edges, collector);
    }
    std::vector<Entry> entries = collector.take();
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
