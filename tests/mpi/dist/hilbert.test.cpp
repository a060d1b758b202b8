// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Hilbert keys and their sort: the curve's defining property, ties, unpleasant boxes, locality.
#include "halocline/dist/partition/hilbert.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "halocline/dist/order/graph_bisection.hpp"

namespace halocline::dist {
namespace {

using Points = std::vector<double>;
using Order = std::vector<LocalIndex>;

std::vector<std::uint64_t> keys_of(const Points& points, int dim) {
    const Buffer<std::uint64_t> keys = hilbert_keys(points, dim, bounding_box(points, dim));
    return {keys.begin(), keys.end()};
}

Order order_of(const Points& points, int dim) {
    const Buffer<LocalIndex> order =
        order_by_key(hilbert_keys(points, dim, bounding_box(points, dim)));
    return {order.begin(), order.end()};
}

Order sorted_order(const std::vector<std::uint64_t>& values) {
    Buffer<std::uint64_t> keys(values.size());
    std::copy(values.begin(), values.end(), keys.begin());
    const Buffer<LocalIndex> order = order_by_key(keys);
    return {order.begin(), order.end()};
}

Order identity(std::size_t n) {
    Order order(n);
    std::iota(order.begin(), order.end(), 0);
    return order;
}

Order shuffled(std::size_t n) {
    Order order = identity(n);
    std::mt19937_64 random(11);
    for (std::size_t i = n; i > 1; --i) {
        std::swap(order[i - 1], order[random() % i]);
    }
    return order;
}

/// Integer points of a cube of n^dim, in random order.
Points shuffled_cube(int n, int dim) {
    const auto count = static_cast<std::size_t>(std::lround(std::pow(n, dim)));
    Points points;
    for (LocalIndex label : shuffled(count)) {
        for (int d = 0; d < dim; ++d) {
            points.push_back(label % n);
            label /= n;
        }
    }
    return points;
}

double manhattan(const Points& points, int dim, LocalIndex a, LocalIndex b) {
    double distance = 0.0;
    for (int d = 0; d < dim; ++d) {
        distance += std::abs(points.at(static_cast<std::size_t>(a * dim + d)) -
                             points.at(static_cast<std::size_t>(b * dim + d)));
    }
    return distance;
}

void expect_permutation(Order order) {
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, identity(order.size()));
}

void expect_steps_of_one(const Points& points, int dim) {
    const Order order = order_of(points, dim);
    expect_permutation(order);
    for (std::size_t i = 1; i < order.size(); ++i) {
        ASSERT_EQ(manhattan(points, dim, order[i - 1], order[i]), 1.0) << "step " << i;
    }
}

TEST(HilbertCurve, StepsFromFaceNeighbourToFaceNeighbour) {
    for (const int n : {2, 4, 32}) {
        for (const int dim : {1, 2, 3}) {
            SCOPED_TRACE(std::to_string(n) + "^" + std::to_string(dim));
            expect_steps_of_one(shuffled_cube(n, dim), dim);
        }
    }
}

TEST(HilbertCurve, VisitsEachOctantWholly) {
    const Points points = shuffled_cube(8, 3);
    const Order order = order_of(points, 3);
    for (std::size_t octant = 0; octant < 8; ++octant) {
        for (int d = 0; d < 3; ++d) {
            const auto upper = [&](std::size_t i) {
                return points[static_cast<std::size_t>(order[i] * 3 + d)] >= 4.0;
            };
            for (std::size_t i = 64 * octant; i < 64 * (octant + 1); ++i) {
                ASSERT_EQ(upper(i), upper(64 * octant));
            }
        }
    }
}

TEST(HilbertCurve, IgnoresScaleAndPositionOfTheBox) {
    const Points points = shuffled_cube(16, 3);
    Points moved = points;
    for (std::size_t i = 0; i < moved.size(); i += 3) {
        moved[i] = 1024.0 * moved[i] - 4096.0;
        moved[i + 1] *= 0x1p-40;
    }
    EXPECT_EQ(order_of(moved, 3), order_of(points, 3));
}

TEST(HilbertCurve, IsTheCurveOfAPlaneInAPlane) {
    const Points plane = shuffled_cube(32, 2);
    for (int flat = 0; flat < 3; ++flat) {
        Points space;
        for (std::size_t i = 0; i < plane.size(); i += 2) {
            Points point{plane[i], plane[i + 1]};
            point.insert(point.begin() + flat, 0.1);
            space.insert(space.end(), point.begin(), point.end());
        }
        EXPECT_EQ(keys_of(space, 3), keys_of(plane, 2));
    }
}

TEST(HilbertCurve, TellsPointsApartThatDifferInTheLastOfTwentyOneBits) {
    const Points fine{0.0, 0.5, 0.5 + 0x1p-20, 1.0};
    const std::vector<std::uint64_t> keys = keys_of(fine, 1);
    EXPECT_LT(keys[1], keys[2]);
    EXPECT_EQ(keys[3], (std::uint64_t{1} << 21) - 1);
}

TEST(HilbertCurve, KeysDependOnThePointAndTheBoxAlone) {
    const Points points = shuffled_cube(12, 3);
    const std::vector<std::uint64_t> whole = keys_of(points, 3);
    const BoundingBox box = bounding_box(points, 3);
    for (std::size_t i = 0; i < whole.size(); i += 7) {
        const auto one = hilbert_keys(std::span(points).subspan(3 * i, 3), 3, box);
        ASSERT_EQ(one[0], whole[i]);
    }
}

TEST(HilbertOrder, KeepsTheOrderOfEqualPoints) {
    EXPECT_EQ(order_of(Points(3 * 1000, 0.25), 3), identity(1000));
    // Two places only: those at the first, then those at the second, each as they came.
    const Order order = order_of({5.0, 1.0, 5.0, 1.0, 5.0}, 1);
    EXPECT_EQ(order, (Order{1, 3, 0, 2, 4}));
}

TEST(HilbertOrder, SurvivesNothingOnePointAndCoordinatesThatAreNoNumbers) {
    EXPECT_TRUE(order_of({}, 3).empty());
    EXPECT_EQ(order_of({1.0, 2.0, 3.0}, 3), identity(1));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(order_of({nan, nan, nan}, 1), identity(3));
    EXPECT_EQ(order_of({1.0, infinity, nan, 0.0, -infinity, 0.5}, 1), (Order{2, 3, 4, 5, 0, 1}));
    const double largest = std::numeric_limits<double>::max();
    EXPECT_EQ(order_of({largest, 0.0, -largest}, 1), (Order{2, 1, 0}));
    const double smallest = std::numeric_limits<double>::denorm_min();
    expect_permutation(order_of({smallest, 0.0, 2.0 * smallest}, 1));
}

TEST(BoundingBox, HoldsTheFinitePointsOfEachAxis) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const BoundingBox box = bounding_box(Points{nan, 1.0, 3.0, -2.0, -1.0, BoundingBox::none}, 2);
    EXPECT_EQ(box.low[0], -1.0);
    EXPECT_EQ(box.high[0], 3.0);
    EXPECT_EQ(box.low[1], -2.0);
    EXPECT_EQ(box.high[1], 1.0);
    EXPECT_GT(box.low[2], box.high[2]);
}

