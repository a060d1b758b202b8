// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a partitioner gets to see of a large graph, and what becomes of its answer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "halocline/dist/partition/graph_contraction.hpp"
#include "halocline/dist/partition/partition_graph.hpp"
#include "halocline/dist/partition/target_sizes.hpp"
#include "mpi/dist/meshes.hpp"

namespace halocline::dist {
namespace {

using test::block_of;
using test::WholeMesh;

DistributedGraph graph_of(const Communicator& comm, const WholeMesh& whole) {
    const MeshDeclaration mesh = block_of(whole, comm);
    constexpr int nodes = 0;
    return build_distributed_graph(comm, mesh, nodes, graph_maps_of(mesh, nodes));
}

/// Edges of this rank's rows whose ends are in different parts; every rank knows all parts.
std::int64_t cut_of(const Communicator& comm, const DistributedGraph& graph,
                    const std::vector<std::int64_t>& part) {
    const BlockRange block = block_range(graph.vertices, comm.rank(), comm.size());
    std::int64_t ends = 0;
    for (std::size_t v = 0; v + 1 < graph.offsets.size(); ++v) {
        for (auto k = static_cast<std::size_t>(graph.offsets[v]);
             k < static_cast<std::size_t>(graph.offsets[v + 1]); ++k) {
            ends += part[static_cast<std::size_t>(graph.neighbours[k])] !=
                            part[static_cast<std::size_t>(block.begin) + v]
                        ? 1
                        : 0;
        }
    }
    return comm.sum(ends) / 2;
}

/// Of all ranks, in their order.
std::vector<std::int64_t> gather_all(const Communicator& comm, const std::vector<int>& mine) {
    std::vector<int> counts;
    std::vector<int> starts{0};
    const std::int64_t own = std::ssize(mine);
    for (const std::int64_t count : comm.all_gather(std::span<const std::int64_t>(&own, 1))) {
        counts.push_back(static_cast<int>(count));
        starts.push_back(starts.back() + counts.back());
    }
    std::vector<int> all(static_cast<std::size_t>(starts.back()));
    MPI_Allgatherv(mine.data(), static_cast<int>(own), MPI_INT, all.data(), counts.data(),
                   starts.data(), MPI_INT, comm.get());
    return {all.begin(), all.end()};
}

class Contraction : public testing::Test {
protected:
    Communicator comm{MPI_COMM_WORLD};
    DistributedGraph seen;

    /// The first vertices, by weight, to part 0, the rest to part 1.
    GraphDivider halves(std::int64_t in_all) {
        return [this, in_all](DistributedGraph& graph) {
            seen = graph;
            std::vector<int> part(graph.offsets.size() - 1, 0);
            std::vector<std::int64_t> weights = graph.vertex_weights;
            weights.resize(part.size(), 1);
            const std::int64_t own =
                std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
            const auto all = comm.all_gather(std::span<const std::int64_t>(&own, 1));
            std::int64_t before =
                std::accumulate(all.begin(), all.begin() + comm.rank(), std::int64_t{0});
            for (std::size_t v = 0; v < part.size(); ++v) {
                part[v] = 2 * before < in_all ? 0 : 1;
                before += weights[v];
            }
            return part;
        };
    }

