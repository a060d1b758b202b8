// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rank 0 reads and writes text; one block at a time is in its memory.
#include "halocline/io/partition_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <fstream>
#include <limits>

#include "halocline/core/error.hpp"
#include "halocline/core/output_file.hpp"
#include "halocline/io/hdf5.hpp"
#include "halocline/io/text_file.hpp"

namespace halocline {

namespace {

constexpr int partition_tag = 7303;
constexpr const char* role = "partition file";
constexpr const char* dataset_name = "part";

/// Reads the numbers of one rank after another.
class PartLines {
public:
    PartLines(const std::string& path, GlobalIndex size) : path_(path), size_(size), file_(path) {
        validate<InputError>(file_.good(), std::string(role) + " '" + path +
                                               "' cannot be opened (" + std::strerror(errno) +
                                               "). Check its name and folder.");
    }

    [[nodiscard]] std::vector<int> next(std::int64_t count) {
        std::vector<int> part;
        part.reserve(static_cast<std::size_t>(count));
        for (std::string line; static_cast<std::int64_t>(part.size()) < count;) {
            validate<InputError>(static_cast<bool>(std::getline(file_, line)),
                                 path_ + ": ends after " + std::to_string(read_) +
                                     " part numbers (the mesh has " + std::to_string(size_) +
                                     " nodes). Make the partition for this mesh.");
            ++line_;
            if (!is_blank(line)) {
                part.push_back(number(line));
                ++read_;
            }
        }
        return part;
    }

    void expect_end() {
        for (std::string line; std::getline(file_, line);) {
            ++line_;
            validate<InputError>(is_blank(line), place(path_, line_) +
                                                     ": one part number too many (the mesh has " +
                                                     std::to_string(size_) +
                                                     " nodes). Make the partition for this mesh.");
        }
    }

private:
    static bool is_blank(const std::string& line) {
        return line.find_first_not_of(" \t\r") == std::string::npos;
    }

    [[nodiscard]] int number(const std::string& line) const {
        const std::size_t begin = line.find_first_not_of(" \t\r");
        const std::size_t end = line.find_last_not_of(" \t\r");
        const std::string word = line.substr(begin, end - begin + 1);
        const auto value = parse_integer(word);
        validate<InputError>(
            value && *value >= 0 && *value <= std::numeric_limits<int>::max(),
            place(path_, line_) + ": " + in_quotes(word) +
                " is not a part number (a partition file has one number from 0 on a "
                "line, one line a node). Correct the line.");
        return static_cast<int>(*value);
    }

