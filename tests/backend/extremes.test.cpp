// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Minima and maxima of NaN, infinities and zeros of both signs: the same bits on every back end.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "halocline/backend/par_loop.hpp"
#include "support/bits.hpp"
#include "support/loop_shapes.hpp"

namespace halocline::test {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Extremes {
    template <class V>
    void operator()(const Values<V, 1>& x, Values<V, 1>& low, Values<V, 1>& high) const {
        low[0] = min(low[0], x[0]);
        high[0] = max(high[0], x[0]);
    }
};

/// Hands the value on, NaN or not.
struct Assign {
    template <class V>
    void operator()(const Values<V, 1>& x, Values<V, 1>& low, Values<V, 1>& high) const {
        low[0] = x[0];
        high[0] = x[0];
    }
};

/// Nodes with awkward values at scattered places; the rest rough numbers.
double awkward(GlobalIndex id, int with_nan) {
    const std::uint64_t kind = mix(77, id, 0) % 7;
    const double values[] = {0.0, -0.0, rough_number(5, id, 0), infinity, -infinity, 1.0, nan};
    return kind == 6 && with_nan == 0 ? 2.0 : values[kind];
}

template <class Kernel>
std::vector<double> globals(Backend backend, int threads, GlobalIndex nodes, int with_nan,
                            bool mild) {
    const Communicator comm(MPI_COMM_WORLD);
    LoopWorld world(comm, WorldTables({nodes, 0, 0, 0, 0, 1}), {backend, threads, "block", false});
    const auto x = world.dat<1>(world.nodes(), "x", [&](GlobalIndex id, int) {
        return mild ? (mix(78, id, 0) % 2 == 0 ? 0.0 : -0.0) : awkward(id, with_nan);
    });
    Global<double, 1> low{{infinity}};
    Global<double, 1> high{{-infinity}};
    par_loop(world.context(), "extremes", world.nodes(), Kernel{}, read(x), reduce_min(low),
             reduce_max(high));
    return {low[0], high[0]};
}

template <class Kernel>
void expect_same_globals(int with_nan, bool mild) {
    for (const GlobalIndex nodes : {1, 5, 8, 13, 40, 1300}) {
        const auto serial = globals<Kernel>(Backend::serial, 1, nodes, with_nan, mild);
        for (const int threads : {1, 2, 3}) {
            EXPECT_TRUE(same_numbers(
                globals<Kernel>(Backend::openmp, threads, nodes, with_nan, mild), serial))
                << nodes << " nodes, " << threads << " threads";
        }
        EXPECT_TRUE(
            same_numbers(globals<Kernel>(Backend::check, 1, nodes, with_nan, mild), serial));
    }
}

TEST(GlobalExtremes, OfInfinitiesAreTheSameEverywhere) { expect_same_globals<Extremes>(0, false); }

TEST(GlobalExtremes, WithNanAreTheSameEverywhere) {
    expect_same_globals<Extremes>(1, false);
    expect_same_globals<Assign>(1, false);
}

TEST(GlobalExtremes, OfZerosOfBothSignsAreTheSameEverywhere) {
    expect_same_globals<Extremes>(0, true);
    expect_same_globals<Assign>(0, true);
}

TEST(GlobalExtremes, ANanThatAKernelHandsOnStays) {
    for (const Backend backend : {Backend::serial, Backend::openmp}) {
        const std::vector<double> result = globals<Assign>(backend, 1, 40, 1, false);
        EXPECT_TRUE(std::isnan(result[0]) && std::isnan(result[1])) << backend_name(backend);
    }
}

template <class Kernel>
std::vector<double> dats(Backend backend, int threads, int with_nan) {
    const Communicator comm(MPI_COMM_WORLD);
    LoopWorld world(comm, WorldTables({60, 300, 0, 0, 0, 1}, 9),
                    {backend, threads, "block", false});
    const auto x = world.dat<1>(world.edges(), "x",
                                [&](GlobalIndex id, int) { return awkward(id, with_nan); });
    auto low = world.dat<1>(world.nodes(), "low",
                            [](GlobalIndex id, int) { return id % 2 == 0 ? 0.0 : -0.0; });
    auto high = world.dat<1, LaneStorage>(
        world.nodes(), "high", [](GlobalIndex id, int) { return id % 3 == 0 ? 0.0 : -0.0; });
    par_loop(world.context(), "extremes", world.edges(), Kernel{}, read(x),
             reduce_min<0>(low, world.edge_nodes()), reduce_max<1>(high, world.edge_nodes()));
    std::vector<double> all = world.collect(low);
    append(all, world.collect(high));
    return all;
}

TEST(DatExtremes, AreTheSameEverywhere) {
    for (const int with_nan : {0, 1}) {
        const auto serial = dats<Extremes>(Backend::serial, 1, with_nan);
        const auto handed_on = dats<Assign>(Backend::serial, 1, with_nan);
        for (const int threads : {1, 2}) {
            EXPECT_TRUE(same_numbers(dats<Extremes>(Backend::openmp, threads, with_nan), serial));
            EXPECT_TRUE(same_numbers(dats<Assign>(Backend::openmp, threads, with_nan), handed_on));
        }
        EXPECT_TRUE(same_numbers(dats<Extremes>(Backend::check, 1, with_nan), serial));
    }
}

}  // namespace

}  // namespace halocline::test