/// Keys of `bits` bits of which few are distinct in their leading part.
std::vector<std::uint64_t> clustered_keys(std::size_t n, int bits, int cluster_bits) {
    std::mt19937_64 random(5);
    std::vector<std::uint64_t> keys;
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint64_t place = random() % 5 << (bits - 3);
        keys.push_back(place | (random() & ((std::uint64_t{1} << cluster_bits) - 1)));
    }
    return keys;
}

TEST(OrderByKey, IsTheStableOrderForKeysOfAnyLength) {
    for (const int bits : {3, 12, 21, 33, 34, 42, 63}) {
        for (const int cluster_bits : {1, 8, bits - 3}) {
            SCOPED_TRACE(std::to_string(bits) + " bits, clusters of " +
                         std::to_string(cluster_bits));
            const auto keys = clustered_keys(3000, bits, std::max(0, cluster_bits));
            Order expected = identity(keys.size());
            std::stable_sort(expected.begin(), expected.end(),
                             [&](LocalIndex a, LocalIndex b) { return keys[a] < keys[b]; });
            EXPECT_EQ(sorted_order(keys), expected);
        }
    }
}

/// Edges of a cube of n^3 between the labels its points were shuffled to: along the axes, or also those that
/// cut cells into tetrahedra.
std::vector<LocalIndex> cube_edges(LocalIndex n, const Points& points, bool with_diagonals) {
    std::vector<LocalIndex> label(points.size() / 3);
    const auto place = [n](double x, double y, double z) {
        return static_cast<std::size_t>(x + n * (y + n * z));
    };
    for (std::size_t i = 0; i < label.size(); ++i) {
        label[place(points[3 * i], points[3 * i + 1], points[3 * i + 2])] =
            static_cast<LocalIndex>(i);
    }
    std::vector<LocalIndex> edges;
    for (std::size_t i = 0; i < label.size(); ++i) {
        for (const unsigned axes : {1U, 2U, 4U, 3U, 5U, 6U, 7U}) {
            const bool is_diagonal = (axes & (axes - 1)) != 0;
            const double x = points[3 * i] + (axes & 1U);
            const double y = points[3 * i + 1] + (axes >> 1 & 1U);
            const double z = points[3 * i + 2] + (axes >> 2);
            if (std::max({x, y, z}) < n && (with_diagonals || !is_diagonal)) {
                edges.push_back(static_cast<LocalIndex>(i));
                edges.push_back(label[place(x, y, z)]);
            }
        }
    }
    return edges;
}

