// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Partition files: what is written is read again by blocks, and faults are named by line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "halocline/core/error.hpp"
#include "halocline/io/partition_file.hpp"
#include "mpi/io/shared_folder.hpp"
#include "support/file_size_limit.hpp"

namespace halocline::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class PartitionFile : public ::testing::Test {
protected:
    [[nodiscard]] std::string file(const std::string& text) const {
        const std::string path = folder.path() + "/parts.txt";
        if (comm.is_root()) {
            std::ofstream(path) << text;
        }
        comm.barrier();
        return path;
    }

    [[nodiscard]] std::string complaint(const std::string& text, GlobalIndex size) const {
        try {
            (void)read_partition(comm, file(text), size);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ExitCode::invalid_input);
            return error.what();
        }
        return "";
    }

    Communicator comm{MPI_COMM_WORLD};
    SharedFolder folder{comm};
};

TEST_F(PartitionFile, ComesBackAsItWasWritten) {
    const BlockRange block = block_range(11, comm.rank(), comm.size());
    std::vector<int> part;
    for (GlobalIndex id = block.begin; id < block.end; ++id) {
        part.push_back(static_cast<int>(id * 3 % 7));
    }
    const std::string path = folder.path() + "/written.txt";
    write_partition(comm, path, part);
    EXPECT_EQ(read_partition(comm, path, 11), part);
}

TEST_F(PartitionFile, ThatCannotBeWritten_LeavesTheOlderOne) {
    const std::string path = file("older");
    const std::vector<int> part(1000, 7);
    std::string said;
    {
        const FileSizeLimit limit(100);
        said = error_of([&] { write_partition(comm, path, part); });
    }
    EXPECT_THAT(said, AllOf(StartsWith("5: "), HasSubstr(path), HasSubstr("Make free space")));
    folder.on_root([&] {
        EXPECT_EQ(std::filesystem::file_size(path), 5U);
        EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
    });
    EXPECT_THAT(error_of([&] { write_partition(comm, folder.path(), part); }),
                AllOf(StartsWith("5: "), HasSubstr("a folder")));
}

TEST_F(PartitionFile, TakesBlanksAndForeignLineEnds) {
    const std::vector<int> part = read_partition(comm, file(" 1\r\n\n0 \n2"), 3);
    const BlockRange block = block_range(3, comm.rank(), comm.size());
    const std::vector<int> all{1, 0, 2};
    EXPECT_EQ(part, std::vector<int>(all.begin() + block.begin, all.begin() + block.end));
}

TEST_F(PartitionFile, FaultsAreNamedOnEveryRank) {
    EXPECT_THAT(complaint("0\n1\n", 3), HasSubstr("ends after 2 part numbers"));
    EXPECT_THAT(complaint("0\n1\n0\n1\n", 3), HasSubstr(":4: one part number too many"));
    EXPECT_THAT(complaint("0\none\n0\n", 3), HasSubstr(":2: 'one' is not a part number"));
    EXPECT_THAT(complaint("0\n-1\n0\n", 3), HasSubstr(":2: '-1' is not a part number"));
    EXPECT_THROW((void)read_partition(comm, folder.path() + "/none", 3), Error);
}

TEST_F(PartitionFile, Pipe_IsRefusedAndNobodyWaits) {
    const std::string path = folder / "pipe";
    folder.on_root([&] { ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0); });
    EXPECT_THAT(error_of([&] { (void)read_partition(comm, path, 3); }),
                AllOf(StartsWith("3: "), HasSubstr(path), HasSubstr("pipe or device")));
}

}  // namespace
}  // namespace halocline::testing
