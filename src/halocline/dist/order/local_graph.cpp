// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Counting-sort graph construction and breadth-first renumbering, both linear in the edges.
#include "halocline/dist/order/reorder.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace halocline::dist {

namespace {

/// How many queue entries ahead rows are requested: a shuffled graph misses the cache at every row.
constexpr LocalIndex offset_lookahead = 32;
constexpr LocalIndex row_lookahead = 16;
/// Start vertices tried per component; the third hardly ever gains a level.
constexpr int max_sweeps = 3;
/// Vertices of a chunk: their rows, a hundred bytes or two each, fit a private cache with those around.
constexpr LocalIndex chunk_vertices = 512;

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

/// One bit a vertex: small enough to stay in cache while rows stream through it.
class VisitedSet {
public:
    explicit VisitedSet(LocalIndex vertices)
        : words_(static_cast<std::size_t>(vertices) / 64 + 1, 0) {}

    [[nodiscard]] bool contains(LocalIndex v) const noexcept {
        return ((words_[word(v)] >> (v & 63)) & 1U) != 0;
    }
    void insert(LocalIndex v) noexcept { words_[word(v)] |= bit(v); }
    void erase(LocalIndex v) noexcept { words_[word(v)] &= ~bit(v); }

private:
    static std::size_t word(LocalIndex v) noexcept { return static_cast<std::size_t>(v) >> 6; }
    static std::uint64_t bit(LocalIndex v) noexcept { return std::uint64_t{1} << (v & 63); }

    std::vector<std::uint64_t> words_;
};

/// What one breadth-first sweep found; its vertices are queue[begin, end).
struct Sweep {
    LocalIndex end = 0;
    LocalIndex last_level = 0;  ///< queue position where the deepest level begins
    LocalIndex depth = 0;
};

/// Breadth-first sweeps over one graph, all writing to one queue that becomes the order.
class BreadthFirst {
public:
    explicit BreadthFirst(const LocalGraph& graph)
        : offsets_(graph.offsets.data()),
          neighbours_(graph.neighbours.data()),
          queue_(static_cast<std::size_t>(graph.vertices())),
          visited_(graph.vertices()) {}

    [[nodiscard]] bool visited(LocalIndex v) const noexcept { return visited_.contains(v); }

    /// Orders the component of `seed` at queue[begin, ...) and returns its end.
    LocalIndex order_component(LocalIndex begin, LocalIndex seed) {
        Sweep sweep = run(begin, seed);
        for (int i = 1; i < max_sweeps && sweep.depth > 1; ++i) {
            const LocalIndex start = thinnest(sweep);
            forget(begin, sweep.end);
            const Sweep next = run(begin, start);
            const bool deeper = next.depth > sweep.depth;
            sweep = next;
            if (!deeper) {
                break;
            }
        }
        std::reverse(queue_.data() + begin, queue_.data() + sweep.end);
        return sweep.end;
    }

    [[nodiscard]] Buffer<LocalIndex> take_order() noexcept { return std::move(queue_); }

private:
    Sweep run(LocalIndex begin, LocalIndex root) {
        LocalIndex* queue = queue_.data();
        LocalIndex tail = begin;
        queue[tail++] = root;
        visited_.insert(root);
        Sweep sweep{0, begin, 0};
        for (LocalIndex head = begin; head < tail;) {
            const LocalIndex level_end = tail;
            sweep.last_level = head;
            ++sweep.depth;
            for (; head < level_end; ++head) {
                prefetch_rows(head, tail);
                tail = append_unvisited(queue[head], tail);
            }
        }
        sweep.end = tail;
        return sweep;
    }

    LocalIndex append_unvisited(LocalIndex v, LocalIndex tail) {
        const std::int64_t row_end = offsets_[v + std::int64_t{1}];
        for (std::int64_t k = offsets_[v]; k < row_end; ++k) {
            const LocalIndex w = neighbours_[k];
            if (!visited_.contains(w)) {
                visited_.insert(w);
                queue_[static_cast<std::size_t>(tail++)] = w;
            }
        }
        return tail;
    }

