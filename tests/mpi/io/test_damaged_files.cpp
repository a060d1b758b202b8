// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Any byte of a file may be wrong: 1, 2 and 3 ranks say the same sentence or read the same values,
// and none waits for the others. Before ranks read by themselves, a damaged superblock kept all but
// rank 0 inside HDF5 for ever.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <array>
#include <bit>
#include <cstdlib>
#include <functional>
#include <optional>

#include "halocline/io/field_reader.hpp"
#include "halocline/io/field_writer.hpp"
#include "halocline/io/hdf5.hpp"
#include "halocline/io/mesh_reader.hpp"
#include "halocline/io/partition_file.hpp"
#include "mpi/io/shared_folder.hpp"
#include "mpi/io/tiny_mesh.hpp"

namespace halocline {
namespace {

using testing::cube_level;
using testing::error_of;
using ::testing::HasSubstr;
using testing::RawFile;
using testing::SharedFolder;
using ::testing::StartsWith;

constexpr GlobalIndex nodes = 8;

/// The first ranks of the world, as many as are asked for.
class FirstRanks {
public:
    explicit FirstRanks(int size) {
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_split(MPI_COMM_WORLD, rank < size ? 0 : MPI_UNDEFINED, rank, &raw_);
        if (raw_ != MPI_COMM_NULL) {
            comm_.emplace(raw_);
        }
    }
    ~FirstRanks() {
        if (raw_ != MPI_COMM_NULL) {
            MPI_Comm_free(&raw_);
        }
    }
    FirstRanks(const FirstRanks&) = delete;
    FirstRanks& operator=(const FirstRanks&) = delete;

    [[nodiscard]] const Communicator* get() const { return comm_ ? &*comm_ : nullptr; }

private:
    MPI_Comm raw_ = MPI_COMM_NULL;
    std::optional<Communicator> comm_;
};

/// What reading `path` gives: numbers that stand for all values, the same on every rank.
using Read = std::function<std::string(const Communicator& comm, const std::string& path)>;

std::string read_mesh(const Communicator& comm, const std::string& path) {
    MgcfdInput input;
    input.num_levels = 1;
    input.base_array_index = 0;
    input.level_files = {path};
    return read_mgcfd_mesh(comm, input, "", {}).hash;
}

std::string read_parts(const Communicator& comm, const std::string& path) {
    const std::vector<int> part = read_partition(comm, path, nodes);
    const BlockRange block = block_range(nodes, comm.rank(), comm.size());
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < part.size(); ++i) {
        sum += part[i] * (block.begin + static_cast<std::int64_t>(i) + 1);
    }
    return std::to_string(comm.sum(sum));
}

SetPart block_set(const Communicator& comm) {
    const BlockRange block = block_range(nodes, comm.rank(), comm.size());
    SetPart set;
    set.name = "nodes";
    set.global_size = nodes;
    set.owned = static_cast<LocalIndex>(block.size());
    set.core = set.owned;
    set.exec = set.owned;
    set.total = set.owned;
    for (GlobalIndex id = block.begin; id < block.end; ++id) {
        set.global_ids.push_back(id);
    }
    return set;
}

std::string read_result(const Communicator& comm, const std::string& path) {
    const SetPart set = block_set(comm);
    DatStore dat;
    dat.name = "q";
    dat.set = &set;
    dat.layout = Layout::rows(1);
    dat.allocate();
    read_fields(comm, path, {{"q", dat}});
    std::uint64_t sum = 0;
    for (LocalIndex i = 0; i < set.owned; ++i) {
        sum += std::bit_cast<std::uint64_t>(dat.at(i, 0)) *
               static_cast<std::uint64_t>(set.global_id(i) + 1);
    }
    return std::to_string(comm.sum(static_cast<std::int64_t>(sum)));
}

std::vector<char> bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

class DamagedFile : public ::testing::Test {
protected:
    DamagedFile() : groups{FirstRanks(1), FirstRanks(2), FirstRanks(3)} {}

