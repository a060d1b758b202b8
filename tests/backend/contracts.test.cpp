// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Wrong use that only shows at run time: a sentence, on every back end, before anything runs.
#include <gtest/gtest.h>

#include "halocline/backend/par_loop.hpp"
#include "support/small_world.hpp"

namespace halocline::test {

namespace {

class Contracts : public OnEveryBackend {
protected:
    static double one(GlobalIndex, int) { return 1.0; }
    LoopWorld other{comm, ring_tables(), {GetParam(), 1, "block", false}};

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

TEST_P(Contracts, ADatOfAnotherMesh) {
    const auto x = other.dat<1>(other.nodes(), "x", one);
    auto y = world.dat<1>(world.nodes(), "y", one);
    expect_words(contract_error(
                     [&] { par_loop(context, "copy", world.nodes(), Copy{}, read(x), write(y)); }),
                 "loop 'copy', dat 'x': it lives on set 'nodes' of another mesh, not on the loop's "
                 "set 'nodes'. Take all sets, maps and dats of a loop from one mesh.");
}

TEST_P(Contracts, ADatOfAnotherSubset) {
    const auto subset = [&](const char* name, GlobalIndex rest) {
        return make_subset(context, world.mesh(), world.nodes(), name, [&, rest](LocalIndex i) {
            return world.nodes().part->global_id(i) % 3 == rest;
        });
    };
    const auto inlet = subset("inlet", 0);
    const auto outlet = subset("outlet", 1);
    const auto x = world.mesh().make_dat<Members<Node>, double, 1>(outlet.members(), "x");
    auto y = world.dat<1>(world.nodes(), "y", one);
    expect_words(
        contract_error([&] { par_loop(context, "copy", inlet, Copy{}, read(x), write(y)); }),
        "loop 'copy', dat 'x': it lives on set 'outlet'");
}

TEST_P(Contracts, AMapOfAnotherMesh) {
    const auto x = world.dat<1>(world.nodes(), "x", one);
    auto y = world.dat<1>(world.edges(), "y", one);
    expect_words(contract_error([&] {
                     par_loop(context, "copy", world.edges(), Copy{},
                              read<0>(x, other.edge_nodes()), write(y));
                 }),
                 "its map starts from set 'edges' of another mesh");
    const auto far = other.dat<1>(other.nodes(), "far", one);
    expect_words(contract_error([&] {
                     par_loop(context, "copy", world.edges(), Copy{},
                              read<0>(far, world.edge_nodes()), write(y));
                 }),
                 "its map leads to set 'nodes', but it lives on set 'nodes' of another mesh");
}

/// Plans of the openmp back end have all that two-ended loops need; other loops read the map.
TEST_P(Contracts, AMapWhoseRowsWereGivenBack) {
    const auto x = world.dat<1>(world.nodes(), "x", one);
    auto y = world.dat<1>(world.nodes(), "y", one);
    auto z = world.dat<1>(world.edges(), "z", one);
    const auto map = world.edge_nodes();
    const auto add = make_loop("add", world.edges(), Add{}, read<0>(x, map), inc<1>(y, map));
    const auto look = make_loop("look", world.edges(), Copy{}, read<0>(x, map), write(z));
    par_loop(context, add);
    world.mesh().release_map("edge_nodes");
    const std::string refusal = "map 'edge_nodes' has no rows any more";
    expect_words(contract_error([&] { par_loop(context, add); }), refusal);
    expect_words(contract_error([&] { par_loop(context, look); }), refusal);
    expect_words(contract_error([&] { run_chain(context, "one", world.edges(), look); }), refusal);
    expect_words(any_error([&] { (void)one_to_one(comm, map); }), refusal);
}

TEST_P(Contracts, ReadingWhatTheLoopIncrementsThroughAMap) {
    auto x = world.dat<1>(world.nodes(), "x", one);
    expect_words(contract_error([&] {
                     par_loop(context, "blur", world.edges(), Add{}, read<0>(x, world.edge_nodes()),
                              inc<1>(x, world.edge_nodes()));
                 }),
                 "loop 'blur' changes dat 'x' and uses it in another way");
}

struct AddRows {
    template <class V>
    void operator()(const Values<V, 1>& own, const Rows<V, 2, 1>& from, Rows<V, 2, 1>& to) const {
        to[0][0] += from[1][0] * own[0];
        to[1][0] += from[0][0];
    }
};

TEST_P(Contracts, ReadingAllRowsOfWhatTheLoopIncrements) {
    auto x = world.dat<1>(world.nodes(), "x", one);
    const auto e = world.dat<1>(world.edges(), "e", one);
    expect_words(contract_error([&] {
                     par_loop(context, "blur", world.edges(), AddRows{}, read(e),
                              read_all(x, world.edge_nodes()), inc_all(x, world.edge_nodes()));
                 }),
                 "loop 'blur' changes dat 'x' and uses it in another way too (arguments 1, read, "
                 "and 2, inc");
}

struct AddAndDouble {
    template <class V>
    void operator()(Values<V, 1>& a, Values<V, 1>& b) const {
        a[0] += V(1.0);
        b[0] = V(2.0);
    }
};

/// What one argument adds is lost when the other is stored.
TEST_P(Contracts, TwoChangesOfOneDatsOwnElement) {
    auto x = world.dat<1>(world.nodes(), "x", one);
    const auto refusal = [&](auto first, auto second) {
        return contract_error([&] {
            par_loop(context, "both", world.nodes(), AddAndDouble{}, std::move(first),
                     std::move(second));
        });
    };
    const std::string begin = "loop 'both' changes dat 'x' and uses it in another way too ";
    expect_words(refusal(inc(x), read_write(x)), begin + "(arguments 0, inc, and 1, read_write");
    expect_words(refusal(read_write(x), inc(x)), begin + "(arguments 0, read_write, and 1, inc");
    expect_words(refusal(inc(x), write(x)), begin + "(arguments 0, inc, and 1, write");
    expect_words(refusal(write(x), write(x)), begin + "(arguments 0, write, and 1, write");
    expect_words(refusal(read_write(x), write(x)), begin + "(arguments 0, read_write, and 1,");
    expect_words(refusal(read_write(x), read_write(x)), begin);
}

/// Edges 0-1 and 1-2 meet in node 1.
TEST_P(Contracts, ReadingAbsentEntriesOfWhichNothingIsKnown) {
    auto x = world.dat<1>(world.nodes(), "x", one);
    auto y = world.dat<1>(world.edges(), "y", one);
    const auto look = [&] {
        par_loop(context, "look", world.edges(), Copy{}, read<1>(x, world.side_nodes()), write(y));
    };
    expect_words(
        contract_error(look),
        "loop 'look' reads dat 'x' through map 'side_nodes', which has absent entries, and "
        "nothing says what stands there. Say it with set_absent");
    x.set_absent({7.0});
    EXPECT_EQ(contract_error(look), "");
    auto z = world.dat<1>(world.nodes(), "z", one);
    swap(x, z);
    EXPECT_NE(contract_error(look), "");
    auto sum = world.dat<1>(world.nodes(), "sum", one);
    EXPECT_EQ(contract_error([&] {
                  par_loop(context, "add", world.edges(), Add{}, read(y),
                           inc<1>(sum, world.side_nodes()));
              }),
              "");
    auto quads = world.dat<1>(world.quads(), "quads", one);
    expect_words(
        contract_error([&] { quads.set_absent({1.0}); }),
        "dat 'quads' cannot have a value for absent entries of maps to set 'quads' (all its "
        "maps were declared without such entries)");
}

TEST_P(Contracts, WritingThroughAMapThatIsNotOneToOne) {
    expect_words(any_error([&] { (void)one_to_one(comm, world.edge_nodes()); }),
                 "map 'edge_nodes' is not one-to-one: element 1 of set 'nodes' is a target of "
                 "elements 0 and 1 of 'edges'");
}

TEST_P(Contracts, TwoWritersOfOneDatThroughMaps) {
    auto x = world.dat<1>(world.nodes(), "x", one);
    const auto marks = one_to_one(comm, world.mark_node());
    const auto refusal = [&](auto first, auto second) {
        return contract_error([&] {
            par_loop(context, "both", world.marks(), AddAndDouble{}, std::move(first),
                     std::move(second));
        });
    };
    const std::string begin = "loop 'both' changes dat 'x' and uses it in another way too ";
    expect_words(refusal(write<0>(x, marks), write<0>(x, marks)), begin);
    expect_words(refusal(write<0>(x, marks), read_write<0>(x, marks)), begin);
    expect_words(refusal(inc<0>(x, marks), write<0>(x, marks)), begin);
}

TEST_P(Contracts, ReadingWhatTheLoopWritesThroughAMap) {
    auto x = world.dat<1>(world.nodes(), "x", one);
    const auto marks = one_to_one(comm, world.mark_node());
    expect_words(contract_error([&] {
                     par_loop(context, "copy", world.marks(), Copy{}, read<0>(x, marks),
                              write<0>(x, marks));
                 }),
                 "loop 'copy' changes dat 'x' and uses it in another way too");
}

TEST_P(Contracts, ChangingTwoSetsOfOneKindThroughMaps) {
    auto x = world.dat<1>(world.nodes(), "x", one);
    auto y = world.dat<1>(world.mesh().set<Node>("coarse"), "y", one);
    const auto to_coarse = world.mesh().map<Pair, Node, 1>("pair_coarse");
    expect_words(contract_error([&] {
                     par_loop(context, "both", world.pairs(), AddAndDouble{},
                              inc<0>(x, world.pair_nodes()), inc<0>(y, to_coarse));
                 }),
                 "loop 'both' changes dats 'x' and 'y' on two sets of one kind through maps");
}

TEST_P(Contracts, ASubsetOfElementsThatTheSetHasNot) {
    for (const GlobalIndex bad : {GlobalIndex{6}, GlobalIndex{-1}}) {
        expect_words(any_error([&] {
                         (void)make_subset(context, world.mesh(), world.nodes(), "some",
                                           std::vector<GlobalIndex>{0, bad});
                     }),
                     "subset 'some' lists element " + std::to_string(bad) +
                         ", but set 'nodes' has elements 0 to 5");
    }
}

TEST_P(Contracts, DatsAndMapsOfAnotherMeshOverASubset) {
    const auto some =
        make_subset(context, world.mesh(), world.edges(), "some", [](LocalIndex) { return true; });
    const auto x = world.dat<1>(world.nodes(), "x", one);
    const auto far = other.dat<1>(other.edges(), "far", one);
    auto y = world.dat<1>(world.edges(), "y", one);
    expect_words(
        contract_error([&] { par_loop(context, "copy", some, Copy{}, read(far), write(y)); }),
        "loop 'copy', dat 'far': it lives on set 'edges' of another mesh, not on the loop's set "
        "'edges'");
    expect_words(contract_error([&] {
                     par_loop(context, "copy", some, Copy{}, read<0>(x, other.edge_nodes()),
                              write(y));
                 }),
                 "loop 'copy', dat 'x': its map starts from set 'edges'");
}

TEST_P(Contracts, TwoChangesOfOneDatsOwnElementOverASubset) {
    const auto some =
        make_subset(context, world.mesh(), world.nodes(), "some", [](LocalIndex) { return true; });
    auto x = world.dat<1>(world.nodes(), "x", one);
    expect_words(
        contract_error([&] { par_loop(context, "both", some, AddAndDouble{}, inc(x), write(x)); }),
        "loop 'both' changes dat 'x' and uses it in another way too (arguments 0, inc, "
        "and 1, write");
}

struct AddTwice {
    template <class V>
    void operator()(const Values<V, 1>& x, Values<V, 1>& a, Values<V, 1>& b) const {
        a[0] += x[0];
        b[0] += V(2.0);
    }
};

TEST_P(Contracts, TwoIncrementsOfOneDatsOwnElementAreAdded) {
    auto x = world.dat<1>(world.nodes(), "x", one);
    par_loop(context, "twice", world.nodes(), AddTwice{}, read(x), inc(x), inc(x));
    for (const double value : world.collect(x)) {
        EXPECT_EQ(value, 4.0);
    }
}

/// A device keeps one reduction under way for a global.
TEST_P(Contracts, TwoReductionsOfOneGlobal) {
    const auto x = world.dat<1>(world.nodes(), "x", one);
    Global<double, 1> sum;
    expect_words(contract_error([&] {
                     par_loop(context, "twice", world.nodes(), AddTwice{}, read(x), inc(sum),
                              inc(sum));
                 }),
                 "loop 'twice' reduces one global twice (arguments 1, inc, and 2, inc");
    const auto add = make_loop("add", world.nodes(), Add{}, read(x), inc(sum));
    const auto again = make_loop("again", world.nodes(), Add{}, read(x), inc(sum));
    expect_words(contract_error([&] { run_chain(context, "two", world.nodes(), add, again); }),
                 "chain 'two' reduces one global in two loops");
}

TEST_P(Contracts, SwappingDatsOfDifferentSets) {
    auto x = world.dat<1>(world.nodes(), "x", one);
    auto y = other.dat<1>(other.nodes(), "y", one);
    expect_words(contract_error([&] { swap(x, y); }),
                 "dats 'x' and 'y' cannot be swapped: they live on different sets 'nodes' and "
                 "'nodes', of two meshes");
    const Set<Node> few{world.coarse().part};
    Dat<Node, double, 1> z(few, "z", x.handle().mode);
    expect_words(contract_error([&] { swap(z, x); }), "different sets 'coarse' and 'nodes'");
    EXPECT_EQ(z.store().values.size(), 2U);
    LoopWorld plain(comm, ring_tables(), {Backend::serial, 1, "block", false});
    LoopWorld vector(comm, ring_tables(), {Backend::openmp, 1, "block", false});
    Dat<Node, double, 3, LaneStorage> a(world.nodes(), "a", LayoutMode::plain);
    Dat<Node, double, 3, LaneStorage> b(world.nodes(), "b", LayoutMode::vector);
    expect_words(contract_error([&] { swap(a, b); }), "they lie in memory in different ways");
}

struct LowAndSum {
    template <class V>
    void operator()(const Values<V, 1>& w, Values<V, 1>& low, Values<V, 1>& sum) const {
        low[0] = min(low[0], w[0]);
        sum[0] += w[0];
    }
};

TEST_P(Contracts, MinimumAndIncrementOfOneDat) {
    const auto w = world.dat<1>(world.edges(), "w", one);
    auto x = world.dat<1>(world.nodes(), "x", one);
    expect_words(contract_error([&] {
                     par_loop(context, "low_and_sum", world.edges(), LowAndSum{}, read(w),
                              reduce_min<0>(x, world.edge_nodes()), inc<1>(x, world.edge_nodes()));
                 }),
                 "loop 'low_and_sum' changes dat 'x' and uses it in another way");
}

TEST_P(Contracts, WritingWhatTheLoopReadsThroughAMap) {
    auto next = world.dat<1>(world.nodes(), "next", one);
    MapPart ring;
    ring.name = "ring";
    ring.targets = Buffer<LocalIndex>(6, 0);
    const Map<Node, Node, 1> map{&ring, world.nodes().part, world.nodes().part};
    expect_words(contract_error([&] {
                     par_loop(context, "shift", world.nodes(), Copy{}, read<0>(next, map),
                              write(next));
                 }),
                 "loop 'shift' changes dat 'next' and uses it in another way");
}

struct AddHere {
    static constexpr bool swap_symmetric = true;
    template <class V>
    void operator()(const Values<V, 1>& a, const Values<V, 1>& b, Values<V, 1>& sum) const {
        sum[0] += a[0] - b[0];
    }
};

TEST_P(Contracts, ASymmetricKernelThatChangesOneEndOnly) {
    const auto x = world.dat<1>(world.nodes(), "x", one);
    auto y = world.dat<1>(world.nodes(), "y", one);
    expect_words(contract_error([&] {
                     par_loop(context, "one_end", world.edges(), AddHere{},
                              read<0>(x, world.edge_nodes()), read<1>(x, world.edge_nodes()),
                              inc<0>(y, world.edge_nodes()));
                 }),
                 "has a swap_symmetric kernel");
}

struct Pull {
    static constexpr bool swap_symmetric = true;
    template <class V>
    void operator()(const Values<V, 1>& w, const Values<V, 1>& a, const Values<V, 1>& b,
                    Values<V, 1>& sum_a, Values<V, 1>& sum_b) const {
        sum_a[0] += w[0] * a[0] + b[0];
        sum_b[0] -= w[0] * b[0] - a[0];
    }
};

/// On the openmp back end two-ended loops have a copy, and nobody has the rows.
TEST_P(Contracts, ValuesThatWerePrecomputed) {
    auto w = world.dat<1>(world.edges(), "w", one);
    const auto x = world.dat<1>(world.nodes(), "x", one);
    auto y = world.dat<1>(world.nodes(), "y", one);
    auto z = world.dat<1>(world.edges(), "z", one);
    expect_words(contract_error([&] {
                     precompute_edges(context, world.mesh(), Map<Edge, Node, 2>{}, oriented(w));
                 }),
                 "a map was used that belongs to no mesh");
    const auto map = world.edge_nodes();
    precompute_edges(context, world.mesh(), map, oriented(w));
    const auto pull = make_loop("pull", world.edges(), Pull{}, read(oriented(w)), read<0>(x, map),
                                read<1>(x, map), inc<0>(y, map), inc<1>(y, map));
    EXPECT_EQ(contract_error([&] { par_loop(context, pull); }), "");
    const auto has = [&](const std::string& refusal, const std::function<void()>& work) {
        const bool is_given_back = GetParam() == Backend::openmp;
        expect_words(contract_error(work), is_given_back ? refusal : "");
        EXPECT_EQ(contract_error(work).empty(), !is_given_back);
    };
    has("dat 'w' has no values any more", [&] { (void)w.store(); });
    has("dat 'w' has no values any more",
        [&] { par_loop(context, "copy", world.edges(), Copy{}, read(w), write(z)); });
    has("dat 'w' has no values any more", [&] { w.fill({{1.0}}); });
    has("map 'edge_nodes' has no rows any more",
        [&] { par_loop(context, "look", world.edges(), Copy{}, read<0>(x, map), write(z)); });
    EXPECT_EQ(contract_error([&] { par_loop(context, pull); }).empty(), true);
}

struct LowAndHigh {
    static constexpr bool swap_symmetric = true;
    template <class V>
    void operator()(const Values<V, 1>& a, const Values<V, 1>& b, Values<V, 1>& low,
                    Values<V, 1>& high) const {
        low[0] = min(low[0], b[0]);
        high[0] = max(high[0], a[0]);
    }
};

TEST_P(Contracts, ASymmetricKernelThatDoesOtherThingsToTheSecondEnd) {
    const auto x = world.dat<1>(world.nodes(), "x", one);
    auto y = world.dat<1>(world.nodes(), "y", one);
    EXPECT_THROW(
        par_loop(context, "two_ways", world.edges(), LowAndHigh{}, read<0>(x, world.edge_nodes()),
                 read<1>(x, world.edge_nodes()), reduce_min<0>(y, world.edge_nodes()),
                 reduce_max<1>(y, world.edge_nodes())),
        ContractError);
}

struct Exchange {
    static constexpr bool swap_symmetric = true;
    template <class V>
    void operator()(const Values<V, 1>& a, const Values<V, 1>& b, Values<V, 1>& sum_b,
                    Values<V, 1>& sum_a) const {
        sum_a[0] += a[0] - b[0];
        sum_b[0] -= a[0] - b[0];
    }
};

/// On an edge from a node to itself the order of the two increments would show.
TEST_P(Contracts, ASymmetricKernelWithTheSecondEndFirst) {
    const auto x = world.dat<1>(world.nodes(), "x", one);
    auto y = world.dat<1>(world.nodes(), "y", one);
    expect_words(contract_error([&] {
                     par_loop(context, "reversed", world.edges(), Exchange{},
                              read<0>(x, world.edge_nodes()), read<1>(x, world.edge_nodes()),
                              inc<1>(y, world.edge_nodes()), inc<0>(y, world.edge_nodes()));
                 }),
                 "at the first end and then alike at the second");
}

struct AddTwiceAtEachEnd {
    static constexpr bool swap_symmetric = true;
    template <class V>
    void operator()(const Values<V, 1>& a, const Values<V, 1>& b, Values<V, 1>& sum_a,
                    Values<V, 1>& more_a, Values<V, 1>& sum_b, Values<V, 1>& more_b) const {
        sum_a[0] += a[0] - b[0];
        more_a[0] += a[0] + b[0];
        sum_b[0] += b[0] - a[0];
        more_b[0] += a[0] + b[0];
    }
};

/// The sum of one argument would be written over that of the other.
TEST_P(Contracts, ASymmetricKernelThatAddsToADatTwiceAtAnEnd) {
    const auto x = world.dat<1>(world.nodes(), "x", one);
    auto y = world.dat<1>(world.nodes(), "y", one);
    expect_words(contract_error([&] {
                     par_loop(context, "twice", world.edges(), AddTwiceAtEachEnd{},
                              read<0>(x, world.edge_nodes()), read<1>(x, world.edge_nodes()),
                              inc<0>(y, world.edge_nodes()), inc<0>(y, world.edge_nodes()),
                              inc<1>(y, world.edge_nodes()), inc<1>(y, world.edge_nodes()));
                 }),
                 "adds to dat 'y' by two arguments at one end");
}

/// What only the layout of the vectorised back end can break.
class VectorContracts : public Contracts {};
INSTANTIATE_TEST_SUITE_P(Backends, VectorContracts, ::testing::Values(Backend::openmp),
                         name_of_backend);

TEST_P(VectorContracts, APlainDatInAVectorLoopIsNotMistaken) {
    LoopWorld plain(comm, ring_tables(), {Backend::serial, 1, "block", false});
    const auto x = plain.dat<1>(plain.nodes(), "x", one);
    auto y = plain.dat<1>(plain.nodes(), "y", one);
    expect_words(contract_error(
                     [&] { par_loop(context, "copy", plain.nodes(), Copy{}, read(x), write(y)); }),
                 "has the plain layout");
}

TEST_P(Contracts, NamesOfBackEnds) {
    EXPECT_EQ(backend_from_name(backend_name(GetParam())), GetParam());
    try {
        (void)backend_from_name("opnmp");
        FAIL();
    } catch (const UsageError& error) {
        expect_words(error.what(), "Did you mean 'openmp'?");
    }
    EXPECT_EQ(backend_from_name("cuda"), Backend::cuda);
    EXPECT_EQ(backend_from_name("emulated"), Backend::emulated);
}

INSTANTIATE_TEST_SUITE_P(Backends, Contracts, ::testing::ValuesIn(every_backend), name_of_backend);

}  // namespace

}  // namespace halocline::test
