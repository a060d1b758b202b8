// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Orders by recursive graph bisection; hilbert.test.cpp sets their locality beside the curve's.
#include "halocline/dist/order/graph_bisection.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace halocline::dist {
namespace {

using Edges = std::vector<LocalIndex>;
using Order = std::vector<LocalIndex>;

Order order_of(LocalIndex vertices, const Edges& edges) {
    const std::span<const LocalIndex> list(edges);
    const Buffer<LocalIndex> order = bisection_order(build_graph(vertices, {&list, 1}));
    return {order.begin(), order.end()};
}

bool is_permutation_of_range(Order order) {
    std::sort(order.begin(), order.end());
    Order expected(order.size());
    std::iota(expected.begin(), expected.end(), 0);
    return order == expected;
}

/// Nodes of a grid, `rows` by `columns`, numbered at random.
Edges shuffled_grid(LocalIndex rows, LocalIndex columns) {
    Order label(static_cast<std::size_t>(rows * columns));
    std::iota(label.begin(), label.end(), 0);
    std::mt19937 random(7);
    std::shuffle(label.begin(), label.end(), random);
    Edges edges;
    for (LocalIndex i = 0; i < rows; ++i) {
        for (LocalIndex j = 0; j < columns; ++j) {
            const LocalIndex here = label[i * columns + j];
            if (j + 1 < columns) {
                edges.insert(edges.end(), {here, label[i * columns + j + 1]});
            }
            if (i + 1 < rows) {
                edges.insert(edges.end(), {here, label[(i + 1) * columns + j]});
            }
        }
    }
    return edges;
}

/// Edges between pieces of so many places.
std::size_t count_cut(const Edges& edges, const Order& order, LocalIndex piece) {
    Order place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        place[order[i]] = static_cast<LocalIndex>(i);
    }
    std::size_t cut = 0;
    for (std::size_t e = 0; e < edges.size(); e += 2) {
        cut += place[edges[e]] / piece != place[edges[e + 1]] / piece;
    }
    return cut;
}

TEST(GraphBisection, OrdersAPathFromEndToEnd) {
    // 3 - 0 - 4 - 1 - 2, started in the middle: the search must find an end.
    const Order order = order_of(5, {3, 0, 0, 4, 4, 1, 1, 2});
    const Order forwards{3, 0, 4, 1, 2};
    const Order backwards{2, 1, 4, 0, 3};
    EXPECT_TRUE(order == forwards || order == backwards);
}

TEST(GraphBisection, OrdersALongPathAsOne) {
    const LocalIndex n = 5000;
    const Edges edges = shuffled_grid(n, 1);
    const Order order = order_of(n, edges);
    ASSERT_TRUE(is_permutation_of_range(order));
    EXPECT_EQ(count_cut(edges, order, 1), static_cast<std::size_t>(n - 1));
    EXPECT_EQ(count_cut(edges, order, n / 8), 7U);  // halves of halves of halves, each in one piece
}

TEST(GraphBisection, CutsAStripAcross) {
    const Edges edges = shuffled_grid(1024, 8);
    const Order order = order_of(8192, edges);
    ASSERT_TRUE(is_permutation_of_range(order));
    // A straight cut parts 8 edges; levels of a search run at an angle, and a cut may have a step.
    EXPECT_LE(count_cut(edges, order, 4096), 2U * 8);
    EXPECT_LE(count_cut(edges, order, 1024), 7U * 2 * 8);
}

TEST(GraphBisection, KeepsWhatIsConnectedTogether) {
    // Components {0, 3}, {1}, {2, 4, 6}, {5}.
    const Order order = order_of(7, {0, 3, 2, 4, 4, 6});
    ASSERT_TRUE(is_permutation_of_range(order));
    const auto place = [&](LocalIndex v) {
        return std::find(order.begin(), order.end(), v) - order.begin();
    };
    EXPECT_EQ(std::abs(place(0) - place(3)), 1);
    EXPECT_EQ(std::abs(place(2) - place(4)), 1);
    EXPECT_EQ(std::abs(place(4) - place(6)), 1);
}

TEST(GraphBisection, SurvivesLoopsRepeatsAndNothing) {
    EXPECT_TRUE(order_of(0, {}).empty());
    EXPECT_TRUE(is_permutation_of_range(order_of(3, {})));
    EXPECT_EQ(order_of(1, {0, 0}), (Order{0}));
    EXPECT_TRUE(is_permutation_of_range(order_of(3, {0, 2, 2, 0, 0, 2, 1, 1})));
}

TEST(GraphBisection, OrdersVerticesWithoutNeighboursAndStars) {
    EXPECT_TRUE(is_permutation_of_range(order_of(20000, {})));
    Edges star;
    for (LocalIndex leaf = 1; leaf < 20000; ++leaf) {
        star.insert(star.end(), {0, leaf});
    }
    EXPECT_TRUE(is_permutation_of_range(order_of(20000, star)));
}

TEST(GraphBisection, DoesNotDependOnThreads) {
    const Edges edges = shuffled_grid(120, 90);
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    const Order expected = order_of(120 * 90, edges);
    omp_set_num_threads(4);
    const Order order = order_of(120 * 90, edges);
    omp_set_num_threads(threads);
    ASSERT_TRUE(is_permutation_of_range(order));
    EXPECT_EQ(order, expected);
}

}  // namespace
}  // namespace halocline::dist
