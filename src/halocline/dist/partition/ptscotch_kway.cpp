// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Owns the PT-Scotch objects of one call and checks every step on all ranks.
#include "halocline/dist/partition/ptscotch_kway.hpp"

#include "halocline/core/error.hpp"

#if HALOCLINE_HAS_PTSCOTCH

// PT-Scotch's headers use these without including them.
#include <cstdint>
#include <cstdio>

#include <mpi.h>
#include <ptscotch.h>

#include <limits>

#include "halocline/dist/migration/rows.hpp"
#include "halocline/dist/partition/target_sizes.hpp"

namespace halocline::dist {

namespace {

constexpr double balance_tolerance = 0.01;
constexpr double weight_scale = 1e5;  // shares as PT-Scotch's integers

/// All ranks throw when PT-Scotch refused on any.
void check_scotch(const Communicator& comm, int status, const char* call) {
    run_agreed(comm, [&] {
        validate<RunError>(status == 0, std::string("partitioning failed (") + call +
                                            " of PT-Scotch returned an error). Choose the "
                                            "partitioner 'sfc'.");
    });
}

class ScotchContext {
public:
    explicit ScotchContext(const Communicator& comm) {
        check_scotch(comm, SCOTCH_contextInit(&context_), "SCOTCH_contextInit");
        SCOTCH_contextOptionSetNum(&context_, SCOTCH_OPTIONNUMDETERMINISTIC, 1);
        SCOTCH_contextOptionSetNum(&context_, SCOTCH_OPTIONNUMRANDOMFIXEDSEED, 1);
        SCOTCH_contextRandomClone(&context_);
        SCOTCH_contextRandomReset(&context_);
        SCOTCH_contextThreadSpawn(&context_, 1, nullptr);
    }
    ~ScotchContext() { SCOTCH_contextExit(&context_); }
    ScotchContext(const ScotchContext&) = delete;
    ScotchContext& operator=(const ScotchContext&) = delete;
    [[nodiscard]] SCOTCH_Context* get() noexcept { return &context_; }

private:
    SCOTCH_Context context_{};
};

class ScotchGraph {
public:
    explicit ScotchGraph(const Communicator& comm) {
        check_scotch(comm, SCOTCH_dgraphInit(&graph_, comm.get()), "SCOTCH_dgraphInit");
    }
    ~ScotchGraph() { SCOTCH_dgraphExit(&graph_); }
    ScotchGraph(const ScotchGraph&) = delete;
    ScotchGraph& operator=(const ScotchGraph&) = delete;
    [[nodiscard]] SCOTCH_Dgraph* get() noexcept { return &graph_; }

private:
    SCOTCH_Dgraph graph_{};
};

class ScotchStrategy {
public:
    ScotchStrategy(const Communicator& comm, int parts) {
        SCOTCH_stratInit(&strategy_);
        check_scotch(comm,
                     SCOTCH_stratDgraphMapBuild(&strategy_, SCOTCH_STRATDEFAULT,
                                                static_cast<SCOTCH_Num>(comm.size()),
                                                static_cast<SCOTCH_Num>(parts), balance_tolerance),
                     "SCOTCH_stratDgraphMapBuild");
    }
    ~ScotchStrategy() { SCOTCH_stratExit(&strategy_); }
    ScotchStrategy(const ScotchStrategy&) = delete;
    ScotchStrategy& operator=(const ScotchStrategy&) = delete;
    [[nodiscard]] SCOTCH_Strat* get() noexcept { return &strategy_; }

private:
    SCOTCH_Strat strategy_{};
};

/// PT-Scotch counts vertices and edge ends of all ranks in its own integers.
void check_ptscotch_size(const Communicator& comm, const DistributedGraph& graph) {
    const std::int64_t ends = comm.sum(static_cast<std::int64_t>(graph.neighbours.size()));
    constexpr std::int64_t limit = std::numeric_limits<SCOTCH_Num>::max();
    validate<InputError>(graph.vertices < limit && ends < limit,
                         "the graph is too large for this PT-Scotch (" + std::to_string(ends) +
                             " edge ends, its integers hold " + std::to_string(limit) +
                             "). Build with the 64-bit PT-Scotch or choose the partitioner "
                             "'sfc'.");
}

/// Where vertices are mapped to: processors that are all next to each other, with target weights.
class ScotchTargets {
public:
    ScotchTargets(const Communicator& comm, std::span<const GlobalIndex> targets) {
        SCOTCH_archInit(&arch_);
        std::vector<SCOTCH_Num> weights;
        for (const float share : target_shares(targets)) {
            weights.push_back(static_cast<SCOTCH_Num>(1.0 + weight_scale * double{share}));
        }
        check_scotch(
            comm,
            SCOTCH_archCmpltw(&arch_, static_cast<SCOTCH_Num>(weights.size()), weights.data()),
            "SCOTCH_archCmpltw");
    }
    ~ScotchTargets() { SCOTCH_archExit(&arch_); }
    ScotchTargets(const ScotchTargets&) = delete;
    ScotchTargets& operator=(const ScotchTargets&) = delete;
    [[nodiscard]] SCOTCH_Arch* get() noexcept { return &arch_; }

private:
    SCOTCH_Arch arch_{};
};

int map_graph(const Communicator& comm, SCOTCH_Dgraph* graph, SCOTCH_Strat* strategy,
              std::span<const GlobalIndex> targets, SCOTCH_Num* part) {
    if (is_equal(targets)) {
        return SCOTCH_dgraphPart(graph, static_cast<SCOTCH_Num>(targets.size()), strategy, part);
    }
    ScotchTargets processors(comm, targets);
    return SCOTCH_dgraphMap(graph, processors.get(), strategy, part);
}

std::vector<SCOTCH_Num> to_scotch(std::vector<std::int64_t>& values) {
    std::vector<SCOTCH_Num> result(values.begin(), values.end());
    release(values);
    result.reserve(1);  // a rank without vertices has arrays, too
    return result;
}

}  // namespace

bool has_ptscotch() { return true; }

std::string ptscotch_version() {
    int version = 0;
    int release_number = 0;
    int patch = 0;
    SCOTCH_version(&version, &release_number, &patch);
    return "PT-Scotch " + std::to_string(version) + "." + std::to_string(release_number) + "." +
           std::to_string(patch);
}

std::vector<int> partition_ptscotch_kway(const Communicator& comm, DistributedGraph& graph,
                                         std::span<const GlobalIndex> targets) {
    check_ptscotch_size(comm, graph);
    std::vector<SCOTCH_Num> offsets = to_scotch(graph.offsets);
    std::vector<SCOTCH_Num> neighbours = to_scotch(graph.neighbours);
    std::vector<SCOTCH_Num> vertex_weights = to_scotch(graph.vertex_weights);
    std::vector<SCOTCH_Num> edge_weights = to_scotch(graph.edge_weights);
    const auto vertices = static_cast<SCOTCH_Num>(offsets.size() - 1);
    const auto ends = static_cast<SCOTCH_Num>(neighbours.size());
    ScotchContext context(comm);
    ScotchGraph plain(comm);
    check_scotch(comm,
                 SCOTCH_dgraphBuild(plain.get(), 0, vertices, vertices, offsets.data(), nullptr,
                                    graph.weighted ? vertex_weights.data() : nullptr, nullptr, ends,
                                    ends, neighbours.data(), nullptr,
                                    graph.weighted ? edge_weights.data() : nullptr),
                 "SCOTCH_dgraphBuild");
    ScotchGraph bound(comm);
    check_scotch(comm, SCOTCH_contextBindDgraph(context.get(), plain.get(), bound.get()),
                 "SCOTCH_contextBindDgraph");
    ScotchStrategy strategy(comm, static_cast<int>(targets.size()));
    std::vector<SCOTCH_Num> part(static_cast<std::size_t>(vertices) + 1, 0);
    check_scotch(comm, map_graph(comm, bound.get(), strategy.get(), targets, part.data()),
                 "SCOTCH_dgraphPart");
    return {part.begin(), part.end() - 1};
}

}  // namespace halocline::dist

#else

namespace halocline::dist {

bool has_ptscotch() { return false; }

std::string ptscotch_version() { return "none (built without PT-Scotch)"; }

std::vector<int> partition_ptscotch_kway(const Communicator&, DistributedGraph&,
                                         std::span<const GlobalIndex>) {
    throw EnvironmentError(
        "this partitioner needs PT-Scotch, which this build of halocline was made without. Choose "
        "the partitioner 'sfc', or install libptscotch-dev and build with "
        "HALOCLINE_WITH_PTSCOTCH=ON.");
}

}  // namespace halocline::dist

#endif
