// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reading good meshes: values, blocks, bases, families, and one fingerprint for all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "halocline/core/error.hpp"
#include "halocline/io/mesh_reader.hpp"
#include "mpi/io/shared_folder.hpp"
#include "mpi/io/tiny_mesh.hpp"

namespace halocline {
namespace {

using testing::cube_level;
using testing::pair_level;
using testing::SharedFolder;

const std::string data = HALOCLINE_TEST_DATA_DIR "/mgcfd-reference";

MgcfdInput two_levels(int base) {
    MgcfdInput input;
    input.num_levels = 2;
    input.base_array_index = base;
    input.level_files = {"cube.h5", "pair.h5"};
    return input;
}

class MeshReader : public ::testing::Test {
protected:
    void write(int base, const std::string& family = "") {
        folder.on_root([&] {
            testing::write_file(folder / "cube.h5", cube_level(base, family));
            testing::write_file(folder / "pair.h5", pair_level(base, family));
        });
    }
    MgcfdMesh read(int base, const ReadOptions& options = {}) {
        return read_mgcfd_mesh(comm, two_levels(base), folder.path(), options);
    }

    Communicator comm{MPI_COMM_WORLD};
    SharedFolder folder{comm};
};

TEST_F(MeshReader, TinyMesh_IsDeclaredWithItsSetsMapsAndDats) {
    write(0);
    const MgcfdMesh mesh = read(0);
    ASSERT_EQ(mesh.levels.size(), 2U);
    const MgcfdLevel& fine = mesh.levels[0];
    EXPECT_EQ(fine.nodes, 8);
    EXPECT_EQ(fine.edges, 12);
    EXPECT_EQ(fine.boundary_entries, 24);
    EXPECT_EQ(fine.volumes, -1);
    EXPECT_EQ(mesh.levels[1].nodes, 2);
    EXPECT_EQ(mesh.levels[1].parent, -1);
    const MeshDeclaration& all = mesh.declaration;
    EXPECT_EQ(all.sets[static_cast<std::size_t>(fine.boundary_set)].name, "bnd_L0");
    EXPECT_EQ(all.maps[static_cast<std::size_t>(fine.parent)].name, "parent_L0");
    EXPECT_EQ(all.maps[static_cast<std::size_t>(fine.parent)].to, mesh.levels[1].node_set);
    EXPECT_EQ(all.maps[static_cast<std::size_t>(fine.edge_nodes)].arity, 2);
    EXPECT_EQ(all.dats[static_cast<std::size_t>(fine.boundary_group)].name, "bnd_group_L0");
    EXPECT_EQ(all.dats[static_cast<std::size_t>(mesh.levels[1].edge_weights)].dim, 3);
}

// Edge e of the first four runs along x: 2 e to 2 e + 1. Group 4 sits at x = 1, i.e. odd nodes.
TEST_F(MeshReader, EachRank_HoldsItsBlockOfRows) {
    write(0);
    const MgcfdMesh mesh = read(0);
    const MgcfdLevel& fine = mesh.levels[0];
    const auto& ends = mesh.declaration.maps[static_cast<std::size_t>(fine.edge_nodes)].targets;
    const BlockRange edges = block_range(12, comm.rank(), comm.size());
    ASSERT_EQ(ends.size(), static_cast<std::size_t>(2 * edges.size()));
    for (GlobalIndex e = edges.begin; e < std::min<GlobalIndex>(4, edges.end); ++e) {
        EXPECT_EQ(ends[static_cast<std::size_t>(2 * (e - edges.begin))], 2 * e);
        EXPECT_EQ(ends[static_cast<std::size_t>(2 * (e - edges.begin) + 1)], 2 * e + 1);
    }
    const auto& groups =
        mesh.declaration.dats[static_cast<std::size_t>(fine.boundary_group)].doubles();
    const BlockRange entries = block_range(24, comm.rank(), comm.size());
    for (GlobalIndex i = entries.begin; i < entries.end; ++i) {
        const bool far = i % 3 == 0 && i / 3 % 2 == 1;
        EXPECT_EQ(groups[static_cast<std::size_t>(i - entries.begin)], far ? 4.0 : 1.0) << i;
    }
}

TEST_F(MeshReader, BaseOfIndices_DoesNotChangeTheMesh) {
    write(0);
    const std::string from_zero = read(0).hash;
    write(1);
    EXPECT_EQ(read(1).hash, from_zero);
    EXPECT_EQ(from_zero.size(), 16U);
}

TEST_F(MeshReader, Hash_ChangesWithOneValue) {
    write(0);
    const std::string before = read(0).hash;
    folder.on_root([&] {
        testing::RawFile cube = cube_level(0);
        cube.at("edge_weights").values[7] = 1e-300;
        testing::write_file(folder / "cube.h5", cube);
    });
    EXPECT_NE(read(0).hash, before);
}

TEST_F(MeshReader, DeferredEdgeWeights_ComeLaterWithTheSameHashAndValues) {
    write(0);
    const MgcfdMesh plain = read(0);
    MgcfdMesh mesh = read(0, {.defer_edge_weights = true});
    EXPECT_EQ(mesh.hash, "");
    for (std::size_t level = 0; level < mesh.levels.size(); ++level) {
        const auto dat = static_cast<std::size_t>(mesh.levels[level].edge_weights);
        const auto same = static_cast<std::size_t>(plain.levels[level].edge_weights);
        const std::vector<double>& expected = plain.declaration.dats[same].doubles();
        EXPECT_TRUE(mesh.declaration.dats[dat].doubles().empty());
        EXPECT_EQ(mesh.declaration.dats[dat].take_values(expected.size()), DatValues(expected));
    }
    finish_reading(comm, mesh);
    EXPECT_EQ(mesh.hash, plain.hash);
}

// What can be known without reading is said before a long partition.
TEST_F(MeshReader, DeferredEdgeWeights_OfAnotherSizeAreRefusedAtOnce) {
    write(0);
    folder.on_root([&] {
        testing::RawFile cube = cube_level(0);
        cube.at("edge_weights").shape[0] = 11;
        cube.at("edge_weights").values.resize(33);
        testing::write_file(folder / "cube.h5", cube);
    });
    EXPECT_THROW(read(0, {.defer_edge_weights = true}), Error);
}

TEST_F(MeshReader, LegacyFamily_BringsDualVolumes) {
    write(1, "legacy");
    const MgcfdMesh mesh = read(1, {.legacy_mode = true, .validate = true});
    ASSERT_GE(mesh.levels[0].volumes, 0);
    const auto& volumes =
        mesh.declaration.dats[static_cast<std::size_t>(mesh.levels[0].volumes)].doubles();
    EXPECT_EQ(comm.sum(std::accumulate(volumes.begin(), volumes.end(), 0.0)), 1.0);
}

TEST_F(MeshReader, OtherStorage_GivesTheSameMesh) {
    write(0);
    const std::string plain = read(0).hash;
    folder.on_root([&] {
        testing::RawFile cube = cube_level(0);
        cube.at("edge-->node").type = testing::FileType::int64;
        cube.at("node-->mg_node").shape = {8};
        cube.at("node_coordinates").chunk = {3, 3};
        cube.at("edge_weights").type = testing::FileType::float32;  // quarters are exact
        testing::write_file(folder / "cube.h5", cube);
    });
    EXPECT_EQ(read(0).hash, plain);
}

TEST_F(MeshReader, NoBoundary_IsAMesh) {
    folder.on_root([&] {
        testing::RawFile cube = cube_level(0);
        for (const char* name : {"bnd_node-->node", "bnd_node-->group", "bnd_node_weights"}) {
            cube.at(name).shape[0] = 0;
            cube.at(name).values.clear();
        }
        testing::write_file(folder / "cube.h5", cube);
        testing::write_file(folder / "pair.h5", pair_level(0));
    });
    EXPECT_EQ(read(0).levels[0].boundary_entries, 0);
}

struct ReferenceCase {
    const char* folder;
    bool legacy;
};
class ReferenceMesh : public ::testing::TestWithParam<ReferenceCase> {};

// Sizes as h5dump -H prints them for data/mgcfd-reference.
TEST_P(ReferenceMesh, FourLevels_HaveTheKnownSizes) {
    const Communicator comm(MPI_COMM_WORLD);
    const std::string folder = data + "/" + GetParam().folder;
    const MgcfdInput input = read_mgcfd_input(comm, folder + "/input.dat");
    EXPECT_EQ(input.size, 5049);
    EXPECT_EQ(input.mesh_name, "m6wing");
    const MgcfdMesh mesh =
        read_mgcfd_mesh(comm, input, folder, {.legacy_mode = GetParam().legacy, .validate = true});
    ASSERT_EQ(mesh.levels.size(), 4U);
    EXPECT_EQ(mesh.levels[0].nodes, 5049);
    EXPECT_EQ(mesh.levels[0].edges, 14136);
    EXPECT_EQ(mesh.levels[0].boundary_entries, 2022);
    EXPECT_EQ(mesh.levels[1].nodes, 765);
    EXPECT_EQ(mesh.levels[2].nodes, 135);
    EXPECT_EQ(mesh.levels[3].nodes, 30);
    EXPECT_EQ(mesh.levels[3].edges, 59);
    EXPECT_EQ(mesh.levels[3].boundary_entries, 62);
}

INSTANTIATE_TEST_SUITE_P(
    AllFolders, ReferenceMesh,
    ::testing::Values(ReferenceCase{"natural", false}, ReferenceCase{"natural", true},
                      ReferenceCase{"boosted_shuffled", false}, ReferenceCase{"legacy", true}),
    [](const auto& one) {
        return std::string(one.param.folder) + (one.param.legacy ? "_legacy" : "_default");
    });

TEST(ReferenceMeshValues, FirstRows_AreThoseOfTheFile) {
    const Communicator comm(MPI_COMM_WORLD);
    const MgcfdInput input = read_mgcfd_input(comm, data + "/natural/input.dat");
    const MgcfdMesh mesh = read_mgcfd_mesh(comm, input, data + "/natural", {});
    if (comm.is_root()) {
        const auto dat = static_cast<std::size_t>(mesh.levels[0].coordinates);
        const auto map = static_cast<std::size_t>(mesh.levels[0].edge_nodes);
        // h5dump -d node_coordinates -c 2,3 and -d "edge-->node" -c 3,2 of mesh.L0.h5
        const std::vector<double>& x = mesh.declaration.dats[dat].doubles();
        EXPECT_EQ(x[0], 0.0);
        EXPECT_EQ(x[1], 23.812785397947533);
        EXPECT_EQ(x[5], -2.1199579360746923);
        const std::vector<GlobalIndex>& ends = mesh.declaration.maps[map].targets;
        EXPECT_EQ(ends[1], 1);
        EXPECT_EQ(ends[3], 9);
        EXPECT_EQ(ends[5], 153);
    }
}

}  // namespace
}  // namespace halocline
