// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Which strategy a loop takes on cores, with its reason in the loop table; and that arguments share the
// rows of a map only where there is one.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "halocline/backend/par_loop.hpp"
#include "halocline/runtime/runtime.hpp"
#include "support/bits.hpp"

namespace halocline::test {
namespace {

struct Node {};
struct Edge {};

struct Add {
    template <class V>
    void operator()(const Values<V, 1>& a, const Values<V, 1>& b, Values<V, 1>& left,
                    Values<V, 1>& right) const {
        left[0] += V(2.0) * b[0];
        right[0] += a[0];
    }
};

struct AddToOne {
    template <class V>
    void operator()(const Values<V, 1>& a, Values<V, 1>& left) const {
        left[0] += a[0];
    }
};

struct Exchange {
    static constexpr bool swap_symmetric = true;

    template <class V>
    void operator()(const Values<V, 1>& a, const Values<V, 1>& b, Values<V, 1>& left,
                    Values<V, 1>& right) const {
        left[0] += a[0] - b[0];
        right[0] -= a[0] - b[0];
    }
};

struct Copy {
    template <class V>
    void operator()(const Values<V, 1>& from, Values<V, 1>& to) const {
        to[0] = from[0];
    }
};

constexpr GlobalIndex nodes = 50;

/// A line of nodes; edge e joins e and e + 1, and, through another map, the nodes from the other end.
MeshDeclaration two_maps_of_one_type() {
    MeshDeclaration mesh;
    const int node = mesh.add_set("nodes", nodes);
    const int edge = mesh.add_set("edges", nodes - 1);
    std::vector<GlobalIndex> ends;
    std::vector<GlobalIndex> others;
    std::vector<double> x;
    for (GlobalIndex e = 0; e + 1 < nodes; ++e) {
        ends.insert(ends.end(), {e, e + 1});
        others.insert(others.end(), {nodes - 1 - e, nodes - 2 - e});
    }
    for (GlobalIndex n = 0; n < nodes; ++n) {
        x.push_back(1.0 / static_cast<double>(n + 3));
    }
    mesh.add_map("ends", edge, node, 2, std::move(ends));
    mesh.add_map("others", edge, node, 2, std::move(others));
    mesh.add_dat("x", node, 1, std::move(x));
    mesh.add_dat("sum", node, 1, std::vector<double>(nodes, 0.0));
    return mesh;
}

struct Line {
    explicit Line(ContextOptions options, MeshDeclaration declared = two_maps_of_one_type())
        : runtime(comm, options),
          mesh(runtime.distribute(std::move(declared), {.renumber = false})) {}

    /// Strategy and reason of the loop of that name.
    [[nodiscard]] std::string told(const char* loop) {
        const LoopStatistics& row = runtime.context().loops().row({loop});
        return row.strategy + ": " + row.reason;
    }

