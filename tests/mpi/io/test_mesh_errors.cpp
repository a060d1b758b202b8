// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Every way to spoil a mesh file ends in one sentence that names it, on every rank.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <zlib.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "halocline/io/mesh_reader.hpp"
#include "mpi/io/shared_folder.hpp"
#include "mpi/io/tiny_mesh.hpp"

namespace halocline {
namespace {

using ::testing::AllOf;
using testing::cube_level;
using testing::error_of;
using testing::FileType;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::pair_level;
using testing::RawFile;
using testing::SharedFolder;
using ::testing::StartsWith;

/// One fault of the fine level and words its sentence must hold.
struct Fault {
    const char* name;
    std::function<void(RawFile&)> spoil;
    std::vector<std::string> words;
    int base = 0;
    const char* family = "";
};

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

class SpoiltMesh : public ::testing::TestWithParam<Fault> {};

std::string read_error(const Communicator& comm, const SharedFolder& folder, int base,
                       bool legacy) {
    MgcfdInput input;
    input.num_levels = 2;
    input.base_array_index = base;
    input.level_files = {"cube.h5", "pair.h5"};
    return error_of([&] {
        (void)read_mgcfd_mesh(comm, input, folder.path(),
                              {.legacy_mode = legacy, .validate = true});
    });
}

TEST_P(SpoiltMesh, IsRefusedWithASentence) {
    const Communicator comm(MPI_COMM_WORLD);
    const SharedFolder folder(comm);
    const Fault& fault = GetParam();
    folder.on_root([&] {
        RawFile cube = cube_level(fault.base, fault.family);
        fault.spoil(cube);
        testing::write_file(folder / "cube.h5", cube);
        testing::write_file(folder / "pair.h5", pair_level(fault.base, fault.family));
    });
    const std::string message =
        read_error(comm, folder, fault.base, std::string(fault.family) == "legacy");
    EXPECT_THAT(message, AllOf(StartsWith("3: "), HasSubstr("cube.h5")));
    for (const std::string& word : fault.words) {
        EXPECT_THAT(message, HasSubstr(word));
    }
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

const std::vector<Fault> value_faults{
    {"EndTooLarge",
     [](RawFile& f) { f.at("edge-->node").values[13] = 99; },
     {"'edge-->node'", "row 6, column 1 is 99", "0 to 7"}},
    {"EndNegative", [](RawFile& f) { f.at("edge-->node").values[0] = -2; }, {"row 0", "is -2"}},
    {"BaseZeroReadAsOne", [](RawFile& f) { f = cube_level(0); }, {"base_array_index = 0"}, 1},
    {"BaseOneReadAsZero", [](RawFile& f) { f = cube_level(1); }, {"base_array_index = 1"}, 0},
    {"LastEndTooLarge", [](RawFile& f) { f.at("edge-->node").values[23] = 8; }, {"row 11"}},
    {"BoundaryNodeOut",
     [](RawFile& f) { f.at("bnd_node-->node").values[23] = 8; },
     {"'bnd_node-->node'", "row 23 is 8", "node of the same level"}},
    {"ParentOut",
     [](RawFile& f) { f.at("node-->mg_node").values[5] = 2; },
     {"'node-->mg_node'", "row 5 is 2", "node of the next level", "0 to 1"}},
    {"GroupTooLarge",
     [](RawFile& f) { f.at("bnd_node-->group").values[23] = 99; },
     {"'bnd_node-->group'", "row 23 is 99", "0 to 2 are walls, 3 to 7 far field"}},
    {"GroupNegative",
     [](RawFile& f) { f.at("bnd_node-->group").values[0] = -2147483648.0; },
     {"'bnd_node-->group'", "row 0 is -2147483648"}},
    {"GroupWide",
     [](RawFile& f) {
         f.at("bnd_node-->group").type = FileType::int64;
         f.at("bnd_node-->group").values[12] = 4294967297.0;  // 1 in its lower half
     },
     {"row 12 is 4294967297"}},
    {"NanCoordinate",
     [](RawFile& f) { f.at("node_coordinates").values[23] = nan; },
     {"'node_coordinates'", "row 7, column 2 is nan", "finite"}},
    {"InfiniteCoordinate",
     [](RawFile& f) { f.at("node_coordinates").values[0] = -inf; },
     {"row 0, column 0 is -inf"}},
    {"NanWeight",
     [](RawFile& f) { f.at("edge_weights").values[4] = nan; },
     {"'edge_weights'", "row 1, column 1"}},
    {"InfiniteBoundaryWeight",
     [](RawFile& f) { f.at("bnd_node_weights").values[71] = inf; },
     {"'bnd_node_weights'", "row 23, column 2"}},
    {"SelfEdge",
     [](RawFile& f) { f.at("edge-->node").values[21] = f.at("edge-->node").values[20]; },
     {"row 10 joins a node with itself"}},
    {"NodeWithoutEdge",
     [](RawFile& f) {
         for (double& end : f.at("edge-->node").values) {
             end = end == 6 ? 7 - 4 : end;
         }
         // the edge 6-7 became 3-7, 2-6 became 2-3 and 4-6 became 4-3: none joins a node with itself
     },
     {"node 6", "no edge"}},
};

const std::vector<Fault> shape_faults{
    {"NoCoordinates",
     [](RawFile& f) { f.remove("node_coordinates"); },
     {"no dataset 'node_coordinates'", "The file has: 'areas', 'bnd_node"}},
    {"NoParents", [](RawFile& f) { f.remove("node-->mg_node"); }, {"no dataset 'node-->mg_node'"}},
    {"NoGroups", [](RawFile& f) { f.remove("bnd_node-->group"); }, {"'bnd_node-->group'"}},
    {"TwoCoordinates",
     [](RawFile& f) {
         f.at("node_coordinates").shape = {12, 2};
     },
     {"shape (12, 2)", "(rows, 3)"}},
    {"FlatEdges", [](RawFile& f) { f.at("edge-->node").shape = {24}; }, {"shape (24)"}},
    {"ThreeDimensions",
     [](RawFile& f) {
         f.at("edge_weights").shape = {12, 3, 1};
     },
     {"shape (12, 3, 1)"}},
    {"Scalar", [](RawFile& f) { f.at("bnd_node-->node").shape = {}; }, {"shape ()"}},
    {"RealIndices",
     [](RawFile& f) { f.at("edge-->node").type = FileType::float64; },
     {"wrong type", "integers"}},
    {"TextWeights",
     [](RawFile& f) { f.at("edge_weights").type = FileType::text; },
     {"wrong type", "floating-point"}},
    {"IntegerCoordinates",
     [](RawFile& f) { f.at("node_coordinates").type = FileType::int32; },
     {"'node_coordinates'", "wrong type"}},
    {"FewerWeights",
     [](RawFile& f) {
         f.at("edge_weights").shape = {11, 3};
         f.at("edge_weights").values.resize(33);
     },
     {"'edge_weights'", "11 rows, not 12"}},
    {"MoreParents",
     [](RawFile& f) {
         f.at("node-->mg_node").shape = {9, 1};
         f.at("node-->mg_node").values.push_back(0);
     },
     {"9 rows, not 8"}},
    {"NoNodes",
     [](RawFile& f) {
         f.at("node_coordinates").shape = {0, 3};
         f.at("node_coordinates").values.clear();
     },
     {"no rows", "nodes"}},
    {"NoEdges",
     [](RawFile& f) {
         f.at("edge-->node").shape = {0, 2};
         f.at("edge-->node").values.clear();
     },
     {"no rows", "edges"}},
    {"DeclaredOnly",
     [](RawFile& f) { f.at("edge_weights").stored = false; },
     {"'edge_weights'", "not all in the file"}},
    {"DeclaredChunksOnly",
     [](RawFile& f) {
         f.at("edge_weights").stored = false;
         f.at("edge_weights").chunk = {4, 3};
     },
     {"not all in the file"}},
    {"AbsurdSize",
     [](RawFile& f) {
         f.at("edge-->node").shape = {std::uint64_t{1} << 60U, 2};
         f.at("edge-->node").chunk = {4, 2};
     },
     {"not all in the file"}},
    {"ZeroVolume",
     [](RawFile& f) { f.at("areas").values[3] = 0; },
     {"'areas'", "row 3 is 0"},
     0,
     "legacy"},
    {"NegativeVolume",
     [](RawFile& f) { f.at("areas").values[7] = -0.125; },
     {"'areas'", "row 7 is -0.125", "greater than zero"},
     1,
     "legacy"},
    {"NanVolume",
     [](RawFile& f) { f.at("areas").values[0] = nan; },
     {"'areas'", "nan"},
     0,
     "legacy"},
    {"LegacyNamesMissing",
     [](RawFile& f) { f = cube_level(0); },
     {"'node_coordinates.renumbered'", "without --legacy-mode"},
     0,
     "legacy"},
};

std::string fault_name(const ::testing::TestParamInfo<Fault>& one) { return one.param.name; }
INSTANTIATE_TEST_SUITE_P(Values, SpoiltMesh, ::testing::ValuesIn(value_faults), fault_name);
INSTANTIATE_TEST_SUITE_P(Shapes, SpoiltMesh, ::testing::ValuesIn(shape_faults), fault_name);

class SpoiltFile : public ::testing::Test {
protected:
    std::string error_with(const std::string& name, const std::string& content) {
        folder.on_root([&] { testing::write_file(folder / "cube.h5", cube_level(0)); });
        folder.write_text(name, content);
        return read_error(comm, folder, 0, false);
    }

    Communicator comm{MPI_COMM_WORLD};
    SharedFolder folder{comm};
};

TEST_F(SpoiltFile, Missing_IsNamed) {
    folder.on_root([&] { testing::write_file(folder / "cube.h5", cube_level(0)); });
    EXPECT_THAT(read_error(comm, folder, 0, false),
                AllOf(StartsWith("3: "), HasSubstr("pair.h5"), HasSubstr("does not exist")));
}

TEST_F(SpoiltFile, Text_IsNoHdf5) {
    EXPECT_THAT(error_with("pair.h5", "not a mesh\n"),
                AllOf(HasSubstr("pair.h5"), HasSubstr("not an HDF5 file")));
}

TEST_F(SpoiltFile, Empty_IsNoHdf5) {
    EXPECT_THAT(error_with("pair.h5", ""), HasSubstr("not an HDF5 file"));
}

TEST_F(SpoiltFile, Folder_IsNoFile) {
    folder.on_root([&] { std::filesystem::create_directory(folder / "pair.h5"); });
    EXPECT_THAT(error_with("other", ""),
                AllOf(HasSubstr("pair.h5"), HasSubstr("not a regular file")));
}

TEST_F(SpoiltFile, GroupInPlaceOfADataset_IsNoDataset) {
    folder.on_root([&] {
        RawFile pair = pair_level(0);
        pair.remove("edge_weights");
        testing::write_file(folder / "pair.h5", pair);
        const hid_t file = H5Fopen((folder / "pair.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        H5Gclose(H5Gcreate2(file, "edge_weights", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        H5Fclose(file);
    });
    EXPECT_THAT(error_with("other", ""), AllOf(StartsWith("3: "), HasSubstr("'edge_weights'"),
                                               HasSubstr("no dataset"), HasSubstr("HDF5: ")));
}

// Bytes inside the compressed values.
TEST_F(SpoiltFile, DamagedCompressedValues_AreSaid) {
    folder.on_root([&] {
        RawFile pair = pair_level(0);
        pair.at("bnd_node_weights").chunk = {2, 3};
        testing::write_file(folder / "pair.h5", pair);
        const hid_t file = H5Fopen((folder / "pair.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
        const hid_t dataset = H5Dopen2(file, "bnd_node_weights", H5P_DEFAULT);
        const hid_t space = H5Dget_space(dataset);
        haddr_t at = HADDR_UNDEF;
        H5Dget_chunk_info(dataset, space, 0, nullptr, nullptr, &at, nullptr);
        H5Sclose(space);
        H5Dclose(dataset);
        H5Fclose(file);
        std::fstream bytes(folder / "pair.h5", std::ios::in | std::ios::out | std::ios::binary);
        bytes.seekp(static_cast<std::streamoff>(at));
        bytes.put('\xff').put('\xff');
    });
    EXPECT_THAT(error_with("other", ""), AllOf(StartsWith("3: "), HasSubstr("'bnd_node_weights'"),
                                               HasSubstr("chunk of row 0"), HasSubstr("inflate"),
                                               Not(HasSubstr("no reason"))));
}

// A sound stream of three values where six belong: HDF5 1.10 takes the others from memory that
// nobody wrote.
TEST_F(SpoiltFile, ChunkThatUnpacksToTooLittle_IsRefused) {
    folder.on_root([&] {
        RawFile pair = pair_level(0);
        pair.at("bnd_node_weights").chunk = {2, 3};
        testing::write_file(folder / "pair.h5", pair);
        const std::array<double, 3> half{0, 0, 1};
        std::array<Bytef, 256> packed{};
        uLongf bytes = packed.size();
        compress(packed.data(), &bytes, reinterpret_cast<const Bytef*>(half.data()), sizeof(half));
        const hid_t file = H5Fopen((folder / "pair.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        const hid_t dataset = H5Dopen2(file, "bnd_node_weights", H5P_DEFAULT);
        const std::array<hsize_t, 2> first{0, 0};
        H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, first.data(), bytes, packed.data());
        H5Dclose(dataset);
        H5Fclose(file);
    });
    EXPECT_THAT(error_with("other", ""), AllOf(StartsWith("3: "), HasSubstr("'bnd_node_weights'"),
                                               HasSubstr("it does not inflate to 48 bytes")));
}

TEST_F(SpoiltFile, CutShort_IsRefused) {
    folder.on_root([&] {
        testing::write_file(folder / "pair.h5", pair_level(0));
        std::filesystem::resize_file(folder / "pair.h5", 1500);
    });
    EXPECT_THAT(error_with("other", ""),
                AllOf(StartsWith("3: "), HasSubstr("pair.h5"), HasSubstr("incomplete")));
}

}  // namespace
}  // namespace halocline
