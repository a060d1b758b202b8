// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Parts of small meshes, derived by hand under the block partitioner.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "halocline/dist/distribute.hpp"
#include "mpi/dist/meshes.hpp"

namespace halocline::test {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;

DistributeOptions block_options() {
    DistributeOptions options;
    options.partitioner = "block";
    options.renumber = false;
    return options;
}

std::vector<LocalIndex> targets_of(const MapPart& map) {
    return {map.targets.begin(), map.targets.end()};
}

struct ExpectedSet {
    std::vector<GlobalIndex> core, other, exec, nonexec;
};

void expect_set(const SetPart& set, const ExpectedSet& expected) {
    SCOPED_TRACE(set.name);
    std::vector<std::vector<GlobalIndex>> regions(4);
    for (LocalIndex i = 0; i < set.total; ++i) {
        const std::size_t region = i < set.core ? 0 : i < set.owned ? 1 : i < set.exec ? 2 : 3;
        regions[region].push_back(set.global_id(i));
    }
    EXPECT_THAT(regions[0], ElementsAreArray(expected.core));
    EXPECT_THAT(regions[1], ElementsAreArray(expected.other));
    EXPECT_THAT(regions[2], ElementsAreArray(expected.exec));
    EXPECT_THAT(regions[3], ElementsAreArray(expected.nonexec));
}

class LineOfSixNodes : public testing::Test {
protected:
    void SetUp() override {
        if (comm.size() != 2 && comm.size() != 3) {
            GTEST_SKIP() << "derived for 2 and 3 ranks: dist_exact.np2 and np3 run it";
        }
    }
    Communicator comm{MPI_COMM_WORLD};
};

TEST_F(LineOfSixNodes, HasTheRegionsOfTwoRanks) {
    if (comm.size() != 2) {
        GTEST_SKIP() << "derived for 2 ranks: dist_exact.np2 runs it";
    }
    const MeshPart part = distribute(comm, block_of(line(6), comm), block_options()).part;
    if (comm.rank() == 0) {
        expect_set(part.sets[0], {{0, 1}, {2}, {}, {3}});
        expect_set(part.sets[1], {{0, 1}, {2}, {}, {}});
        EXPECT_THAT(targets_of(part.maps[0]), ElementsAre(0, 1, 1, 2, 2, 3));
    } else {
        expect_set(part.sets[0], {{4, 5}, {3}, {}, {2}});
        expect_set(part.sets[1], {{3, 4}, {}, {2}, {}});
        EXPECT_THAT(targets_of(part.maps[0]), ElementsAre(2, 0, 0, 1, 3, 2));
    }
}

TEST_F(LineOfSixNodes, HasTheHaloListsOfTwoRanks) {
    if (comm.size() != 2) {
        GTEST_SKIP() << "derived for 2 ranks: dist_exact.np2 runs it";
    }
    const MeshPart part = distribute(comm, block_of(line(6), comm), block_options()).part;
    const HaloPattern& nodes = part.sets[0].halo;
    EXPECT_THAT(nodes.neighbours, ElementsAre(1 - comm.rank()));
    EXPECT_THAT(nodes.send_indices, ElementsAre(2));
    EXPECT_THAT(nodes.recv_indices, ElementsAre(3));
    const HaloPattern& edges = part.sets[1].halo;
    EXPECT_THAT(edges.neighbours, ElementsAre(1 - comm.rank()));
    if (comm.rank() == 0) {
        EXPECT_THAT(edges.send_offsets, ElementsAre(0, 1));
        EXPECT_THAT(edges.send_indices, ElementsAre(2));
        EXPECT_THAT(edges.recv_offsets, ElementsAre(0, 0));
        EXPECT_THAT(edges.recv_indices, IsEmpty());
    } else {
        EXPECT_THAT(edges.send_offsets, ElementsAre(0, 0));
        EXPECT_THAT(edges.recv_offsets, ElementsAre(0, 1));
        EXPECT_THAT(edges.recv_indices, ElementsAre(2));
    }
}

TEST_F(LineOfSixNodes, HasTheRegionsAndListsOfThreeRanks) {
    if (comm.size() != 3) {
        GTEST_SKIP() << "derived for 3 ranks: dist_exact.np3 runs it";
    }
    const MeshPart part = distribute(comm, block_of(line(6), comm), block_options()).part;
    const std::vector<ExpectedSet> nodes{
        {{0}, {1}, {}, {2}}, {{}, {2, 3}, {}, {1, 4}}, {{5}, {4}, {}, {3}}};
    const std::vector<ExpectedSet> edges{
        {{0}, {1}, {}, {}}, {{2}, {3}, {1}, {}}, {{4}, {}, {3}, {}}};
    const auto rank = static_cast<std::size_t>(comm.rank());
    expect_set(part.sets[0], nodes[rank]);
    expect_set(part.sets[1], edges[rank]);
    const HaloPattern& halo = part.sets[0].halo;
    if (rank == 1) {
        EXPECT_THAT(halo.neighbours, ElementsAre(0, 2));
        EXPECT_THAT(halo.send_offsets, ElementsAre(0, 1, 2));
        EXPECT_THAT(halo.send_indices, ElementsAre(0, 1));
        EXPECT_THAT(halo.recv_offsets, ElementsAre(0, 1, 2));
        EXPECT_THAT(halo.recv_indices, ElementsAre(2, 3));
    } else {
        EXPECT_THAT(halo.neighbours, ElementsAre(1));
        EXPECT_THAT(halo.send_indices, ElementsAre(1));
        EXPECT_THAT(halo.recv_indices, ElementsAre(2));
    }
}

TEST_F(LineOfSixNodes, ReportsItsQuality) {
    const DistributeReport report =
        distribute(comm, block_of(line(6), comm), block_options()).report;
    EXPECT_EQ(report.partitioner, "block");
    EXPECT_EQ(report.method, "none");
    EXPECT_EQ(report.edge_cut, comm.size() - 1);
    EXPECT_DOUBLE_EQ(report.imbalance, 1.0);
    // Two ranks: nodes 3 and 2, edge 2. Three: nodes 2, 1, 4, 3 and edges 1, 3.
    EXPECT_EQ(report.halo_elements, comm.size() == 2 ? 3 : 6);
    EXPECT_EQ(report.max_neighbours, comm.size() == 2 ? 1 : 2);
    EXPECT_DOUBLE_EQ(report.mean_neighbours, comm.size() == 2 ? 1.0 : 4.0 / 3.0);
}

TEST(TwoLevelLine, CoarseLevelFollowsTheFineOne) {
    const Communicator comm(MPI_COMM_WORLD);
    if (comm.size() != 2) {
        GTEST_SKIP() << "derived for 2 ranks: dist_exact.np2 runs it";
    }
    const MeshPart part = distribute(comm, block_of(two_level_line(6), comm), block_options()).part;
    // Coarse node 1 has one child on each rank: the lower rank wins, and fine node 3 is executed
    // there, because its parent is.
    if (comm.rank() == 0) {
        expect_set(part.sets[0], {{0, 1}, {2}, {3}, {}});
        expect_set(part.sets[1], {{0, 1}, {2}, {}, {}});
        expect_set(part.sets[2], {{0}, {1}, {}, {2}});
        expect_set(part.sets[3], {{0}, {1}, {}, {}});
        EXPECT_THAT(targets_of(part.maps[1]), ElementsAre(0, 0, 1, 1));
    } else {
        expect_set(part.sets[0], {{4, 5}, {3}, {}, {2}});
        expect_set(part.sets[1], {{3, 4}, {}, {2}, {}});
        expect_set(part.sets[2], {{}, {2}, {}, {1}});
        expect_set(part.sets[3], {{}, {}, {1}, {}});
        EXPECT_THAT(targets_of(part.maps[1]), ElementsAre(0, 0, 1));
    }
}

TEST(GridOfFourByFour, HasTheRegionsOfTwoRanks) {
    const Communicator comm(MPI_COMM_WORLD);
    if (comm.size() != 2) {
        GTEST_SKIP() << "derived for 2 ranks: dist_exact.np2 runs it";
    }
    // Node 4i + j; edges of node (i, j) come as (i, j)-(i, j+1), then (i, j)-(i+1, j). Rank 0 has
    // rows 0 and 1; edges 8, 10, 12, 13 (from row 1 to row 2) are cut and owned by rank 0.
    const MeshPart part = distribute(comm, block_of(grid(4, 4, 0), comm), block_options()).part;
    if (comm.rank() == 0) {
        expect_set(part.sets[0], {{0, 1, 2, 3}, {4, 5, 6, 7}, {}, {8, 9, 10, 11}});
        expect_set(part.sets[1], {{0, 1, 2, 3, 4, 5, 6, 7, 9, 11}, {8, 10, 12, 13}, {}, {}});
    } else {
        expect_set(part.sets[0], {{12, 13, 14, 15}, {8, 9, 10, 11}, {}, {4, 5, 6, 7}});
        expect_set(part.sets[1],
                   {{14, 15, 16, 17, 18, 19, 20, 21, 22, 23}, {}, {8, 10, 12, 13}, {}});
    }
}

TEST(OneRank, NeedsNoIdsNoHaloAndNoPartitioner) {
    const Communicator comm(MPI_COMM_SELF);
    const Distribution result = distribute(comm, block_of(line(4), comm), block_options());
    for (const SetPart& set : result.part.sets) {
        EXPECT_THAT(set.global_ids, IsEmpty());
        EXPECT_EQ(set.core, set.total);
        EXPECT_THAT(set.halo.neighbours, IsEmpty());
    }
    EXPECT_THAT(targets_of(result.part.maps[0]), ElementsAre(0, 1, 1, 2, 2, 3));
    EXPECT_EQ(result.report.partitioner, "none");
}

TEST(OneRank, RenumbersNodeSetsAndLeavesEdgesInFileOrder) {
    const Communicator comm(MPI_COMM_SELF);
    DistributeOptions options;
    const WholeMesh whole = grid(8, 8, 5);
    const MeshPart part = distribute(comm, block_of(whole, comm), options).part;
    EXPECT_EQ(part.sets[0].global_ids.size(), 64U);
    EXPECT_THAT(part.sets[1].global_ids, IsEmpty());
}

}  // namespace
}  // namespace halocline::test
