// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Graphs by counting sort, linear in the edges.
#include "halocline/dist/order/local_graph.hpp"

#include <algorithm>
#include <vector>

namespace halocline::dist {

namespace {

template <class Visit>
void for_each_edge(LocalIndex vertices, std::span<const std::span<const LocalIndex>> edge_lists,
                   Visit&& visit) {
    const auto is_vertex = [vertices](LocalIndex v) { return v >= 0 && v < vertices; };
    for (const auto& list : edge_lists) {
        for (std::size_t e = 0; e + 1 < list.size(); e += 2) {
            const LocalIndex a = list[e];
            const LocalIndex b = list[e + 1];
            if (a != b && is_vertex(a) && is_vertex(b)) {
                visit(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
            }
        }
    }
}

}  // namespace

LocalGraph build_graph(LocalIndex vertices,
                       std::span<const std::span<const LocalIndex>> edge_lists) {
    const auto n = static_cast<std::size_t>(vertices);
    LocalGraph graph{Buffer<std::int64_t>(n + 1, 0), {}};
    std::int64_t* ends = graph.offsets.data();
    for_each_edge(vertices, edge_lists, [&](std::size_t a, std::size_t b) {
        ++ends[a];
        ++ends[b];
    });
    std::int64_t total = 0;
    for (std::size_t v = 0; v < n; ++v) {
        total += ends[v];
        ends[v] = total;
    }
    ends[n] = total;
    graph.neighbours = Buffer<LocalIndex>(static_cast<std::size_t>(total));
    LocalIndex* neighbours = graph.neighbours.data();
    // Filling from the row ends turns ends into starts without a second array.
    for_each_edge(vertices, edge_lists, [&](std::size_t a, std::size_t b) {
        neighbours[--ends[a]] = static_cast<LocalIndex>(b);
        neighbours[--ends[b]] = static_cast<LocalIndex>(a);
    });
    return graph;
}

LocalGraph renumbered_graph(const LocalGraph& graph, const Buffer<LocalIndex>& order) {
    const auto n = static_cast<std::size_t>(graph.vertices());
    const Buffer<LocalIndex> new_index = invert(order);
    LocalGraph result{Buffer<std::int64_t>(n + 1, 0), Buffer<LocalIndex>(graph.neighbours.size())};
    std::vector<LocalIndex> last_row(n, -1);  // that has a vertex as neighbour
    std::int64_t count = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const auto vertex = static_cast<LocalIndex>(i);
        for (const LocalIndex old_neighbour : graph.row(order[i])) {
            const LocalIndex neighbour = new_index[static_cast<std::size_t>(old_neighbour)];
            LocalIndex& last = last_row[static_cast<std::size_t>(neighbour)];
            if (last != vertex) {
                last = vertex;
                result.neighbours[static_cast<std::size_t>(count++)] = neighbour;
            }
        }
        std::sort(result.neighbours.data() + result.offsets[i], result.neighbours.data() + count);
        result.offsets[i + 1] = count;
    }
    return result;
}

Buffer<LocalIndex> invert(const Buffer<LocalIndex>& order) {
    Buffer<LocalIndex> inverse(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        inverse[static_cast<std::size_t>(order[i])] = static_cast<LocalIndex>(i);
    }
    return inverse;
}

}  // namespace halocline::dist