    /// The parts of this rank's vertices of `graph`, two halves.
    std::vector<int> divide_in_halves(DistributedGraph& graph) {
        return divide_contracted(comm, graph, target_sizes(graph.vertices, 2, {}),
                                 halves(graph.vertices));
    }
};

// By hand: on a line each vertex joins the next, pairs join pairs, fours join fours. No rank's block
// ends within eight.
TEST_F(Contraction, OfALine_IsALineOfEights) {
    constexpr GlobalIndex nodes = 48'000;
    DistributedGraph graph = graph_of(comm, test::line(nodes));
    const std::vector<int> part = divide_in_halves(graph);
    const BlockRange block = block_range(nodes, comm.rank(), comm.size());
    ASSERT_EQ(seen.vertices, nodes / 8);
    ASSERT_EQ(std::ssize(seen.offsets) - 1, block.size() / 8);
    EXPECT_EQ(seen.starts[static_cast<std::size_t>(comm.rank())], block.begin / 8);
    EXPECT_THAT(seen.vertex_weights, testing::Each(8));
    EXPECT_THAT(seen.edge_weights, testing::Each(1));
    for (GlobalIndex v = 0; v < block.size() / 8; ++v) {
        const GlobalIndex id = block.begin / 8 + v;
        std::vector<GlobalIndex> ends;
        if (id > 0) {
            ends.push_back(id - 1);
        }
        if (id + 1 < nodes / 8) {
            ends.push_back(id + 1);
        }
        const auto row = seen.neighbours.begin() + seen.offsets[static_cast<std::size_t>(v)];
        EXPECT_EQ(std::vector<GlobalIndex>(
                      row, seen.neighbours.begin() + seen.offsets[static_cast<std::size_t>(v) + 1]),
                  ends);
    }
    ASSERT_EQ(std::ssize(part), block.size());
    for (GlobalIndex id = block.begin; id < block.end; ++id) {
        EXPECT_EQ(part[static_cast<std::size_t>(id - block.begin)], id < nodes / 2 ? 0 : 1);
    }
}

TEST_F(Contraction, OfAGrid_KeepsWeightsAndEdges) {
    constexpr int side = 240;
    constexpr GlobalIndex nodes = GlobalIndex{side} * side;
    constexpr std::int64_t edges = 2 * std::int64_t{side} * (side - 1);
    DistributedGraph graph = graph_of(comm, test::grid(side, side, 0));
    DistributedGraph fine = graph;
    const std::vector<std::int64_t> part = gather_all(comm, divide_in_halves(graph));
    EXPECT_LT(seen.vertices, nodes / 6);
    const auto sum = [&](const std::vector<std::int64_t>& values) {
        return comm.sum(std::accumulate(values.begin(), values.end(), std::int64_t{0}));
    };
    EXPECT_EQ(sum(seen.vertex_weights), nodes);
    EXPECT_LT(sum(seen.edge_weights), 2 * edges);
    EXPECT_GT(sum(seen.edge_weights), 0);
    const std::int64_t in_first = std::count(part.begin(), part.end(), 0);
    EXPECT_NEAR(static_cast<double>(in_first), nodes / 2.0, 0.02 * nodes);
    // Half of the rows in file order: the straight cut, less what joins a few beyond it.
    EXPECT_LE(cut_of(comm, fine, part), side + 16);
}

// Each edge of the contracted graph is in the rows of both ends, with the same weight.
TEST_F(Contraction, IsSymmetric) {
    constexpr int side = 240;
    DistributedGraph graph = graph_of(comm, test::grid(side, side, 0));
    divide_in_halves(graph);
    // A sum over all directed edges that is odd under exchange of the ends.
    const auto mix = [](GlobalIndex a) { return (a * 2'654'435'761 + 97) % 1'000'003; };
    std::int64_t difference = 0;
    const GlobalIndex first = seen.starts[static_cast<std::size_t>(comm.rank())];
    for (std::size_t v = 0; v + 1 < seen.offsets.size(); ++v) {
        const GlobalIndex own = first + static_cast<GlobalIndex>(v);
        for (auto k = static_cast<std::size_t>(seen.offsets[v]);
             k < static_cast<std::size_t>(seen.offsets[v + 1]); ++k) {
            EXPECT_NE(seen.neighbours[k], own);
            difference += seen.edge_weights[k] * (mix(own * 7 + mix(seen.neighbours[k])) -
                                                  mix(seen.neighbours[k] * 7 + mix(own)));
        }
    }
    EXPECT_EQ(comm.sum(difference), 0);
}

TEST_F(Contraction, SmallGraphsAreDividedAsTheyAre) {
    constexpr GlobalIndex nodes = 5'000;
    DistributedGraph graph = graph_of(comm, test::line(nodes));
    const std::vector<int> part = divide_in_halves(graph);
    EXPECT_FALSE(seen.weighted);
    EXPECT_EQ(seen.vertices, nodes);
    EXPECT_EQ(std::ssize(part), block_range(nodes, comm.rank(), comm.size()).size());
}

// Neighbours are on other ranks, where they cannot join: only one rank alone has them all.
TEST_F(Contraction, ShuffledFilesAreDividedAsTheyAre) {
    constexpr int side = 240;
    DistributedGraph graph = graph_of(comm, test::grid(side, side, 5));
    divide_in_halves(graph);
    EXPECT_EQ(seen.weighted, comm.size() == 1);
}

}  // namespace
}  // namespace halocline::dist
