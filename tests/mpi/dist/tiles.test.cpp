// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Tiles along a curve: better where cells are thin, the curve itself where they are cubes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include "halocline/dist/order/tile_groups.hpp"
#include "halocline/dist/order/tile_order.hpp"
#include "halocline/dist/partition/hilbert.hpp"

namespace halocline::dist {
namespace {

struct Grid {
    std::vector<double> points;
    LocalGraph graph;
};

/// Nodes of a block of n x n x n cells, put where `place` says.
template <class Place>
Grid make_grid(LocalIndex n, Place place) {
    Grid grid;
    std::vector<LocalIndex> edges;
    const auto join = [&](LocalIndex a, LocalIndex b, bool exists) {
        if (exists) {
            edges.insert(edges.end(), {a, b});
        }
    };
    for (LocalIndex i = 0; i < n; ++i) {
        for (LocalIndex j = 0; j < n; ++j) {
            for (LocalIndex k = 0; k < n; ++k) {
                const auto [x, y, z] = place(i, j, k);
                grid.points.insert(grid.points.end(), {x, y, z});
                const LocalIndex node = (i * n + j) * n + k;
                join(node, node + n * n, i + 1 < n);
                join(node, node + n, j + 1 < n);
                join(node, node + 1, k + 1 < n);
            }
        }
    }
    const std::span<const LocalIndex> list(edges);
    grid.graph = build_graph(n * n * n, {&list, 1});
    return grid;
}

Grid cube(LocalIndex n) {
    return make_grid(n, [](LocalIndex i, LocalIndex j, LocalIndex k) {
        return std::array{double(i), double(j), double(k)};
    });
}

/// Layers a tenth as high as cells are wide, along a wall that is oblique to all axes.
Grid boundary_layer(LocalIndex n) {
    return make_grid(n, [](LocalIndex i, LocalIndex j, LocalIndex k) {
        const double x = std::cos(0.6) * double(i) - std::sin(0.6) * double(j);
        const double y = std::sin(0.6) * double(i) + std::cos(0.6) * double(j);
        const double z = 0.1 * double(k);
        return std::array{x, std::cos(0.5) * y - std::sin(0.5) * z,
                          std::sin(0.5) * y + std::cos(0.5) * z};
    });
}

Buffer<LocalIndex> along_curve(const Grid& grid) {
    return order_by_key(hilbert_keys(grid.points, 3, bounding_box(grid.points, 3)));
}

bool gather(const Grid& grid, Buffer<LocalIndex>& order) {
    return gather_into_tiles(grid.graph, grid.points, 3, {order.data(), order.size()});
}

/// Groups of eight elements outside a tile in which its elements have neighbours, a tile.
double groups_read(const Grid& grid, const Buffer<LocalIndex>& order) {
    const Buffer<LocalIndex> place = invert(order);
    std::set<std::pair<std::size_t, std::size_t>> read;
    for (std::size_t v = 0; v < order.size(); ++v) {
        const auto tile = static_cast<std::size_t>(place[v]) / tile_elements;
        for (auto k = grid.graph.offsets[v]; k < grid.graph.offsets[v + 1]; ++k) {
            const auto w =
                static_cast<std::size_t>(grid.graph.neighbours[static_cast<std::size_t>(k)]);
            const auto at = static_cast<std::size_t>(place[w]);
            if (at / tile_elements != tile) {
                read.emplace(tile, at / group_elements);
            }
        }
    }
    return static_cast<double>(read.size()) * tile_elements / static_cast<double>(order.size());
}

std::vector<LocalIndex> sorted(const Buffer<LocalIndex>& order) {
    std::vector<LocalIndex> values(order.begin(), order.end());
    std::sort(values.begin(), values.end());
    return values;
}

std::vector<LocalIndex> first_numbers(std::size_t count) {
    std::vector<LocalIndex> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

TEST(Tiles, OfThinLayersReadFewerGroupsThanTheCurve) {
    const Grid grid = boundary_layer(40);
    Buffer<LocalIndex> order = along_curve(grid);
    const double curve = groups_read(grid, order);
    ASSERT_TRUE(gather(grid, order));
    EXPECT_EQ(sorted(order), first_numbers(order.size()));
    EXPECT_LT(groups_read(grid, order), 0.85 * curve) << curve;
}

TEST(Tiles, LeaveTheCurveThroughCubesAsItIs) {
    const Grid grid = cube(32);
    Buffer<LocalIndex> order = along_curve(grid);
    const Buffer<LocalIndex> curve = along_curve(grid);
    EXPECT_FALSE(gather(grid, order));
    EXPECT_TRUE(std::equal(order.begin(), order.end(), curve.begin()));
}

TEST(Tiles, LeaveSmallSetsAsTheyAre) {
    const Grid grid = boundary_layer(15);
    Buffer<LocalIndex> order = along_curve(grid);
    EXPECT_FALSE(gather(grid, order));
}

TEST(Tiles, DoNotDependOnThreads) {
    const Grid grid = boundary_layer(56);
    Buffer<LocalIndex> one = along_curve(grid);
    Buffer<LocalIndex> three = along_curve(grid);
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    gather(grid, one);
    omp_set_num_threads(3);
    ASSERT_TRUE(gather(grid, three));
    omp_set_num_threads(threads);
    EXPECT_TRUE(std::equal(one.begin(), one.end(), three.begin()));
}

TEST(Tiles, RearrangeOnlyTheElementsOfTheOrder) {
    const Grid grid = boundary_layer(40);
    Buffer<LocalIndex> order = along_curve(grid);
    const std::vector<LocalIndex> others(order.begin() + 50000, order.end());
    ASSERT_TRUE(gather_into_tiles(grid.graph, grid.points, 3, {order.data(), 50000}));
    EXPECT_TRUE(std::equal(others.begin(), others.end(), order.begin() + 50000));
    EXPECT_EQ(sorted(order), first_numbers(order.size()));
}

TEST(Tiles, KeepPiecesWhoseCoordinatesAreNotFinite) {
    for (const double wrong : {std::numeric_limits<double>::quiet_NaN(),
                               std::numeric_limits<double>::infinity(), 1e308}) {
        Grid grid = boundary_layer(40);
        for (std::size_t i = 0; i < grid.points.size(); i += 3000) {
            grid.points[i] = i % 2000 == 0 ? wrong : -wrong;
        }
        Buffer<LocalIndex> order = along_curve(grid);
        const Buffer<LocalIndex> curve = along_curve(grid);
        gather(grid, order);  // a sample may have none of the wrong ones, the one piece has all
        EXPECT_TRUE(std::equal(order.begin(), order.end(), curve.begin())) << wrong;
    }
}

TEST(Tiles, TakeElementsInOnePlace) {
    Grid grid = boundary_layer(40);
    std::fill(grid.points.begin(), grid.points.end(), 1.0);
    Buffer<LocalIndex> order = along_curve(grid);
    gather(grid, order);
    EXPECT_EQ(sorted(order), first_numbers(order.size()));
}

TEST(TileGroups, CutWhereTheFewestAreParted) {
    // Two squads of eight that alternate along x and lie apart along y.
    TileGroups groups;
    groups.begin(16);
    std::vector<double> x;
    std::vector<double> y;
    for (std::size_t i = 0; i < 16; ++i) {
        x.push_back(static_cast<double>(i));
        y.push_back(static_cast<double>(i % 2));
        if (i + 2 < 16) {
            groups.add_neighbour(i, i + 2);
            groups.add_neighbour(i + 2, i);
        }
    }
    groups.add_direction(x);
    groups.add_direction(y);
    const auto order = groups.order();
    EXPECT_THAT(std::vector<int>(order.begin(), order.end()),
                testing::ElementsAre(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15));
}

}  // namespace
}  // namespace halocline::dist