    /// Outcome of each group on rank 0, empty elsewhere.
    std::array<std::string, 3> outcomes(const Read& read) {
        std::array<std::string, 3> found;
        for (std::size_t g = 0; g < groups.size(); ++g) {
            if (const Communicator* comm = groups[g].get()) {
                std::string value;
                const std::string error = error_of([&] { value = read(*comm, path); });
                found[g] = error.empty() ? "read " + value : error;
            }
            world.barrier();
        }
        return found;
    }

    /// Turns bytes over, one at a time: every 13th, or as HALOCLINE_DAMAGE_STRIDE says.
    void damage_each(const Read& read) {
        const char* given = std::getenv("HALOCLINE_DAMAGE_STRIDE");
        const std::size_t stride = given == nullptr ? 13 : std::strtoul(given, nullptr, 10);
        const std::vector<char> good = bytes_of(path);
        ASSERT_GT(good.size(), 1000U);
        int refused = 0;
        for (std::size_t at = 0; at < good.size(); at += stride) {
            folder.on_root([&] {
                std::vector<char> bad = good;
                bad[at] = static_cast<char>(~bad[at]);
                std::ofstream(path, std::ios::binary).write(bad.data(), std::ssize(bad));
            });
            const auto found = outcomes(read);
            if (!world.is_root()) {
                continue;
            }
            EXPECT_EQ(found[0], found[1]) << "byte " << at;
            EXPECT_EQ(found[0], found[2]) << "byte " << at;
            if (!found[0].starts_with("read ")) {
                ++refused;
                EXPECT_THAT(found[0], StartsWith("3: ")) << "byte " << at;
                EXPECT_THAT(found[0], HasSubstr("damaged.h5")) << "byte " << at;
            }
        }
        if (world.is_root()) {
            EXPECT_GT(refused, 10);
        }
    }

    Communicator world{MPI_COMM_WORLD};
    SharedFolder folder{world};
    std::string path = folder / "damaged.h5";
    std::array<FirstRanks, 3> groups;
};

TEST_F(DamagedFile, Level_IsRefusedAlikeOnAnyRanks) {
    folder.on_root([&] { testing::write_file(path, cube_level(0)); });
    damage_each(read_mesh);
}

TEST_F(DamagedFile, CompressedLevel_IsRefusedAlikeOnAnyRanks) {
    folder.on_root([&] {
        RawFile cube = cube_level(0);
        cube.at("edge-->node").chunk = {5, 2};
        cube.at("bnd_node_weights").chunk = {7, 3};
        testing::write_file(path, cube);
    });
    damage_each(read_mesh);
}

// The format of h5py's libver="latest": headers with checksums, other indices of chunks.
TEST_F(DamagedFile, LevelOfTheLatestFormat_IsRefusedAlikeOnAnyRanks) {
    folder.on_root([&] {
        RawFile cube = cube_level(0);
        cube.at("bnd_node_weights").chunk = {7, 3};
        testing::write_file(path, cube, H5F_LIBVER_LATEST);
    });
    damage_each(read_mesh);
}

TEST_F(DamagedFile, Partition_IsRefusedAlikeOnAnyRanks) {
    folder.on_root([&] {
        testing::write_file(
            path, {{{"part", {8}, testing::FileType::int32, {0, 1, 2, 0, 1, 2, 0, 1}, true, {}}}});
    });
    damage_each(read_parts);
}

TEST_F(DamagedFile, Result_IsRefusedAlikeOnAnyRanks) {
    const SetPart set = block_set(world);
    DatStore dat;
    dat.set = &set;
    dat.layout = Layout::rows(1);
    dat.values = Buffer<double>(64, 1.5);
    write_fields(world, path, {{"q", dat}});
    damage_each(read_result);
}

}  // namespace
}  // namespace halocline
