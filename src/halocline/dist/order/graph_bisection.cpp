// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// All parts of one size are halved at once, by several threads.
#include "halocline/dist/order/graph_bisection.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace halocline::dist {

namespace {

/// Vertices of a part that is not halved any more: their rows, a hundred bytes or two each, fit a
/// private cache with those around.
constexpr std::int64_t largest_part = 512;

/// Says of which part a vertex is, and whether the search at hand has reached it.
using Label = std::uint32_t;

/// Labels by vertex. Threads change those of their own part, and look at those of its neighbours.
class Labels {
public:
    explicit Labels(LocalIndex vertices) : labels_(static_cast<std::size_t>(vertices), 0) {}

    [[nodiscard]] Label of(LocalIndex v) { return at(v).load(std::memory_order_relaxed); }
    void set(LocalIndex v, Label label) { at(v).store(label, std::memory_order_relaxed); }

private:
    [[nodiscard]] std::atomic_ref<Label> at(LocalIndex v) {
        return std::atomic_ref<Label>(labels_[static_cast<std::size_t>(v)]);
    }

    std::vector<Label> labels_;
};

/// Breadth-first searches of parts of a graph.
class PartSearch {
public:
    explicit PartSearch(const LocalGraph& graph) : graph_(graph), labels_(graph.vertices()) {}

    /// Labels of vertices that no search has reached are 0 at first.
    void set_label(LocalIndex v, Label label) { labels_.set(v, label); }

    /// Writes the `members` of a part to `reached`, as a search from `start` among them comes by, and changes
    /// their labels. Where it ends early, it goes on from the first member that it has not reached.
    void run(std::span<const LocalIndex> members, LocalIndex start, Label before, Label after,
             LocalIndex* reached) {
        std::size_t count = 0;
        std::size_t scanned = 0;
        const auto reach = [&](LocalIndex v) {
            if (labels_.of(v) == before) {
                labels_.set(v, after);
                reached[count++] = v;
            }
        };
        const auto search_from = [&](LocalIndex v) {
            reach(v);
            for (; scanned < count; ++scanned) {
                for (const LocalIndex neighbour : graph_.row(reached[scanned])) {
                    reach(neighbour);
                }
            }
        };
        search_from(start);
        for (std::size_t i = 0; count < members.size(); ++i) {
            search_from(members[i]);
        }
    }

private:
    const LocalGraph& graph_;
    Labels labels_;
};

Buffer<LocalIndex> identity(LocalIndex vertices) {
    Buffer<LocalIndex> order(static_cast<std::size_t>(vertices));
    std::iota(order.begin(), order.end(), 0);
    return order;
}

Buffer<LocalIndex> breadth_first_order(const LocalGraph& graph) {
    const Buffer<LocalIndex> members = identity(graph.vertices());
    Buffer<LocalIndex> order(members.size());
    PartSearch(graph).run({members.data(), members.size()}, 0, 0, 1, order.data());
    return order;
}

class Bisection {
public:
    explicit Bisection(const LocalGraph& graph)
        : vertices_(graph.vertices()),
          search_(graph),
          order_(identity(graph.vertices())),
          reached_(order_.size()) {}

    [[nodiscard]] Buffer<LocalIndex> run() {
        order_parts(1);
        for (std::int64_t parts = 2; vertices_ > parts * largest_part; parts *= 2) {
            order_parts(parts);
        }
        return std::move(order_);
    }

private:
    void order_parts(std::int64_t parts) {
#pragma omp parallel for schedule(dynamic) if (parts > 1)
        for (std::int64_t part = 0; part < parts; ++part) {
            const auto begin = static_cast<std::size_t>(vertices_ * part / parts);
            const auto end = static_cast<std::size_t>(vertices_ * (part + 1) / parts);
            order_part(begin, end - begin, static_cast<Label>(parts + part));
        }
    }

    /// From the part's first vertex, which lies at what comes before the part, a search finds the far end; the
    /// order of the search from there counts, backwards. Numbers of parts are different in all sizes.
    void order_part(std::size_t begin, std::size_t size, Label number) {
        constexpr Label states = 4;
        const Label not_reached = number * states;
        const Label reached_once = not_reached + 1;
        const Label reached_twice = not_reached + 2;
        LocalIndex* const members = order_.data() + begin;
        LocalIndex* const reached = reached_.data() + begin;
        for (std::size_t i = 0; i < size; ++i) {
            search_.set_label(members[i], not_reached);
        }
        search_.run({members, size}, members[0], not_reached, reached_once, reached);
        search_.run({reached, size}, reached[size - 1], reached_once, reached_twice, members);
        std::reverse(members, members + size);
    }

    std::int64_t vertices_;
    PartSearch search_;
    Buffer<LocalIndex> order_;
    Buffer<LocalIndex> reached_;
};

}  // namespace

Buffer<LocalIndex> bisection_order(const LocalGraph& graph) {
    if (graph.vertices() == 0) {
        return {};
    }
    // Vertices may be numbered at random: they are visited once so, then as they lie.
    const Buffer<LocalIndex> order = breadth_first_order(graph);
    const LocalGraph local = renumbered_graph(graph, order);
    Buffer<LocalIndex> bisected = Bisection(local).run();
    for (LocalIndex& vertex : bisected) {
        vertex = order[static_cast<std::size_t>(vertex)];
    }
    return bisected;
}

}  // namespace halocline::dist