    std::string path_;
    GlobalIndex size_;
    std::ifstream file_;
    int line_ = 0;
    GlobalIndex read_ = 0;
};

/// Blocks travel with a count in front; -1 says that reading failed and no more will come.
void send_block(const Communicator& comm, int rank, const std::vector<int>* part) {
    const std::int64_t count = part != nullptr ? static_cast<std::int64_t>(part->size()) : -1;
    check_mpi(MPI_Send(&count, 1, MPI_INT64_T, rank, partition_tag, comm.get()), "MPI_Send");
    if (count > 0) {
        check_mpi(MPI_Send(part->data(), static_cast<int>(count), MPI_INT, rank, partition_tag,
                           comm.get()),
                  "MPI_Send");
    }
}

std::vector<int> receive_block(const Communicator& comm, int rank) {
    std::int64_t count = 0;
    check_mpi(MPI_Recv(&count, 1, MPI_INT64_T, rank, partition_tag, comm.get(), MPI_STATUS_IGNORE),
              "MPI_Recv");
    std::vector<int> part(static_cast<std::size_t>(std::max<std::int64_t>(0, count)));
    if (count > 0) {
        check_mpi(MPI_Recv(part.data(), static_cast<int>(count), MPI_INT, rank, partition_tag,
                           comm.get(), MPI_STATUS_IGNORE),
                  "MPI_Recv");
    }
    return part;
}

std::vector<int> deal_text(const Communicator& comm, const std::string& path, GlobalIndex size) {
    int rank = 1;
    try {
        PartLines lines(path, size);
        const std::vector<int> mine = lines.next(block_range(size, 0, comm.size()).size());
        for (; rank < comm.size(); ++rank) {
            const std::vector<int> part = lines.next(block_range(size, rank, comm.size()).size());
            send_block(comm, rank, &part);
        }
        lines.expect_end();
        return mine;
    } catch (const Error&) {
        for (; rank < comm.size(); ++rank) {
            send_block(comm, rank, nullptr);
        }
        throw;
    }
}

std::vector<int> read_text(const Communicator& comm, const std::string& path, GlobalIndex size) {
    std::vector<int> part;
    run_agreed(comm, [&] {
        part = comm.is_root() ? deal_text(comm, path, size) : receive_block(comm, 0);
    });
    return part;
}

Hdf5Dataset open_parts(const Hdf5File& file, GlobalIndex size) {
    Hdf5Dataset dataset = file.dataset(dataset_name);
    const std::vector<hsize_t>& shape = dataset.shape();
    const bool one_a_node =
        !shape.empty() && shape[0] == static_cast<hsize_t>(size) &&
        std::all_of(shape.begin() + 1, shape.end(), [](hsize_t extent) { return extent == 1; });
    validate<InputError>(dataset.kind() == Hdf5Kind::integer && one_a_node,
                         "dataset '" + std::string(dataset_name) + "' of '" + file.path() +
                             "' is not a partition of this mesh (it needs " + std::to_string(size) +
                             " integers, one a node). Make the partition for this mesh.");
    dataset.require_stored();
    return dataset;
}

std::vector<int> read_hdf5(const Communicator& comm, const std::string& path, GlobalIndex size) {
    const Hdf5File file = Hdf5File::open(comm, path, role);
    std::vector<int> part;
    run_agreed(comm, [&] {
        const BlockRange block = block_range(size, comm.rank(), comm.size());
        part.resize(static_cast<std::size_t>(block.size()));
        open_parts(file, size).read(block, std::span<std::int32_t>(part));
    });
    return part;
}

/// Throws InputError on every rank where the file is not a regular one.
bool looks_like_hdf5(const Communicator& comm, const std::string& path) {
    int is_hdf5 = 0;
    run_agreed(comm, [&] {
        if (comm.is_root()) {
            require_regular_file(path, role);
        }
    });
    if (comm.is_root()) {
        std::array<char, 4> head{};
        std::ifstream(path, std::ios::binary).read(head.data(), head.size());
        is_hdf5 = std::memcmp(head.data(), "\x89HDF", head.size()) == 0 ? 1 : 0;
    }
    check_mpi(MPI_Bcast(&is_hdf5, 1, MPI_INT, 0, comm.get()), "MPI_Bcast");
    return is_hdf5 == 1;
}

void write_block(const OutputFile& file, std::span<const int> part) {
    std::string text;
    for (const int value : part) {
        text += std::to_string(value);
        text += '\n';
    }
    file.write(text);
}

/// What the other ranks send, written block after block; a block is taken even if the file failed.
void write_blocks(const Communicator& comm, const std::string& path, std::span<const int> mine) {
    OutputFile file;
    std::exception_ptr failure;
    const auto unless_failed = [&](auto&& work) {
        try {
            if (!failure) {
                work();
            }
        } catch (const Error&) {
            failure = std::current_exception();
        }
    };
    unless_failed([&] {
        file = OutputFile::create_text(path);
        write_block(file, mine);
    });
    for (int rank = 1; rank < comm.size(); ++rank) {
        const std::vector<int> block = receive_block(comm, rank);
        unless_failed([&] { write_block(file, block); });
    }
    unless_failed([&] { file.publish(); });
    if (failure) {
        std::rethrow_exception(failure);
    }
}

}  // namespace

std::vector<int> read_partition(const Communicator& comm, const std::string& path,
                                GlobalIndex size) {
    return looks_like_hdf5(comm, path) ? read_hdf5(comm, path, size) : read_text(comm, path, size);
}

void write_partition(const Communicator& comm, const std::string& path, std::span<const int> part) {
    run_agreed(comm, [&] {
        if (comm.is_root()) {
            write_blocks(comm, path, part);
        } else {
            const std::vector<int> mine(part.begin(), part.end());
            send_block(comm, 0, &mine);
        }
    });
}

}  // namespace halocline
