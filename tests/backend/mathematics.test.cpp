// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Kernels of `halocline::math` give the same bits on every back end.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "halocline/loop/pack_math.hpp"
#include "support/bits.hpp"
#include "support/numbers.hpp"
#include "support/run_loops.hpp"
#include "support/test_device.hpp"

namespace halocline::test {

namespace {

/// Along an edge, with every kind of function, comparison and logic.
struct Waves {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& a, const Values<V, 2>& b, Values<V, 2>& sum_a,
                                 Values<V, 2>& sum_b) const {
        HALOCLINE_USE_MATH;
        const V wave = sin(a[0]) * cos(b[0]) + tan(a[1] - b[1]);
        const V decay = exp(-abs(a[0] - b[1])) + exp2(tanh(b[0]));
        const V size = log(V(1.0) + hypot(a[0], b[0])) + log2(abs(a[1])) + log10(abs(b[1]));
        const V turn = atan2(a[1], b[0]) + atan(a[0]) + pow(abs(a[0]), b[1] / 4.0);
        const V whole = floor(a[0]) + ceil(b[0]) - trunc(a[1]) + round(b[1]);
        const auto near = a[0] < b[0] && !(a[1] == b[1] || 1.0 > b[0]);
        V flow = wave * decay;
        flow /= copysign(size, +turn);
        sum_a[0] += select(near != (size > turn), flow, -flow);
        sum_b[1] += whole * turn;
    }
};

std::vector<double> sums_of(const WorldOptions& options) {
    const Communicator comm(MPI_COMM_WORLD);
    const WorldTables tables({300, 900, 3, 3, 60, 50}, 7);
    LoopWorld world(comm, tables, options);
    const auto x = world.dat<2>(world.nodes(), "x", [](GlobalIndex i, int d) {
        // Half of the angles need the long reduction.
        return rough_number(3, i, d) * (d == 0 && i % 2 == 1 ? 0x1p40 : 1.0);
    });
    auto sum = world.dat<2>(world.nodes(), "sum", [](GlobalIndex, int) { return 0.0; });
    run_loop(world, "waves", world.edges(), Waves{}, read<0>(x, world.edge_nodes()),
             read<1>(x, world.edge_nodes()), inc<0>(sum, world.edge_nodes()),
             inc<1>(sum, world.edge_nodes()));
    return world.collect(sum);
}

class Mathematics : public ::testing::TestWithParam<Backend> {};

TEST_P(Mathematics, HasTheBitsOfSerial) {
    const TestDevice opened = open_test_device(GetParam());
    if (!opened.obstacle.empty()) {
        GTEST_SKIP() << opened.obstacle;
    }
    const std::vector<double> serial = sums_of({.backend = Backend::serial});
    EXPECT_TRUE(std::ranges::none_of(serial, [](double s) { return s != s; }));
    EXPECT_TRUE(same_numbers(
        sums_of({.backend = GetParam(), .threads = 2, .device = opened.device.get()}), serial));
}

std::string backend_test_name(const ::testing::TestParamInfo<Backend>& info) {
    return std::string(backend_name(info.param));
}

INSTANTIATE_TEST_SUITE_P(Backends, Mathematics,
                         ::testing::Values(Backend::openmp, Backend::check, Backend::emulated,
                                           Backend::cuda),
                         backend_test_name);

}  // namespace

}  // namespace halocline::test