    /// Inline by force: g++ takes a function that only prefetches for one without effect.
    [[gnu::always_inline]] inline void prefetch_rows(LocalIndex head, LocalIndex tail) const {
        const LocalIndex* queue = queue_.data();
        if (head + offset_lookahead < tail) {
            __builtin_prefetch(offsets_ + queue[head + offset_lookahead]);
            const LocalIndex* row = neighbours_ + offsets_[queue[head + row_lookahead]];
            __builtin_prefetch(row);
            __builtin_prefetch(row + 8);  // rows of meshes often straddle two lines
        }
    }

    /// Vertex of lowest degree in the deepest level, the first of equals.
    [[nodiscard]] LocalIndex thinnest(const Sweep& sweep) const {
        const auto degree = [this](LocalIndex v) {
            return offsets_[v + std::int64_t{1}] - offsets_[v];
        };
        return *std::min_element(queue_.data() + sweep.last_level, queue_.data() + sweep.end,
                                 [&](LocalIndex a, LocalIndex b) { return degree(a) < degree(b); });
    }

    void forget(LocalIndex begin, LocalIndex end) {
        for (LocalIndex i = begin; i < end; ++i) {
            visited_.erase(queue_[static_cast<std::size_t>(i)]);
        }
    }

    const std::int64_t* offsets_;
    const LocalIndex* neighbours_;
    Buffer<LocalIndex> queue_;
    VisitedSet visited_;
};

/// Places vertices chunk by chunk; a chunk is a breadth-first search cut off at its size.
class ChunkGatherer {
public:
    explicit ChunkGatherer(const LocalGraph& graph)
        : graph_(graph),
          placed_(static_cast<std::size_t>(graph.vertices())),
          taken_(graph.vertices()) {}

    /// Grows a chunk from `seed`, unless an earlier one has it.
    void gather(LocalIndex seed, LocalIndex chunk_size) {
        if (taken_.contains(seed)) {
            return;
        }
        const std::size_t full = count_ + static_cast<std::size_t>(chunk_size);
        std::size_t scanned = count_;
        take(seed);
        for (; scanned < count_ && count_ < full; ++scanned) {
            take_neighbours(placed_[scanned], full);
        }
    }

    [[nodiscard]] Buffer<LocalIndex> take_order() noexcept { return std::move(placed_); }

private:
    void take(LocalIndex v) {
        taken_.insert(v);
        placed_[count_++] = v;
    }

    void take_neighbours(LocalIndex v, std::size_t full) {
        const auto row = static_cast<std::size_t>(graph_.offsets[static_cast<std::size_t>(v)]);
        const auto degree = static_cast<std::size_t>(graph_.degree(v));
        for (std::size_t k = row; k < row + degree && count_ < full; ++k) {
            if (!taken_.contains(graph_.neighbours[k])) {
                take(graph_.neighbours[k]);
            }
        }
    }

    const LocalGraph& graph_;
    Buffer<LocalIndex> placed_;
    std::size_t count_ = 0;
    VisitedSet taken_;
};

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

Buffer<LocalIndex> reverse_cuthill_mckee(const LocalGraph& graph) {
    BreadthFirst search(graph);
    LocalIndex ordered = 0;
    for (LocalIndex seed = 0; seed < graph.vertices(); ++seed) {
        if (!search.visited(seed)) {
            ordered = search.order_component(ordered, seed);
        }
    }
    return search.take_order();
}

Buffer<LocalIndex> gather_into_chunks(const LocalGraph& graph, const Buffer<LocalIndex>& order,
                                      LocalIndex chunk_size) {
    ChunkGatherer gatherer(graph);
    for (const LocalIndex seed : order) {
        gatherer.gather(seed, chunk_size);
    }
    return gatherer.take_order();
}

Buffer<LocalIndex> locality_order(const LocalGraph& graph) {
    return gather_into_chunks(graph, reverse_cuthill_mckee(graph), chunk_vertices);
}

Buffer<LocalIndex> invert(const Buffer<LocalIndex>& order) {
    Buffer<LocalIndex> inverse(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        inverse[static_cast<std::size_t>(order[i])] = static_cast<LocalIndex>(i);
    }
    return inverse;
}

}  // namespace halocline::dist
