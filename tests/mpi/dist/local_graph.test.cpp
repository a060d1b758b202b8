// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Building graphs and renumbering them.
#include "halocline/dist/order/local_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace halocline::dist {
namespace {

using Edges = std::vector<LocalIndex>;

LocalGraph graph_of(LocalIndex vertices, const Edges& edges) {
    const std::span<const LocalIndex> list(edges);
    return build_graph(vertices, {&list, 1});
}

std::vector<LocalIndex> row(const LocalGraph& graph, LocalIndex v) {
    std::vector<LocalIndex> result(graph.row(v).begin(), graph.row(v).end());
    std::sort(result.begin(), result.end());
    return result;
}

Buffer<LocalIndex> order_of(const std::vector<LocalIndex>& values) {
    Buffer<LocalIndex> order(values.size());
    std::copy(values.begin(), values.end(), order.begin());
    return order;
}

TEST(BuildGraph, HoldsBothDirectionsWithoutLoopsAndOutsiders) {
    const LocalGraph graph = graph_of(4, {0, 1, 1, 2, 2, 2, 0, 1, 3, 4, 9, 0});
    ASSERT_EQ(graph.vertices(), 4);
    EXPECT_EQ(row(graph, 0), (std::vector<LocalIndex>{1, 1}));
    EXPECT_EQ(row(graph, 1), (std::vector<LocalIndex>{0, 0, 2}));
    EXPECT_EQ(row(graph, 2), (std::vector<LocalIndex>{1}));
    EXPECT_EQ(graph.degree(3), 0);
}

TEST(BuildGraph, JoinsSeveralEdgeLists) {
    const Edges first{0, 1};
    const Edges second{1, 2};
    const std::vector<std::span<const LocalIndex>> lists{first, second};
    EXPECT_EQ(row(build_graph(3, lists), 1), (std::vector<LocalIndex>{0, 2}));
}

TEST(RenumberedGraph, HasNewNumbersAndEachNeighbourOnceInOrder) {
    // 0 - 1 three times, 1 - 2, 2 - 3; vertex 4 alone.
    const LocalGraph graph = graph_of(5, {0, 1, 1, 0, 2, 1, 0, 1, 3, 2});
    const LocalGraph renumbered = renumbered_graph(graph, order_of({4, 2, 0, 1, 3}));
    ASSERT_EQ(renumbered.vertices(), 5);
    const std::vector<std::vector<LocalIndex>> expected{{}, {3, 4}, {3}, {1, 2}, {1}};
    for (LocalIndex v = 0; v < 5; ++v) {
        EXPECT_EQ((std::vector<LocalIndex>(renumbered.row(v).begin(), renumbered.row(v).end())),
                  expected[static_cast<std::size_t>(v)]);
    }
}

TEST(Invert, UndoesAnOrder) {
    const Buffer<LocalIndex> order = order_of({3, 0, 4, 1, 2});
    const Buffer<LocalIndex> inverse = invert(order);
    EXPECT_EQ((std::vector<LocalIndex>(inverse.begin(), inverse.end())),
              (std::vector<LocalIndex>{1, 3, 4, 0, 2}));
}

}  // namespace
}  // namespace halocline::dist
