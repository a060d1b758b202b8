// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Derived values that follow a change at once only where they were read after it the last time.
#include "halocline/mesh/derived_demand.hpp"

#include <gtest/gtest.h>

#include "halocline/backend/par_loop.hpp"
#include "support/bits.hpp"
#include "support/small_world.hpp"

namespace halocline::test {

namespace {

constexpr std::uint64_t first = 1;
constexpr std::uint64_t second = 2;

TEST(DerivedDemand, ExpectsReadersOfAWriterThatIsNotKnown) {
    const DerivedDemand demand;
    EXPECT_TRUE(demand.expects_reader(first));
}

TEST(DerivedDemand, ExpectsNoReaderAfterTwoWritesInARow) {
    DerivedDemand demand;
    demand.note_writer(first);
    EXPECT_FALSE(demand.expects_reader(first));
    demand.note_reader();
    EXPECT_TRUE(demand.expects_reader(first));
}

TEST(DerivedDemand, TellsWritersApart) {
    DerivedDemand demand;
    demand.note_writer(first);  // undone by the second before anybody looks
    demand.note_writer(second);
    demand.note_reader();
    EXPECT_FALSE(demand.expects_reader(first));
    EXPECT_TRUE(demand.expects_reader(second));
    demand.note_writer(first);
    EXPECT_TRUE(demand.expects_reader(second));
}

/// 2 q.
struct Twice {
    static constexpr int size = 1;
    template <class V>
    void operator()(const Values<V, 1>& q, Values<V, size>& extra) const {
        extra[0] = V(2.0) * q[0];
    }
};
using WithTwice = DerivedStorage<Twice>;

struct Grow {
    template <class V>
    void operator()(Values<V, 1>& q) const {
        q[0] += V(1.0);
    }
};

struct Fetch {
    template <class V>
    void operator()(const Values<V, 2>& q, Values<V, 1>& out) const {
        out[0] = q[1];
    }
};

class LazyDerived : public OnEveryBackend {
protected:
    static double id_of(GlobalIndex id, int) { return static_cast<double>(id); }

    void grow(Dat<Node, double, 1, WithTwice>& q) {
        par_loop(context, "grow", world.nodes(), Grow{}, inc(q));
    }
    /// What edges read at their first node: twice the node's id and `more`.
    void expect_twice(const Dat<Node, double, 1, WithTwice>& q, double more) {
        auto out = world.dat<1>(world.edges(), "out", id_of);
        par_loop(context, "fetch", world.edges(), Fetch{}, read<0>(derived(q), world.edge_nodes()),
                 write(out));
        const std::vector<double> found = world.collect(out);
        const WorldTables tables = ring_tables();
        for (std::size_t e = 0; e < found.size(); ++e) {
            EXPECT_EQ(found[e], 2.0 * (static_cast<double>(tables.edge_nodes[2 * e]) + more)) << e;
        }
    }
};

TEST_P(LazyDerived, AreRightHoweverOftenComponentsChangedBefore) {
    auto q = world.dat<1, WithTwice>(world.nodes(), "q", id_of);
    double more = 0.0;
    for (const int changes : {1, 3, 2, 1, 1, 4}) {
        for (int k = 0; k < changes; ++k) {
            grow(q);
            more += 1.0;
        }
        expect_twice(q, more);
    }
}

TEST_P(LazyDerived, AreRightAfterContentsAreExchanged) {
    auto q = world.dat<1, WithTwice>(world.nodes(), "q", id_of);
    auto next = world.dat<1, WithTwice>(world.nodes(), "next", id_of);
    for (int k = 0; k < 3; ++k) {
        grow(q);  // from the second on nobody expects a reader
    }
    swap(q, next);
    expect_twice(q, 0.0);
    expect_twice(next, 3.0);
    grow(next);
    expect_twice(next, 4.0);
}

TEST_P(LazyDerived, AreRightWhereAChainChangesWhatALoopLeft) {
    auto q = world.dat<1, WithTwice>(world.nodes(), "q", id_of);
    grow(q);
    grow(q);
    run_chain(context, "two", world.nodes(), make_loop("grow", world.nodes(), Grow{}, inc(q)));
    expect_twice(q, 3.0);
}

INSTANTIATE_TEST_SUITE_P(Backends, LazyDerived, ::testing::ValuesIn(every_backend),
                         name_of_backend);

}  // namespace

}  // namespace halocline::test
