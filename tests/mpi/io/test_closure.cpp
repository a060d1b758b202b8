// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The cube closes; one spoilt weight is found at its node.
#include "halocline/io/closure.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "mpi/io/tiny_mesh.hpp"

namespace halocline {
namespace {

/// The whole cube on every rank; ownership is dealt out so that each node has one owner.
struct LocalCube {
    explicit LocalCube(const Communicator& comm) {
        const testing::RawFile cube = testing::cube_level(0);
        testing::RawFile copy = cube;
        const BlockRange mine = block_range(8, comm.rank(), comm.size());
        nodes.global_size = 8;
        nodes.owned = static_cast<LocalIndex>(mine.size());
        nodes.total = 8;
        // Owned nodes first, the rest as halo.
        std::vector<LocalIndex> local(8);
        for (GlobalIndex i = 0; i < 8; ++i) {
            const GlobalIndex id = (mine.begin + i) % 8;
            nodes.global_ids.push_back(id);
            local[static_cast<std::size_t>(id)] = static_cast<LocalIndex>(i);
        }
        for (const double end : copy.at("edge-->node").values) {
            edge_nodes.push_back(local[static_cast<std::size_t>(end)]);
        }
        for (const double node : copy.at("bnd_node-->node").values) {
            boundary_node.push_back(local[static_cast<std::size_t>(node)]);
        }
        edge_weights = copy.at("edge_weights").values;
        boundary_weights = copy.at("bnd_node_weights").values;
    }

    [[nodiscard]] ClosureInput input() const {
        return {&nodes, edge_nodes, edge_weights, boundary_node, boundary_weights};
    }

    SetPart nodes;
    std::vector<LocalIndex> edge_nodes;
    std::vector<LocalIndex> boundary_node;
    std::vector<double> edge_weights;
    std::vector<double> boundary_weights;
};

TEST(Closure, Cube_IsClosed) {
    const Communicator comm(MPI_COMM_WORLD);
    EXPECT_EQ(check_closure(comm, LocalCube(comm).input()).relative, 0.0);
}

// Entry 15 is the x face of node 5. Twice its area leaves 1/4 open of 3/4 + 3/4 + 1/4 in all.
TEST(Closure, DoubledFace_IsFoundAtItsNode) {
    const Communicator comm(MPI_COMM_WORLD);
    LocalCube cube(comm);
    cube.boundary_weights[3 * 15] *= 2.0;
    const ClosureDefect defect = check_closure(comm, cube.input());
    EXPECT_EQ(defect.node, 5);
    EXPECT_DOUBLE_EQ(defect.relative, 0.25 / 1.75);
}

TEST(Closure, NotANumber_IsWorst) {
    const Communicator comm(MPI_COMM_WORLD);
    LocalCube cube(comm);
    cube.edge_weights[0] = std::numeric_limits<double>::quiet_NaN();
    const ClosureDefect defect = check_closure(comm, cube.input());
    EXPECT_EQ(defect.node, 0);
    EXPECT_TRUE(std::isinf(defect.relative));
}

}  // namespace
}  // namespace halocline
