// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The parts that talk: sparse exchange in chunks, owner directory in slices, distributed graph.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "halocline/dist/exchange/message_memory.hpp"
#include "halocline/dist/migration/directory.hpp"
#include "halocline/dist/migration/local_ids.hpp"
#include "halocline/dist/migration/sparse_exchange.hpp"
#include "halocline/dist/partition/partition_graph.hpp"
#include "mpi/dist/meshes.hpp"

namespace halocline::dist {
namespace {

using test::block_of;
using test::WholeMesh;
using testing::ElementsAre;

/// Rows rank `from` sends to rank `to`: none for some pairs.
std::int64_t rows_between(int from, int to) { return (from + 2 * to) % 4; }

std::int64_t payload(int from, int to, std::int64_t row, int column) {
    return ((from * 100 + to) * 100 + row) * 10 + column;
}

class Messages : public testing::Test {
protected:
    Communicator comm{MPI_COMM_WORLD};
};

TEST_F(Messages, GroupRowsByRankInTheirOrder) {
    const std::vector<int> destination{2, 0, -1, 2, 0};
    const Grouping groups = group_by_rank(destination, 3);
    EXPECT_THAT(groups.counts, ElementsAre(2, 0, 2));
    EXPECT_THAT(groups.rows, ElementsAre(1, 4, 0, 3));
}

TEST_F(Messages, ArriveBySourceWhateverTheChunk) {
    for (const std::int64_t chunk : {std::int64_t{5}, std::int64_t{16}, std::int64_t{1} << 30}) {
        std::vector<std::int64_t> counts;
        std::vector<std::int64_t> sent;
        std::vector<std::int64_t> expected;
        for (int other = 0; other < comm.size(); ++other) {
            counts.push_back(rows_between(comm.rank(), other));
            for (std::int64_t row = 0; row < counts.back(); ++row) {
                sent.push_back(payload(comm.rank(), other, row, 0));
                sent.push_back(payload(comm.rank(), other, row, 1));
            }
            for (std::int64_t row = 0; row < rows_between(other, comm.rank()); ++row) {
                expected.push_back(payload(other, comm.rank(), row, 0));
                expected.push_back(payload(other, comm.rank(), row, 1));
            }
        }
        const SparseExchange exchange(comm, counts, chunk);
        std::vector<std::int64_t> received(2 * static_cast<std::size_t>(exchange.received_rows()));
        exchange.forward(sent.data(), received.data(), 2);
        EXPECT_EQ(received, expected);
        std::vector<std::int64_t> returned(sent.size());
        exchange.reverse(received.data(), returned.data(), 2);
        EXPECT_EQ(returned, sent);
    }
}

OwnerBlock directory(const Communicator& comm, GlobalIndex size) {
    OwnerBlock block{size, {}};
    const BlockRange mine = block_range(size, comm.rank(), comm.size());
    for (GlobalIndex id = mine.begin; id < mine.end; ++id) {
        block.owner.push_back(static_cast<int>(7 * id % 5));
    }
    return block;
}

TEST_F(Messages, DirectoryAnswersInSlicesOfAnySize) {
    const OwnerBlock block = directory(comm, 23);
    std::vector<GlobalIndex> ids;
    std::vector<int> expected;
    for (GlobalIndex i = 0; i < 30 * comm.rank(); ++i) {  // rank 0 asks nothing, others much
        ids.push_back(11 * i % 23);
        expected.push_back(static_cast<int>(7 * ids.back() % 5));
    }
    for (const std::size_t slice : {std::size_t{1}, std::size_t{7}, std::size_t{1000}}) {
        EXPECT_EQ(lookup_owners(comm, block, ids, slice), expected);
    }
}

TEST_F(Messages, VotesSettleByMajorityThenLowestRankAndKeepOwners) {
    const GlobalIndex size = 4;
    OwnerBlock block{size, {}};
    const BlockRange mine = block_range(size, comm.rank(), comm.size());
    for (GlobalIndex id = mine.begin; id < mine.end; ++id) {
        block.owner.push_back(id == 3 ? 8 : no_owner);
    }
    // Every rank votes alike: element 0 for 5 against 4, element 1 undecided, 2 none, 3 taken.
    const std::vector<OwnerVote> votes{{0, 4}, {1, 6}, {0, 5}, {3, 1}, {1, 2}, {0, 5}};
    const std::int64_t settled = comm.sum(elect_owners(comm, block, votes));
    EXPECT_EQ(settled, 2);
    const std::vector<GlobalIndex> all{0, 1, 2, 3};
    EXPECT_THAT(lookup_owners(comm, block, all), ElementsAre(5, 2, no_owner, 8));
}

/// The graph of all maps that join elements of `set`, whether edges travel one by one or together.
void expect_rows(const Communicator& comm, const MeshDeclaration& mesh, int set,
                 const std::vector<std::vector<GlobalIndex>>& rows) {
    for (const std::size_t slice : {std::size_t{1}, std::size_t{100}}) {
        const DistributedGraph graph =
            build_distributed_graph(comm, mesh, set, graph_maps_of(mesh, set), slice);
        const BlockRange block =
            block_range(static_cast<GlobalIndex>(rows.size()), comm.rank(), comm.size());
        ASSERT_EQ(graph.offsets.size(), static_cast<std::size_t>(block.size()) + 1);
        for (std::size_t v = 0; v + 1 < graph.offsets.size(); ++v) {
            const std::vector<GlobalIndex> row(graph.neighbours.begin() + graph.offsets[v],
                                               graph.neighbours.begin() + graph.offsets[v + 1]);
            EXPECT_EQ(row, rows[static_cast<std::size_t>(block.begin) + v]);
        }
    }
}

TEST_F(Messages, GraphHasUniqueRowsOnBothSides) {
    // Edges of a ring of 6 with a loop, a chord and repeats, dealt to the ranks in turn.
    const std::vector<GlobalIndex> edges{0, 1, 2, 1, 2, 3, 3, 4, 5, 4, 5, 0, 1, 0, 2, 2, 1, 4};
    std::vector<GlobalIndex> mine;
    for (std::size_t e = 0; e < edges.size() / 2; ++e) {
        if (static_cast<int>(e) % comm.size() == comm.rank()) {
            mine.insert(mine.end(), {edges[2 * e], edges[2 * e + 1]});
        }
    }
    MeshDeclaration mesh;
    const int from = mesh.add_set("edges", static_cast<GlobalIndex>(edges.size() / 2));
    const int to = mesh.add_set("nodes", 6);
    mesh.add_map("ends", from, to, 2, mine);
    expect_rows(comm, mesh, to, {{1, 5}, {0, 2, 4}, {1, 3}, {2, 4}, {1, 3, 5}, {0, 4}});
}

// Two quadrilaterals 0-1-2-3 and 3-2-4-5 and a triangle 4-6-5: their sides, of both maps together.
TEST_F(Messages, GraphOfCellsHasTheirSides) {
    WholeMesh whole;
    const int nodes = whole.add_set("nodes", 7);
    const int fours = whole.add_set("quadrilaterals", 2);
    const int threes = whole.add_set("triangles", 1);
    whole.add_map("corners", fours, nodes, 4, {0, 1, 2, 3, 3, 2, 4, 5});
    whole.add_map("others", threes, nodes, 3, {4, 6, 5});
    expect_rows(comm, block_of(whole, comm), nodes,
                {{1, 3}, {0, 2}, {1, 3, 4}, {0, 2, 5}, {2, 5, 6}, {3, 4, 6}, {4, 5}});
}

// Each cell of a line names the cells beside it; the ends name themselves.
TEST_F(Messages, GraphOfAMapToItsOwnSetJoinsRowsAndTargets) {
    WholeMesh whole;
    const int cells = whole.add_set("cells", 4);
    whole.add_map("beside", cells, cells, 2, {0, 1, 0, 2, 1, 3, 2, 3});
    expect_rows(comm, block_of(whole, comm), cells, {{1}, {0, 2}, {1, 3}, {2}});
}

// Six sides cannot hold eight nodes together: the map of the boundary is not a graph by itself.
TEST(GraphMaps, FewPairsAreNoGraphOfTheirOwn) {
    MeshDeclaration mesh;
    const int nodes = mesh.add_set("nodes", 8);
    const int sides = mesh.add_set("boundary sides", 6);
    const int cells = mesh.add_set("cells", 3);
    const int ends = mesh.add_map("ends", sides, nodes, 2, {});
    const int corners = mesh.add_map("corners", cells, nodes, 4, {});
    mesh.add_map("owner", sides, cells, 1, {});
    EXPECT_THAT(graph_maps_of(mesh, nodes), ElementsAre(ends, corners));
    EXPECT_TRUE(graph_maps_of(mesh, cells).empty());
    const int edges = mesh.add_set("edges", 10);
    const int all_ends = mesh.add_map("all ends", edges, nodes, 2, {});
    EXPECT_THAT(graph_maps_of(mesh, nodes), ElementsAre(ends, all_ends));
}

TEST(SortedIds, FindEveryIdAndNothingElse) {
    const GlobalIndex far = GlobalIndex{1} << 40;
    const std::vector<std::vector<GlobalIndex>> lists{
        {}, {5}, {0, 1, 2, 3}, {2, 3, 9, 10, 11, 50, 1000}, {7, far, far + 1, 3 * far}};
    for (const auto& ids : lists) {
        const SortedIds search(ids);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            EXPECT_EQ(search.find(ids[i]), static_cast<LocalIndex>(i));
        }
        for (const GlobalIndex absent : {GlobalIndex{-1}, GlobalIndex{4}, far - 1, far + 2}) {
            EXPECT_EQ(search.find(absent), -1);
        }
    }
}

TEST(TargetLocaliser, NumbersUnknownTargetsAsNonexecOnce) {
    LocalIds ids{{10, 11, 12}, {3}, {}};
    TargetLocaliser localiser(ids);
    const std::vector<GlobalIndex> first{11, 40, 3, 7};
    const std::vector<GlobalIndex> second{7, 12, 40};
    std::vector<LocalIndex> local(7);
    localiser.localise(first, local.data());
    localiser.localise(second, local.data() + 4);
    localiser.finish();
    localiser.resolve(local);
    EXPECT_THAT(ids.nonexec, ElementsAre(7, 40));
    EXPECT_THAT(local, ElementsAre(1, 5, 3, 4, 4, 2, 5));
}

TEST(MessageMemory, ServesSmallerPlansAgainAndKeepsAddresses) {
    dist::MessageMemory memory;
    double* const first = memory.take(100);
    EXPECT_EQ(memory.take(40), first);
    double* const larger = memory.take(200);
    EXPECT_NE(larger, first);
    EXPECT_EQ(memory.take(100), first);
    EXPECT_EQ(memory.take(150), larger);
    EXPECT_EQ(memory.blocks(), 2U);
}

}  // namespace
}  // namespace halocline::dist
