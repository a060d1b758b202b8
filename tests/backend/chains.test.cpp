// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What may not stand in one chain, and what temporaries promise.
#include <gtest/gtest.h>

#include "halocline/backend/par_loop.hpp"
#include "support/bits.hpp"
#include "support/small_world.hpp"

namespace halocline::test {

namespace {

class Chains : public OnEveryBackend {
protected:
    static double id_of(GlobalIndex id, int) { return 1.0 + static_cast<double>(id); }

    static void expect_words(const std::string& text, const std::string& words) {
        EXPECT_NE(text.find(words), std::string::npos) << "said: '" << text << "'";
    }
};

struct Copy {
    template <class V>
    void operator()(const Values<V, 1>& from, Values<V, 1>& to) const {
        to[0] = from[0];
    }
};

struct Add {
    template <class V>
    void operator()(const Values<V, 1>& from, Values<V, 1>& to) const {
        to[0] += from[0];
    }
};

TEST_P(Chains, ReadingThroughAMapWhatTheChainChanges) {
    auto x = world.dat<1>(world.nodes(), "x", id_of);
    auto sum = world.dat<1>(world.nodes(), "sum", id_of);
    const auto y = world.dat<1>(world.nodes(), "y", id_of);
    expect_words(contract_error([&] {
                     run_chain(
                         context, "bad", world.nodes(),
                         make_loop("copy", world.nodes(), Copy{}, read(y), write(x)),
                         make_loop("add", world.edges(), Add{}, read<0>(x, world.edge_nodes()),
                                   inc<1>(sum, world.edge_nodes())));
                 }),
                 "chain 'bad' changes dat 'x' and reads it through a map");
}

TEST_P(Chains, ALoopOverAnotherSet) {
    const auto w = world.dat<1>(world.edges(), "w", id_of);
    auto out = world.dat<1>(world.edges(), "out", id_of);
    expect_words(contract_error([&] {
                     run_chain(context, "bad", world.nodes(),
                               make_loop("copy", world.edges(), Copy{}, read(w), write(out)));
                 }),
                 "loop 'copy' cannot be in a chain over set 'nodes'");
}

TEST_P(Chains, AnIncrementIntoAnotherSet) {
    const auto x = world.dat<1>(world.nodes(), "x", id_of);
    auto sum = world.dat<1>(world.coarse(), "sum", id_of);
    expect_words(
        contract_error([&] {
            run_chain(context, "bad", world.nodes(),
                      make_loop("add", world.nodes(), Add{}, read(x), inc<0>(sum, world.parent())));
        }),
        "loop 'add' cannot be in a chain over set 'nodes'");
}

TEST_P(Chains, ReadingAGlobalThatTheChainReduces) {
    const auto x = world.dat<1>(world.nodes(), "x", id_of);
    auto y = world.dat<1>(world.nodes(), "y", id_of);
    Global<double, 1> total;
    const std::string said = contract_error([&] {
        run_chain(context, "bad", world.nodes(),
                  make_loop("sum", world.nodes(), Add{}, read(x), inc(total)),
                  make_loop("use", world.nodes(), Copy{}, read(total), write(y)));
    });
    expect_words(said, "chain 'bad'");
}

TEST_P(Chains, TemporariesStartAtZeroEachTime) {
    const auto x = world.dat<1>(world.nodes(), "x", id_of);
    auto y = world.dat<1>(world.nodes(), "y", id_of);
    auto sum = world.mesh().make_temporary<Node, double, 1>(world.nodes(), "sum");
    for (int time = 0; time < 2; ++time) {
        run_chain(context, "twice", world.nodes(),
                  make_loop("first", world.nodes(), Add{}, read(x), inc(sum)),
                  make_loop("again", world.nodes(), Add{}, read(x), inc(sum)),
                  make_loop("keep", world.nodes(), Copy{}, read(sum), write(y)));
    }
    EXPECT_TRUE(same_numbers(world.collect(y), std::vector<double>{2, 4, 6, 8, 10, 12}));
}

TEST_P(Chains, ATemporaryOutsideAChain) {
    const auto x = world.dat<1>(world.nodes(), "x", id_of);
    auto sum = world.mesh().make_temporary<Node, double, 1>(world.nodes(), "sum");
    expect_words(contract_error(
                     [&] { par_loop(context, "alone", world.nodes(), Add{}, read(x), inc(sum)); }),
                 "dat 'sum' is temporary");
}

struct Fill {
    template <class V>
    void operator()(const Values<V, 1>& x, Values<V, 65>& wide) const {
        for (int d = 0; d < 65; ++d) {
            wide[d] += x[0] + V(d);
        }
    }
};

struct Combine {
    template <class V>
    void operator()(const Values<V, 65>& a, const Values<V, 65>& b, Values<V, 1>& out) const {
        out[0] = a[64] - V(100.0) * b[0];
    }
};

/// Two temporaries of one type are two, and no number of components is too large: nodes have ids 1 to 6,
/// a holds id + 64 in its last component, b the sum of the ids of ends over the edges of a node in its
/// first one.
TEST_P(Chains, TwoWideTemporariesOfOneType) {
    const auto x = world.dat<1>(world.nodes(), "x", id_of);
    const auto length = world.dat<1>(world.edges(), "length", id_of);
    auto a = world.mesh().make_temporary<Node, double, 65>(world.nodes(), "a");
    auto b = world.mesh().make_temporary<Node, double, 65>(world.nodes(), "b");
    auto y = world.dat<1>(world.nodes(), "y", id_of);
    run_chain(
        context, "wide", world.nodes(), make_loop("first", world.nodes(), Fill{}, read(x), inc(a)),
        make_loop("second", world.edges(), Fill{}, read(length), inc<0>(b, world.edge_nodes())),
        make_loop("combine", world.nodes(), Combine{}, read(a), read(b), write(y)));
    // Edges 1 to 7 begin at nodes 1, 2, 3, 4, 5, 6, 1.
    EXPECT_TRUE(same_numbers(world.collect(y), std::vector<double>{65 - 800, 66 - 200, 67 - 300,
                                                                   68 - 400, 69 - 500, 70 - 600}));
}

struct AddBoth {
    template <class V>
    void operator()(const Values<V, 1>& x, Values<V, 1>& a, Values<V, 1>& b) const {
        a[0] += x[0];
        b[0] += x[0];
    }
};

TEST_P(Chains, AReductionBesideAnIncrementIntoTheChain) {
    const auto x = world.dat<1>(world.edges(), "x", id_of);
    auto sum = world.dat<1>(world.nodes(), "sum", id_of);
    Global<double, 1> total;
    expect_words(contract_error([&] {
                     run_chain(context, "bad", world.nodes(),
                               make_loop("both", world.edges(), AddBoth{}, read(x),
                                         inc<0>(sum, world.edge_nodes()), inc(total)));
                 }),
                 "loop 'both' cannot be in a chain over set 'nodes'");
}

TEST_P(Chains, IncrementsOfTwoSets) {
    const auto x = world.dat<1>(world.pairs(), "x", id_of);
    auto sum = world.dat<1>(world.nodes(), "sum", id_of);
    auto other = world.dat<1>(world.coarse(), "other", id_of);
    expect_words(
        contract_error([&] {
            run_chain(
                context, "bad", world.nodes(),
                make_loop("both", world.pairs(), AddBoth{}, read(x),
                          inc<0>(sum, world.pair_nodes()), inc<0>(other, world.pair_coarse())));
        }),
        "loop 'both' changes dats on two sets through maps, which chains and devices cannot");
}

TEST_P(Chains, WritingThroughAMap) {
    const auto x = world.dat<1>(world.pairs(), "x", id_of);
    auto y = world.dat<1>(world.nodes(), "y", id_of);
    expect_words(contract_error([&] {
                     run_chain(context, "bad", world.nodes(),
                               make_loop("put", world.pairs(), Copy{}, read(x),
                                         write<0>(y, one_to_one(comm, world.pair_claims()))));
                 }),
                 "loop 'put' cannot be in a chain over set 'nodes'");
}

TEST_P(Chains, ASubsetThatChangesItsOwnElements) {
    const auto x = world.dat<1>(world.nodes(), "x", id_of);
    auto y = world.dat<1>(world.nodes(), "y", id_of);
    const auto some =
        make_subset(context, world.mesh(), world.nodes(), "some", [](LocalIndex) { return true; });
    expect_words(contract_error([&] {
                     run_chain(context, "bad", world.nodes(),
                               make_loop("put", some, Copy{}, read(x), write(y)));
                 }),
                 "loop 'put' cannot be in a chain over set 'nodes'");
}

TEST_P(Chains, OverAnEmptySetDoNothing) {
    LoopWorld empty(comm, WorldTables({4, 0, 0, 0, 0, 1}), {GetParam(), 2, "block", false});
    const auto x = empty.dat<1>(empty.marks(), "x", id_of);
    auto y = empty.dat<1>(empty.marks(), "y", id_of);
    Global<double, 1> total{{3.0}};
    run_chain(empty.context(), "empty", empty.marks(),
              make_loop("copy", empty.marks(), Copy{}, read(x), write(y)),
              make_loop("sum", empty.marks(), Add{}, read(x), inc(total)));
    EXPECT_EQ(total[0], 3.0);
}

INSTANTIATE_TEST_SUITE_P(Backends, Chains, ::testing::ValuesIn(every_backend), name_of_backend);

}  // namespace

}  // namespace halocline::test
