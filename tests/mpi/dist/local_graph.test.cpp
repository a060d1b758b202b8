// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Graph construction, reverse Cuthill-McKee order and its gathering into chunks.
#include "halocline/dist/order/reorder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

namespace halocline::dist {
namespace {

using Edges = std::vector<LocalIndex>;

LocalGraph graph_of(LocalIndex vertices, const Edges& edges) {
    const std::span<const LocalIndex> list(edges);
    return build_graph(vertices, {&list, 1});
}

std::vector<LocalIndex> order_of(LocalIndex vertices, const Edges& edges) {
    const Buffer<LocalIndex> order = reverse_cuthill_mckee(graph_of(vertices, edges));
    return {order.begin(), order.end()};
}

std::vector<LocalIndex> row(const LocalGraph& graph, LocalIndex v) {
    std::vector<LocalIndex> result(graph.neighbours.begin() + graph.offsets[v],
                                   graph.neighbours.begin() + graph.offsets[v + 1]);
    std::sort(result.begin(), result.end());
    return result;
}

bool is_permutation_of_range(std::vector<LocalIndex> order) {
    std::sort(order.begin(), order.end());
    std::vector<LocalIndex> expected(order.size());
    std::iota(expected.begin(), expected.end(), 0);
    return order == expected;
}

LocalIndex bandwidth(const Edges& edges, const std::vector<LocalIndex>& order) {
    std::vector<LocalIndex> position(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        position[order[i]] = static_cast<LocalIndex>(i);
    }
    LocalIndex widest = 0;
    for (std::size_t e = 0; e < edges.size(); e += 2) {
        widest = std::max(widest, std::abs(position[edges[e]] - position[edges[e + 1]]));
    }
    return widest;
}

Edges shuffled_grid(LocalIndex n) {
    std::vector<LocalIndex> label(n * n);
    std::iota(label.begin(), label.end(), 0);
    std::mt19937 random(7);
    std::shuffle(label.begin(), label.end(), random);
    Edges edges;
    for (LocalIndex i = 0; i < n; ++i) {
        for (LocalIndex j = 0; j < n; ++j) {
            if (j + 1 < n) {
                edges.insert(edges.end(), {label[i * n + j], label[i * n + j + 1]});
            }
            if (i + 1 < n) {
                edges.insert(edges.end(), {label[i * n + j], label[(i + 1) * n + j]});
            }
        }
    }
    return edges;
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

TEST(ReverseCuthillMcKee, OrdersAPathFromEndToEnd) {
    // 3 - 0 - 4 - 1 - 2, started in the middle: the sweeps must find an end.
    const std::vector<LocalIndex> order = order_of(5, {3, 0, 0, 4, 4, 1, 1, 2});
    const std::vector<LocalIndex> forwards{3, 0, 4, 1, 2};
    const std::vector<LocalIndex> backwards{2, 1, 4, 0, 3};
    EXPECT_TRUE(order == forwards || order == backwards);
}

TEST(ReverseCuthillMcKee, ReducesTheBandwidthOfAShuffledGridTwentyfold) {
    const LocalIndex n = 40;
    const Edges edges = shuffled_grid(n);
    std::vector<LocalIndex> identity(n * n);
    std::iota(identity.begin(), identity.end(), 0);
    const std::vector<LocalIndex> order = order_of(n * n, edges);
    ASSERT_TRUE(is_permutation_of_range(order));
    EXPECT_LT(20 * bandwidth(edges, order), bandwidth(edges, identity));
    EXPECT_EQ(order, order_of(n * n, edges));
}

TEST(ReverseCuthillMcKee, KeepsComponentsTogetherAndIsolatedVerticesInPlace) {
    // Components {0, 3}, {1}, {2, 4, 6}, {5}, by their lowest vertex.
    const std::vector<LocalIndex> order = order_of(7, {0, 3, 2, 4, 4, 6});
    ASSERT_TRUE(is_permutation_of_range(order));
    EXPECT_EQ(order[2], 1);
    EXPECT_EQ(order[6], 5);
    EXPECT_EQ(order[4], 4);
    EXPECT_EQ(order[0] + order[1], 3);
}

TEST(ReverseCuthillMcKee, SurvivesLoopsRepeatsAndNothing) {
    EXPECT_TRUE(order_of(0, {}).empty());
    EXPECT_EQ(order_of(3, {}), (std::vector<LocalIndex>{0, 1, 2}));
    EXPECT_EQ(order_of(1, {0, 0}), (std::vector<LocalIndex>{0}));
    EXPECT_TRUE(is_permutation_of_range(order_of(3, {0, 2, 2, 0, 0, 2, 1, 1})));
}

std::vector<LocalIndex> chunks_of(const LocalGraph& graph, const std::vector<LocalIndex>& order,
                                  LocalIndex chunk_size) {
    Buffer<LocalIndex> given(order.size());
    std::copy(order.begin(), order.end(), given.begin());
    const Buffer<LocalIndex> chunked = gather_into_chunks(graph, given, chunk_size);
    return {chunked.begin(), chunked.end()};
}

TEST(GatherIntoChunks, PullsNeighboursForwardUntilAChunkIsFull) {
    // A star around 0 with a tail 3 - 4: rows are visited as stored, whatever the order given.
    const LocalGraph graph = graph_of(6, {0, 1, 0, 2, 0, 3, 3, 4});
    const std::vector<LocalIndex> order{0, 5, 4, 3, 2, 1};
    std::vector<LocalIndex> chunk = chunks_of(graph, order, 4);
    EXPECT_EQ(chunk[0], 0);
    std::sort(chunk.begin() + 1, chunk.begin() + 4);
    EXPECT_EQ(chunk, (std::vector<LocalIndex>{0, 1, 2, 3, 5, 4}));
    EXPECT_EQ(chunks_of(graph, order, 1), order);
}

TEST(GatherIntoChunks, PermutesAnyGraphWithAnyChunkSize) {
    const LocalGraph graph = graph_of(1600, shuffled_grid(40));
    const std::vector<LocalIndex> order = order_of(1600, shuffled_grid(40));
    for (const LocalIndex size : {1, 7, 512, 5000}) {
        EXPECT_TRUE(is_permutation_of_range(chunks_of(graph, order, size)));
        EXPECT_EQ(chunks_of(graph, order, size), chunks_of(graph, order, size));
    }
    EXPECT_TRUE(chunks_of(graph_of(0, {}), {}, 512).empty());
}

TEST(Invert, UndoesAnOrder) {
    const Buffer<LocalIndex> order = reverse_cuthill_mckee(graph_of(1600, shuffled_grid(40)));
    const Buffer<LocalIndex> inverse = invert(order);
    for (LocalIndex i = 0; i < 1600; ++i) {
        ASSERT_EQ(inverse[order[i]], i);
    }
}

}  // namespace
}  // namespace halocline::dist
