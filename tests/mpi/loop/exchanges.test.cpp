// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A halo travels when a loop reads what another rank changed, and at no other time.
#include <gtest/gtest.h>

#include <algorithm>

#include "halocline/backend/par_loop.hpp"
#include "support/bits.hpp"
#include "support/small_world.hpp"

namespace halocline::test {

namespace {

double id_of(GlobalIndex id, int d) { return static_cast<double>(id) + 0.25 * d; }

/// A ring of nodes and its edges in blocks: every rank has two neighbours (one when there are two).
WorldTables big_ring() {
    constexpr GlobalIndex nodes = 120;
    WorldTables tables({nodes, nodes, 0, 0, nodes, nodes / 2});
    for (GlobalIndex i = 0; i < nodes; ++i) {
        tables.edge_nodes[static_cast<std::size_t>(2 * i)] = i;
        tables.edge_nodes[static_cast<std::size_t>(2 * i + 1)] = (i + 1) % nodes;
        tables.mark_node[static_cast<std::size_t>(i)] = i;
        tables.parent[static_cast<std::size_t>(i)] = i / 2;
    }
    tables.side_nodes = tables.edge_nodes;  // a second map, which makes no other neighbours
    return tables;
}

class Exchanges : public ::testing::TestWithParam<Backend> {
protected:
    Communicator comm{MPI_COMM_WORLD};
    LoopWorld world{comm, big_ring(), {GetParam(), 1, "block", false}};
    Context& context = world.context();

    Dat<Node, double, 1> x = world.dat<1>(world.nodes(), "x", id_of);
    Dat<Node, double, 1> y = world.dat<1>(world.nodes(), "y", id_of);
    Dat<Node, double, 2> z = world.dat<2>(world.nodes(), "z", id_of);
    Dat<Edge, double, 1> e = world.dat<1>(world.edges(), "e", id_of);

    /// Exchanges and messages since the last call, on this rank.
    std::int64_t exchanges_ = 0;
    std::int64_t messages_ = 0;

    /// Neighbours a rank sends node values to: the ranks before and after it in the ring.
    std::int64_t both_sides = std::min(comm.size() - 1, 2);
    /// An edge lives with its first node, so its values only travel to the rank after.
    std::int64_t one_side = std::min(comm.size() - 1, 1);

