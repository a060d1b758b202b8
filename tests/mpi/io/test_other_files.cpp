// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Files that point elsewhere, change under the reader's hands, lie deep or cannot be opened: every
// number of ranks says the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <array>

#include "halocline/io/hdf5.hpp"
#include "halocline/io/mesh_reader.hpp"
#include "halocline/io/partition_file.hpp"
#include "mpi/io/shared_folder.hpp"
#include "mpi/io/tiny_mesh.hpp"

namespace halocline {
namespace {

using ::testing::AllOf;
using testing::cube_level;
using testing::error_of;
using testing::FileType;
using ::testing::HasSubstr;
using testing::RawFile;
using testing::SharedFolder;
using ::testing::StartsWith;

class OtherFile : public ::testing::Test {
protected:
    std::string read_level(const std::string& path) {
        MgcfdInput input;
        input.num_levels = 1;
        input.base_array_index = 0;
        input.level_files = {path};
        return error_of([&] { (void)read_mgcfd_mesh(comm, input, "", {}); });
    }

    /// The cube without one dataset, which `replace` puts back in its own way.
    template <class Replace>
    void write_cube_with(const std::string& dataset, Replace&& replace) {
        folder.on_root([&] {
            testing::write_file(folder / "whole.h5", cube_level(0));
            RawFile cube = cube_level(0);
            cube.remove(dataset);
            testing::write_file(folder / "cube.h5", cube);
            const hid_t file = H5Fopen((folder / "cube.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
            replace(file);
            H5Fclose(file);
        });
    }

    Communicator comm{MPI_COMM_WORLD};
    SharedFolder folder{comm};
};

// Found on two ranks and not on one, before.
TEST_F(OtherFile, LinkIntoAnotherFile_IsRefused) {
    write_cube_with("edge_weights", [&](hid_t file) {
        H5Lcreate_external("whole.h5", "/edge_weights", file, "edge_weights", H5P_DEFAULT,
                           H5P_DEFAULT);
    });
    EXPECT_THAT(read_level(folder / "cube.h5"),
                AllOf(StartsWith("3: "), HasSubstr("'edge_weights'"), HasSubstr("cube.h5"),
                      HasSubstr("another file")));
}

TEST_F(OtherFile, LinkIntoAMissingFile_IsRefused) {
    write_cube_with("edge_weights", [&](hid_t file) {
        H5Lcreate_external("none.h5", "/edge_weights", file, "edge_weights", H5P_DEFAULT,
                           H5P_DEFAULT);
    });
    EXPECT_THAT(read_level(folder / "cube.h5"),
                AllOf(StartsWith("3: "), HasSubstr("'edge_weights'"), HasSubstr("another file")));
}

TEST_F(OtherFile, LinkInTheSameFile_IsFollowed) {
    write_cube_with("none", [&](hid_t file) {
        H5Lmove(file, "edge_weights", file, "moved", H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_soft("/moved", file, "edge_weights", H5P_DEFAULT, H5P_DEFAULT);
    });
    EXPECT_EQ(read_level(folder / "cube.h5"), "");
}

TEST_F(OtherFile, ValuesInAnotherFile_AreRefused) {
    write_cube_with("bnd_node_weights", [&](hid_t file) {
        const std::array<hsize_t, 2> shape{24, 3};
        const hid_t space = H5Screate_simple(2, shape.data(), nullptr);
        const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_external(properties, "values.raw", 0, 24 * 3 * sizeof(double));
        H5Dclose(H5Dcreate2(file, "bnd_node_weights", H5T_IEEE_F64LE, space, H5P_DEFAULT,
                            properties, H5P_DEFAULT));
        H5Pclose(properties);
        H5Sclose(space);
    });
    EXPECT_THAT(read_level(folder / "cube.h5"),
                AllOf(StartsWith("3: "), HasSubstr("'bnd_node_weights'"), HasSubstr("not all in")));
}

// MPI-IO of Open MPI 4 has 256 bytes for a name and overran them on two ranks.
TEST_F(OtherFile, DeepFolder_IsAsGoodAsAnother) {
    const std::string deep = folder / (std::string(200, 'a') + "/" + std::string(200, 'b'));
    folder.on_root([&] {
        std::filesystem::create_directories(deep);
        testing::write_file(deep + "/cube.h5", cube_level(0));
        testing::write_file(deep + "/part.h5",
                            {{{"part", {3}, FileType::int32, {2, 1, 0}, true, {}}}});
    });
    EXPECT_EQ(read_level(deep + "/cube.h5"), "");
    EXPECT_EQ(error_of([&] { (void)read_partition(comm, deep + "/part.h5", 3); }), "");
}

TEST_F(OtherFile, NameBeyondTheSystemsLimit_IsASentence) {
    EXPECT_THAT(read_level(folder / std::string(300, 'x')),
                AllOf(StartsWith("3: "), HasSubstr("File name too long")));
}

TEST_F(OtherFile, FileCutAfterItWasOpened_IsASentence) {
    folder.on_root([&] { testing::write_file(folder / "cube.h5", cube_level(0)); });
    const Hdf5File file = Hdf5File::open(comm, folder / "cube.h5", "mesh file");
    folder.on_root([&] { std::filesystem::resize_file(folder / "cube.h5", 1000); });
    const std::string message = error_of([&] {
        run_agreed(comm, [&] {
            std::vector<double> values(72);
            file.dataset("bnd_node_weights").read({0, 24}, std::span<double>(values));
        });
    });
    EXPECT_THAT(message, AllOf(StartsWith("3: "), HasSubstr("cube.h5")));
    EXPECT_EQ(message, comm.broadcast(message));
}

TEST_F(OtherFile, Pipe_IsNoRegularFileAndNobodyWaits) {
    folder.on_root([&] { ASSERT_EQ(::mkfifo((folder / "pipe.h5").c_str(), 0600), 0); });
    EXPECT_THAT(read_level(folder / "pipe.h5"), HasSubstr("not a regular file"));
}

// What the machine lacks is not the file's fault.
TEST_F(OtherFile, NoDescriptorLeft_IsTheEnvironment) {
    folder.on_root([&] { testing::write_file(folder / "cube.h5", cube_level(0)); });
    rlimit old{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &old), 0);
    const rlimit none{3, old.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
    const std::string message = read_level(folder / "cube.h5");
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &old), 0);
    EXPECT_THAT(message, AllOf(StartsWith("4: "), HasSubstr("cube.h5"), HasSubstr("ulimit")));
}

TEST_F(OtherFile, PartitionNeverWritten_IsRefused) {
    folder.on_root([&] {
        testing::write_file(folder / "declared.h5",
                            {{{"part", {3}, FileType::int32, {0, 0, 0}, false, {}}}});
        testing::write_file(folder / "chunks.h5",
                            {{{"part", {3}, FileType::int32, {0, 0, 0}, false, {2}}}});
    });
    for (const char* name : {"declared.h5", "chunks.h5"}) {
        EXPECT_THAT(error_of([&] { (void)read_partition(comm, folder / name, 3); }),
                    AllOf(StartsWith("3: "), HasSubstr("'part'"), HasSubstr(name),
                          HasSubstr("not all in the file")));
    }
}

}  // namespace
}  // namespace halocline