/// Fraction of edges whose ends lie within `reach` places of each other.
double near_fraction(const std::vector<LocalIndex>& edges, const Buffer<LocalIndex>& order,
                     LocalIndex reach) {
    const Buffer<LocalIndex> position = invert(order);
    std::size_t near = 0;
    for (std::size_t e = 0; e < edges.size(); e += 2) {
        const auto a = static_cast<std::size_t>(edges[e]);
        const auto b = static_cast<std::size_t>(edges[e + 1]);
        near += std::abs(position[a] - position[b]) <= reach;
    }
    return static_cast<double>(near) / (0.5 * static_cast<double>(edges.size()));
}

/// Edges whose ends lie in two pieces of `size` places.
std::size_t count_cut(const std::vector<LocalIndex>& edges, const Buffer<LocalIndex>& order,
                      LocalIndex size) {
    const Buffer<LocalIndex> position = invert(order);
    std::size_t cut = 0;
    for (std::size_t e = 0; e < edges.size(); e += 2) {
        cut += position[static_cast<std::size_t>(edges[e])] / size !=
               position[static_cast<std::size_t>(edges[e + 1])] / size;
    }
    return cut;
}

/// Edges that leave pieces of an order by graph bisection, for one that leaves pieces of the curve: the most
/// over pieces of several sizes.
double worst_ratio(bool with_diagonals) {
    const LocalIndex n = 40;
    const Points points = shuffled_cube(n, 3);
    const std::vector<LocalIndex> edges = cube_edges(n, points, with_diagonals);
    const std::span<const LocalIndex> list(edges);
    const auto curve = order_by_key(hilbert_keys(points, 3, bounding_box(points, 3)));
    const auto bisected = bisection_order(build_graph(n * n * n, {&list, 1}));
    const LocalIndex reach = 512;  // below the front of a cube of 40, as 2048 is for 1 M nodes
    EXPECT_GT(near_fraction(edges, curve, reach), 0.85);
    EXPECT_GT(near_fraction(edges, bisected, reach), 0.8);
    double worst = 0.0;
    for (const LocalIndex size : {300, 1000, 3000, 10000}) {
        worst = std::max(worst, static_cast<double>(count_cut(edges, bisected, size)) /
                                    static_cast<double>(count_cut(edges, curve, size)));
    }
    return worst;
}

TEST(Locality, OfGraphBisectionIsNearlyThatOfTheCurveWhereThereAreDiagonals) {
    EXPECT_LT(worst_ratio(true), 1.2);
}

TEST(Locality, OfGraphBisectionIsHalfThatOfTheCurveAlongTheAxesAlone) {
    // A search spreads as octahedra there, which have more edges to the outside than cubes.
    EXPECT_LT(worst_ratio(false), 2.4);
}

}  // namespace
}  // namespace halocline::dist