    /// `many` exchanges on several ranks, none on one; each with one message per neighbour.
    void expect_exchanges(std::int64_t many, std::int64_t neighbours, const char* after) {
        const HaloLedger& ledger = world.halo().ledger();
        const std::int64_t expected = comm.size() > 1 ? many : 0;
        EXPECT_EQ(ledger.exchanges - exchanges_, expected) << after;
        EXPECT_EQ(ledger.messages - messages_, expected * neighbours) << after;
        exchanges_ = ledger.exchanges;
        messages_ = ledger.messages;
    }
};

struct Double {
    template <class V, int n>
    void operator()(Values<V, n>& x) const {
        for (int d = 0; d < n; ++d) {
            x[d] = x[d] * V(2.0);
        }
    }
};

struct Sum {
    template <class V>
    void operator()(const Values<V, 1>& a, const Values<V, 1>& b, Values<V, 1>& out) const {
        out[0] = a[0] + b[0];
    }
};

struct Spread {
    template <class V>
    void operator()(const Values<V, 1>& own, Values<V, 1>& a, Values<V, 1>& b) const {
        a[0] += own[0];
        b[0] -= own[0];
    }
};

struct SumAll {
    template <class V>
    void operator()(const Values<V, 1>& a, const Values<V, 2>& b, Values<V, 1>& out) const {
        out[0] = a[0] + b[1];
    }
};

TEST_P(Exchanges, FreshDatsNeedNone) {
    par_loop(context, "sum", world.edges(), Sum{}, read<0>(x, world.edge_nodes()),
             read<1>(x, world.edge_nodes()), write(e));
    expect_exchanges(0, both_sides, "reading fresh halos");
}

TEST_P(Exchanges, DirectLoopsNeedNone) {
    for (int i = 0; i < 3; ++i) {
        par_loop(context, "double", world.nodes(), Double{}, read_write(x));
    }
    expect_exchanges(0, both_sides, "direct loops");
}

/// What members change and read of their own is theirs; asking for members takes one exchange.
TEST_P(Exchanges, DirectLoopsOverASubsetNeedNone) {
    const auto even = make_subset(context, world.mesh(), world.nodes(), "even", [&](LocalIndex i) {
        return world.nodes().part->global_id(i) % 2 == 0;
    });
    expect_exchanges(1, both_sides, "owners say who is a member");
    for (int i = 0; i < 3; ++i) {
        par_loop(context, "double", even, Double{}, read_write(x));
    }
    expect_exchanges(0, both_sides, "direct loops over a subset");
    par_loop(context, "sum", world.edges(), Sum{}, read<0>(x, world.edge_nodes()),
             read<1>(x, world.edge_nodes()), write(e));
    expect_exchanges(1, both_sides, "reading what members changed");
}

TEST_P(Exchanges, AChangedDatTravelsOnceHoweverOftenItIsRead) {
    par_loop(context, "double", world.nodes(), Double{}, read_write(x));
    for (int i = 0; i < 3; ++i) {
        par_loop(context, "sum", world.edges(), Sum{}, read<0>(x, world.edge_nodes()),
                 read<1>(x, world.edge_nodes()), write(e));
    }
    expect_exchanges(1, both_sides, "three loops reading one change");
    par_loop(context, "double", world.nodes(), Double{}, read_write(x));
    par_loop(context, "sum", world.edges(), Sum{}, read<0>(x, world.edge_nodes()),
             read<1>(x, world.edge_nodes()), write(e));
    expect_exchanges(1, both_sides, "the next change");
}

TEST_P(Exchanges, AllDatsOfALoopTravelTogether) {
    par_loop(context, "double", world.nodes(), Double{}, read_write(x));
    par_loop(context, "double", world.nodes(), Double{}, read_write(z));
    const std::int64_t before = world.halo().ledger().bytes;
    par_loop(context, "sum_all", world.edges(), SumAll{}, read<0>(x, world.edge_nodes()),
             read<1>(z, world.edge_nodes()), write(e));
    expect_exchanges(1, both_sides, "two dats in one loop");
    // What is sent: 1 + 2 doubles for each element in the lists, as the pattern of the set says.
    const auto sent = world.nodes().part->halo.send_indices.size();
    EXPECT_EQ(world.halo().ledger().bytes - before, static_cast<std::int64_t>(24 * sent));
}

/// A loop that increments through a map runs on import-exec edges too: their own data must be fresh.
TEST_P(Exchanges, EdgeDataTravelsOnlyForIncrementingLoops) {
    par_loop(context, "double", world.edges(), Double{}, read_write(e));
    par_loop(context, "double", world.edges(), Double{}, read_write(e));
    expect_exchanges(0, both_sides, "direct loops over edges");
    par_loop(context, "spread", world.edges(), Spread{}, read(e), inc<0>(y, world.edge_nodes()),
             inc<1>(y, world.edge_nodes()));
    expect_exchanges(1, one_side, "an incrementing loop");
    par_loop(context, "spread", world.edges(), Spread{}, read(e), inc<0>(y, world.edge_nodes()),
             inc<1>(y, world.edge_nodes()));
    expect_exchanges(0, both_sides, "the same again: e did not change, y is only added to");
}

TEST_P(Exchanges, IncrementedDatsTravelBeforeTheyAreRead) {
    par_loop(context, "spread", world.edges(), Spread{}, read(e), inc<0>(x, world.edge_nodes()),
             inc<1>(x, world.edge_nodes()));
    expect_exchanges(0, both_sides, "increments of fresh dats");
    par_loop(context, "sum", world.edges(), Sum{}, read<0>(x, world.edge_nodes()),
             read<1>(x, world.edge_nodes()), write(e));
    expect_exchanges(1, both_sides, "reading the sums");
    // x_i = i + e_i - e_{i-1} with e_i = i, so i + 1, and 0 + 0 - 119 at the seam.
    std::vector<double> expected;
    const auto value = [](GlobalIndex i) { return i == 0 ? -119.0 : static_cast<double>(i) + 1.0; };
    for (GlobalIndex i = 0; i < 120; ++i) {
        expected.push_back(value(i) + value((i + 1) % 120));
    }
    EXPECT_TRUE(same_numbers(world.collect(e), expected));
}

TEST_P(Exchanges, SwappedDatsKeepTheirState) {
    par_loop(context, "double", world.nodes(), Double{}, read_write(x));
    swap(x, y);  // now y is stale, x fresh
    par_loop(context, "sum", world.edges(), Sum{}, read<0>(x, world.edge_nodes()),
             read<1>(x, world.edge_nodes()), write(e));
    expect_exchanges(0, both_sides, "the fresh one");
    par_loop(context, "sum", world.edges(), Sum{}, read<0>(y, world.edge_nodes()),
             read<1>(y, world.edge_nodes()), write(e));
    expect_exchanges(1, both_sides, "the stale one");
}

struct Add {
    template <class V>
    void operator()(const Values<V, 1>& x, Values<V, 1>& sum) const {
        sum[0] += x[0];
    }
};

TEST_P(Exchanges, ReductionsNeedNone) {
    par_loop(context, "double", world.nodes(), Double{}, read_write(x));
    Global<double, 1> total;
    par_loop(context, "add", world.nodes(), Add{}, read(x), inc(total));
    expect_exchanges(0, both_sides, "a change and a reduction");
    EXPECT_EQ(total[0], 2.0 * 119.0 * 120.0 / 2.0);
}

/// The check back end believes no halo: it exchanges all that it reads.
INSTANTIATE_TEST_SUITE_P(Backends, Exchanges, ::testing::Values(Backend::serial, Backend::openmp),
                         name_of_backend);

}  // namespace

}  // namespace halocline::test
