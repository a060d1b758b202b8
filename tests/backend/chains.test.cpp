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

struct Spread {
    template <class V>
    void operator()(const Values<V, 1>& x, Values<V, 65>& wide) const {
        wide[64] += x[0];
    }
};

/// What only the tiles of the vectorised back end can break.
class VectorChains : public Chains {};
INSTANTIATE_TEST_SUITE_P(Backends, VectorChains, ::testing::Values(Backend::openmp),
                         name_of_backend);

TEST_P(VectorChains, MoreTemporariesThanATileHolds) {
    const auto x = world.dat<1>(world.nodes(), "x", id_of);
    auto wide = world.mesh().make_temporary<Node, double, 65>(world.nodes(), "wide");
    expect_words(contract_error([&] {
                     run_chain(context, "wide", world.nodes(),
                               make_loop("spread", world.nodes(), Spread{}, read(x), inc(wide)));
                 }),
                 "temporaries exceed");
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