    Communicator comm{MPI_COMM_WORLD};
    Runtime runtime;
    Mesh mesh;
    Set<Node> node_set = mesh.set<Node>("nodes");
    Set<Edge> edge_set = mesh.set<Edge>("edges");
    Map<Edge, Node, 2> ends = mesh.map<Edge, Node, 2>("ends");
    Map<Edge, Node, 2> others = mesh.map<Edge, Node, 2>("others");
    Dat<Node, double, 1> x = mesh.take_dat<Node, double, 1>("x");
    Dat<Node, double, 1> sum = mesh.take_dat<Node, double, 1>("sum");
};

/// Reads through one map and adds through the other.
std::vector<double> crossed(Line& run) {
    par_loop(run.runtime.context(), "crossed", run.edge_set, Add{}, read<0>(run.x, run.ends),
             read<1>(run.x, run.ends), inc<0>(run.sum, run.others), inc<1>(run.sum, run.others));
    return run.runtime.gather(run.sum);
}

TEST(Choices, TwoMapsOfOneTypeAreNotMistakenForEachOther) {
    Line serial({.backend = Backend::serial});
    const std::vector<double> wanted = crossed(serial);
    for (const int threads : {1, 3}) {
        for (const SharedTargets targets :
             {SharedTargets::automatic, SharedTargets::scatter, SharedTargets::once}) {
            Line run({.backend = Backend::openmp, .threads = threads, .shared_targets = targets});
            EXPECT_TRUE(same_numbers(crossed(run), wanted)) << threads;
            EXPECT_EQ(run.told("crossed"), "once: two maps are of one type");
        }
    }
}

/// Edges between nodes of which the second is `second(e)`.
template <class Second>
MeshDeclaration edges_to(GlobalIndex edges, Second&& second) {
    MeshDeclaration mesh;
    const int node = mesh.add_set("nodes", nodes);
    const int edge = mesh.add_set("edges", edges);
    std::vector<GlobalIndex> ends;
    std::vector<double> x;
    for (GlobalIndex e = 0; e < edges; ++e) {
        ends.insert(ends.end(), {e * nodes / edges, second(e)});
    }
    for (GlobalIndex n = 0; n < nodes; ++n) {
        x.push_back(1.0 / static_cast<double>(n + 3));
    }
    mesh.add_map("ends", edge, node, 2, ends);
    mesh.add_map("others", edge, node, 2, std::move(ends));
    mesh.add_dat("x", node, 1, std::move(x));
    mesh.add_dat("sum", node, 1, std::vector<double>(nodes, 0.0));
    return mesh;
}

/// Adds along all edges, twice; tells how on several threads.
std::string told_of_adding(int threads, const MeshDeclaration& mesh) {
    const auto add = [](Line& line) {
        for (int call = 0; call < 2; ++call) {
            par_loop(line.runtime.context(), "both", line.edge_set, Add{},
                     read<0>(line.x, line.ends), read<1>(line.x, line.ends),
                     inc<0>(line.sum, line.ends), inc<1>(line.sum, line.ends));
        }
        return line.runtime.gather(line.sum);
    };
    Line serial({.backend = Backend::serial}, mesh);
    Line run({.backend = Backend::openmp, .threads = threads}, mesh);
    EXPECT_TRUE(same_numbers(add(run), add(serial)));
    return run.told("both");
}

TEST(Choices, ThreadsThatWouldWaitForEachOtherLeaveTheWorkToOne) {
    constexpr GlobalIndex edges = 8000;
    const MeshDeclaration mesh = edges_to(edges, [](GlobalIndex e) { return e * 7919 % nodes; });
    const std::string told = told_of_adding(2, mesh);
    EXPECT_EQ(told, "scatter: by one thread: several would wait for each other's targets");
}

TEST(Choices, FewElementsAreOneThreads) {
    const MeshDeclaration mesh = edges_to(100, [](GlobalIndex e) { return e % nodes; });
    EXPECT_EQ(told_of_adding(3, mesh), "scatter: by one thread: there are few elements");
}

TEST(Choices, ThreadsShareElementsThatLieInOrder) {
    constexpr GlobalIndex edges = 8000;
    const MeshDeclaration mesh =
        edges_to(edges, [](GlobalIndex e) { return std::min(e * nodes / edges + 1, nodes - 1); });
    for (const int threads : {2, 3}) {
        EXPECT_EQ(told_of_adding(threads, mesh).find("by one thread"), std::string::npos);
    }
}

TEST(Choices, TwoEndedLoopsTryElementsInLongerRuns) {
    Line run({.backend = Backend::openmp, .threads = 1});
    const auto ways_of = [&](int calls) {
        int by_element = 0;
        for (int call = 0; call < calls; ++call) {
            par_loop(run.runtime.context(), "exchange", run.edge_set, Exchange{},
                     read<0>(run.x, run.ends), read<1>(run.x, run.ends), inc<0>(run.sum, run.ends),
                     inc<1>(run.sum, run.ends));
            by_element += run.told("exchange").starts_with("two-ended") ? 0 : 1;
        }
        return by_element;
    };
    constexpr int first_calls = VariantChoice::first_turns * VariantChoice::calls_a_turn;
    EXPECT_EQ(ways_of(first_calls + VariantChoice::calls_of_a_short_run), 0);
    EXPECT_GT(ways_of(2 * first_calls), 0);
}

TEST(Choices, StandInTheLoopTableWithTheirReasons) {
    Line run({.backend = Backend::openmp, .threads = 1});
    Context& context = run.runtime.context();
    par_loop(context, "copy", run.node_set, Copy{}, read(run.x), write(run.sum));
    par_loop(context, "both", run.edge_set, Add{}, read<0>(run.x, run.ends),
             read<1>(run.x, run.ends), inc<0>(run.sum, run.ends), inc<1>(run.sum, run.ends));
    EXPECT_EQ(run.told("copy"), "direct: changes its own elements only");
    EXPECT_EQ(run.told("both"), "scatter: its elements lie in the order of the file");

    Line threads({.backend = Backend::openmp, .threads = 2});
    par_loop(threads.runtime.context(), "one", threads.edge_set, AddToOne{},
             read<0>(threads.x, threads.ends), inc<0>(threads.sum, threads.ends));
    EXPECT_EQ(threads.told("one"), "gather: no element has two targets");

    Line asked({.backend = Backend::openmp, .threads = 1, .shared_targets = SharedTargets::once});
    par_loop(asked.runtime.context(), "both", asked.edge_set, Add{}, read<0>(asked.x, asked.ends),
             read<1>(asked.x, asked.ends), inc<0>(asked.sum, asked.ends),
             inc<1>(asked.sum, asked.ends));
    EXPECT_EQ(asked.told("both"), "once: asked for");
}

}  // namespace
}  // namespace halocline::test
