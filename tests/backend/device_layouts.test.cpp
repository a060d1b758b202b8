// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Dats in every shape they can have on a device: the same bits, read, written, gathered into and added to.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "halocline/backend/device/views/dat_shape.hpp"
#include "support/bits.hpp"
#include "support/numbers.hpp"
#include "support/run_loops.hpp"
#include "support/test_device.hpp"

namespace halocline {

/// Types of this test alone: no other test has dats of six or seven components.
template <>
struct device::DeviceShape<Dat<test::Node, double, 6, RowStorage>> {
    static constexpr Shape shape = Shape::columns;
};
template <>
struct device::DeviceShape<Dat<test::Node, double, 6, LaneStorage>> {
    static constexpr Shape shape = Shape::rows;
};
template <>
struct device::DeviceShape<Dat<test::Node, double, 7, RowStorage>> {
    static constexpr Shape shape = Shape::pairs;
};
template <>
struct device::DeviceShape<Dat<test::Node, double, 7, LaneStorage>> {
    static constexpr Shape shape = Shape::pairs;
};

}  // namespace halocline

namespace halocline::test {

namespace {

using device::Shape;

/// Each component by another rule, so that none can stand for another.
struct Turn {
    template <class V, int n>
    HALOCLINE_HD void operator()(Values<V, n>& x) const {
        for (int d = 0; d < n; ++d) {
            x[d] = x[d] * V(1.0 + d) - V(d);
        }
    }
};
struct Exchange {
    template <class V, int n>
    HALOCLINE_HD void operator()(const Values<V, n>& a, const Values<V, n>& b, Values<V, n>& sum_a,
                                 Values<V, n>& sum_b) const {
        for (int d = 0; d < n; ++d) {
            sum_a[d] += b[n - 1 - d];
            sum_b[d] -= a[(d + 1) % n];
        }
    }
};

/// Whole numbers: no order of additions rounds.
double whole(GlobalIndex id, int d) { return std::floor(rough_number(81, id, d)); }

template <class DatT>
std::vector<double> run(LoopWorld& world) {
    auto x = world.dat<DatT::dim, typename DatT::Storage>(world.nodes(), "x", whole);
    auto sum = world.dat<DatT::dim, typename DatT::Storage>(world.nodes(), "sum", whole);
    const auto ends = world.edge_nodes();
    for (int step = 0; step < 2; ++step) {
        run_loop(world, "turn", world.nodes(), Turn{}, read_write(x));
        run_loop(world, "exchange", world.edges(), Exchange{}, read<0>(x, ends), read<1>(x, ends),
                 inc<0>(sum, ends), inc<1>(sum, ends));
    }
    std::vector<double> all = world.collect(x);
    const std::vector<double> more = world.collect(sum);
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

template <int dim, class Storage, Shape shape_>
struct Case {
    using DatT = Dat<Node, double, dim, Storage>;
    static constexpr Shape shape = shape_;
};

template <class CaseT>
class DeviceLayouts : public ::testing::Test {};

using Cases =
    ::testing::Types<Case<5, RowStorage, Shape::rows>, Case<5, LaneStorage, Shape::columns>,
                     Case<8, RowStorage, Shape::pairs>, Case<6, RowStorage, Shape::columns>,
                     Case<6, LaneStorage, Shape::rows>, Case<7, RowStorage, Shape::pairs>,
                     Case<7, LaneStorage, Shape::pairs>>;
TYPED_TEST_SUITE(DeviceLayouts, Cases);

TYPED_TEST(DeviceLayouts, GiveTheBitsOfSerial) {
    using DatT = typename TypeParam::DatT;
    static_assert(device::shape_of<DatT>() == TypeParam::shape);
    const Communicator comm(MPI_COMM_WORLD);
    const WorldTables tables({70, 190, 0, 0, 0, 9}, 3);
    LoopWorld judge(comm, tables, {});
    const std::vector<double> expected = run<DatT>(judge);
    for (const Backend backend : {Backend::emulated, Backend::cuda}) {
        for (const DeviceStrategy strategy : {DeviceStrategy::gather, DeviceStrategy::once}) {
            const TestDevice opened = open_test_device(backend);
            if (!opened.obstacle.empty()) {
                continue;
            }
            WorldOptions options;
            options.backend = backend;
            options.device = opened.device.get();
            options.device_options.poison = true;
            options.device_options.strategies.usual = strategy;
            LoopWorld world(comm, tables, options);
            EXPECT_TRUE(same_numbers(run<DatT>(world), expected));
            for (const LoopStatistics& row : world.context().loops().rows()) {
                EXPECT_TRUE(row.on_device) << row.name;
            }
        }
    }
}

}  // namespace

}  // namespace halocline::test
