// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops over a ring of six nodes with answers written down.
#include <gtest/gtest.h>

#include <limits>

#include "halocline/backend/par_loop.hpp"
#include "support/bits.hpp"
#include "support/small_world.hpp"

namespace halocline::test {

namespace {

class ByHand : public OnEveryBackend {
protected:
    using Numbers = std::vector<double>;
};

double ten_per_id(GlobalIndex id, int d) { return 10.0 * static_cast<double>(id) + d; }
double zero(GlobalIndex, int) { return 0.0; }

struct Difference {
    template <class V>
    void operator()(const Values<V, 1>& a, const Values<V, 1>& b, Values<V, 1>& out) const {
        out[0] = b[0] - a[0];
    }
};

TEST_P(ByHand, ReadsBothEndsOfEdges) {
    const auto x = world.dat<1>(world.nodes(), "x", ten_per_id);
    auto out = world.dat<1>(world.edges(), "out", zero);
    par_loop(context, "difference", world.edges(), Difference{}, read<0>(x, world.edge_nodes()),
             read<1>(x, world.edge_nodes()), write(out));
    EXPECT_TRUE(same_numbers(world.collect(out), Numbers{10, 10, 10, 10, 10, -50, 30}));
}

struct Degree {
    template <class V>
    void operator()(Values<V, 1>& a, Values<V, 1>& b) const {
        a[0] += V(1.0);
        b[0] += V(100.0);
    }
};

TEST_P(ByHand, CountsEdgesAtEachEnd) {
    auto count = world.dat<1, LaneStorage>(world.nodes(), "count", zero);
    par_loop(context, "degree", world.edges(), Degree{}, inc<0>(count, world.edge_nodes()),
             inc<1>(count, world.edge_nodes()));
    // First end of 0: edges 0-1 and 0-3; second end of 3: 2-3 and 0-3; all others once each.
    EXPECT_TRUE(same_numbers(world.collect(count), Numbers{102, 101, 101, 201, 101, 101}));
}

struct AddToBoth {
    template <class V>
    void operator()(const Values<V, 1>& w, Values<V, 1>& a, Values<V, 1>& b) const {
        a[0] += w[0];
        b[0] += w[0];
    }
};

/// 1e16 + 1 + 1 is 1e16 from the left and 1e16 + 2 from the right: the order of elements shows.
TEST_P(ByHand, AddsInAscendingOrderOfElements) {
    const double weights[] = {1e16, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0};
    const auto w = world.dat<1>(world.edges(), "w", [&](GlobalIndex e, int) { return weights[e]; });
    auto sum = world.dat<1>(world.nodes(), "sum", zero);
    par_loop(context, "add", world.edges(), AddToBoth{}, read(w), inc<0>(sum, world.edge_nodes()),
             inc<1>(sum, world.edge_nodes()));
    // Node 0: 1e16 (edge 0), then 1 (edge 5), then 1 (edge 6): each 1 is half a unit and rounds away.
    // Node 3: 1 (edge 2), 0 (edge 3), 1 (edge 6).
    EXPECT_TRUE(same_numbers(world.collect(sum), Numbers{1e16, 1e16, 1, 2, 0, 1}));
}

struct Keep {
    template <class V>
    void operator()(const Values<V, 1>& x, Values<V, 1>& low, Values<V, 1>& high,
                    Values<V, 1>& sum) const {
        low[0] = min(low[0], x[0]);
        high[0] = max(high[0], x[0]);
        sum[0] += x[0];
    }
};

TEST_P(ByHand, ReducesNodesToGlobals) {
    const auto x = world.dat<1>(world.nodes(), "x", ten_per_id);
    Global<double, 1> low{{7.0}};
    Global<double, 1> high{{7.0}};
    Global<double, 1> sum{{0.5}};
    par_loop(context, "reduce", world.nodes(), Keep{}, read(x), reduce_min(low), reduce_max(high),
             inc(sum));
    EXPECT_EQ(low[0], 0.0);
    EXPECT_EQ(high[0], 50.0);
    EXPECT_EQ(sum[0], 150.5);
}

struct Smallest {
    template <class V>
    void operator()(const Values<V, 1>& x, Values<V, 1>& low) const {
        low[0] = min(low[0], x[0]);
    }
};

TEST_P(ByHand, KeepsTheSmallestThatLeadsToACoarseNode) {
    const auto x = world.dat<1>(world.nodes(), "x", ten_per_id);
    auto low = world.dat<1>(world.coarse(), "low",
                            [](GlobalIndex c, int) { return c == 0 ? -4.0 : 99.0; });
    par_loop(context, "smallest", world.nodes(), Smallest{}, read(x),
             reduce_min<0>(low, world.parent()));
    EXPECT_TRUE(same_numbers(world.collect(low), Numbers{-4, 30}));
}

struct Halve {
    template <class V>
    void operator()(const Values<V, 1>& factor, Values<V, 1>& x) const {
        x[0] = x[0] * factor[0];
    }
};

TEST_P(ByHand, ReadsGlobals) {
    auto x = world.dat<1>(world.marks(), "x",
                          [](GlobalIndex m, int) { return 3.0 + 4.0 * static_cast<double>(m); });
    const Global<double, 1> half{{0.5}};
    par_loop(context, "halve", world.marks(), Halve{}, read(half), read_write(x));
    EXPECT_TRUE(same_numbers(world.collect(x), Numbers{1.5, 3.5}));
}

TEST_P(ByHand, AccountsEachLoopOnceACall) {
    auto x = world.dat<1>(world.marks(), "x", zero);
    const Global<double, 1> half{{0.5}};
    for (int call = 0; call < 3; ++call) {
        par_loop(context, {"halve", 2}, world.marks(), Halve{}, read(half), read_write(x));
    }
    const auto rows = context.loops().rows();
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].name, "halve");
    EXPECT_EQ(rows[0].level, 2);
    EXPECT_EQ(rows[0].set, "marks");
    EXPECT_EQ(rows[0].calls, 3);
    EXPECT_EQ(rows[0].elements, 6);
    EXPECT_EQ(rows[0].bytes, 3 * (8 + 8) * 2);  // read and written, 8 bytes each, two marks
}

INSTANTIATE_TEST_SUITE_P(Backends, ByHand, ::testing::ValuesIn(every_backend), name_of_backend);

}  // namespace

}  // namespace halocline::test
