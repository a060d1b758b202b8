// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reductions over ranks: the same bits on every rank and for every number of ranks.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "halocline/memory/emulated_device.hpp"
#include "support/bits.hpp"
#include "support/loop_shapes.hpp"
#include "support/run_loops.hpp"
#include "support/small_world.hpp"

namespace halocline::test {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Reduce {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& x, Values<V, 1>& sum, Values<V, 1>& low,
                                 Values<V, 1>& high) const {
        sum[0] += x[0];
        low[0] = x[0];
        high[0] = x[0];
    }
};

class Reductions : public ::testing::TestWithParam<Backend> {
protected:
    Communicator comm{MPI_COMM_WORLD};
    EmulatedDevice device;  ///< where ranks meet on the host

    /// Sum, minimum and maximum of value(id) over 500 nodes.
    template <class Value>
    std::vector<double> reduce(const Communicator& ranks, Value value) {
        WorldOptions options{GetParam(), 2, "block", true};
        options.device = &device;
        LoopWorld world(ranks, WorldTables({500, 700, 0, 0, 0, 1}), options);
        const auto x =
            world.dat<1>(world.nodes(), "x", [&](GlobalIndex id, int) { return value(id); });
        Global<double, 1> sum;
        Global<double, 1> low{{infinity}};
        Global<double, 1> high{{-infinity}};
        run_loop(world, "reduce", world.nodes(), Reduce{}, read(x), inc(sum), reduce_min(low),
                 reduce_max(high));
        return {sum[0], low[0], high[0]};
    }

    /// What each rank gets alone is what all get together.
    template <class Value>
    void expect_same_as_alone(Value value) {
        const Communicator alone(MPI_COMM_SELF);
        EXPECT_TRUE(same_numbers(reduce(comm, value), reduce(alone, value)));
    }
};

TEST_P(Reductions, OfRoughNumbers) {
    expect_same_as_alone([](GlobalIndex id) { return rough_number(1, id, 0); });
}

TEST_P(Reductions, OfNumbersOfAllSizes) {
    expect_same_as_alone([](GlobalIndex id) {
        return std::ldexp(rough_number(2, id, 0), static_cast<int>(mix(3, id, 0) % 400U) - 200);
    });
}

TEST_P(Reductions, OfZerosOfBothSigns) {
    expect_same_as_alone([](GlobalIndex id) { return mix(4, id, 0) % 3 == 0 ? -0.0 : 0.0; });
}

TEST_P(Reductions, OfOneNanAnywhere) {
    for (const GlobalIndex where : {0, 250, 499}) {
        const auto value = [&](GlobalIndex id) {
            return id == where ? std::numeric_limits<double>::quiet_NaN() : rough_number(5, id, 0);
        };
        expect_same_as_alone(value);
        for (const double result : reduce(comm, value)) {
            EXPECT_TRUE(std::isnan(result)) << where;
        }
    }
}

TEST_P(Reductions, OfInfinities) {
    expect_same_as_alone(
        [](GlobalIndex id) { return id == 77 ? infinity : rough_number(6, id, 0); });
}

INSTANTIATE_TEST_SUITE_P(Backends, Reductions,
                         ::testing::Values(Backend::serial, Backend::openmp, Backend::check,
                                           Backend::emulated),
                         name_of_backend);

}  // namespace

}  // namespace halocline::test
