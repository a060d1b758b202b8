// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Bytes as a list of ways to spoil a mesh: the reader refuses it with a sentence, or every index and
// value of what it accepts is good. (Random bytes as an HDF5 file would only test HDF5.)
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <span>
#include <string>

#include "halocline/core/communicator.hpp"
#include "halocline/core/error.hpp"
#include "halocline/io/mesh_reader.hpp"
#include "mpi/io/tiny_mesh.hpp"

namespace {

using halocline::GlobalIndex;
using halocline::testing::FileType;
using halocline::testing::RawDataset;
using halocline::testing::RawFile;

std::string folder;

void remove_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
}

void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

/// Takes numbers from the input; zeros when it is used up.
class Source {
public:
    explicit Source(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    [[nodiscard]] bool empty() const { return bytes_.empty(); }
    unsigned byte() {
        if (bytes_.empty()) {
            return 0;
        }
        const unsigned value = bytes_.front();
        bytes_ = bytes_.subspan(1);
        return value;
    }
    std::size_t below(std::size_t bound) {
        return bound == 0 ? 0 : (byte() * 256U + byte()) % bound;
    }

private:
    std::span<const std::uint8_t> bytes_;
};

double strange_value(Source& source) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    constexpr std::array<double, 12> values{
        0, -1, 1, 8, 2, 0.5, 2147483647.0, -2147483648.0, 4294967296.0, inf, -inf, 1e300};
    const std::size_t choice = source.below(values.size() + 1);
    return choice < values.size() ? values[choice] : std::numeric_limits<double>::quiet_NaN();
}

void reshape(RawDataset& one, Source& source) {
    constexpr std::array<std::uint64_t, 8> extents{
        0, 1, 2, 3, 8, 12, std::uint64_t{1} << 31U, std::uint64_t{1} << 62U};
    one.shape.resize(source.below(4));
    for (std::uint64_t& extent : one.shape) {
        extent = extents[source.below(extents.size())];
    }
    std::uint64_t size = 1;
    for (const std::uint64_t extent : one.shape) {
        size =
            std::min<std::uint64_t>(size, 1U << 16U) * std::min<std::uint64_t>(extent, 1U << 16U);
    }
    if (size <= 4096) {
        one.values.resize(size, 1.0);
    }
}

void spoil(RawFile& file, Source& source) {
    RawDataset& one = file.datasets[source.below(file.datasets.size())];
    switch (source.byte() % 8) {
        case 0:
            file.remove(std::string(one.name));
            break;
        case 1:
            reshape(one, source);
            break;
        case 2:
            one.type = static_cast<FileType>(source.below(5));
            break;
        case 3:
            one.stored = source.byte() % 2 == 0;
            break;
        case 4:
            one.chunk.assign(one.shape.size(), 1 + source.below(4));
            break;
        case 5:
            one.name += "x";
            break;
        default:
            if (!one.values.empty()) {
                one.values[source.below(one.values.size())] = strange_value(source);
            }
    }
}

void check(const halocline::MgcfdMesh& mesh) {
    for (const auto& map : mesh.declaration.maps) {
        const GlobalIndex rows = mesh.declaration.sets[static_cast<std::size_t>(map.from)].size;
        const GlobalIndex targets = mesh.declaration.sets[static_cast<std::size_t>(map.to)].size;
        require(map.targets.size() == static_cast<std::size_t>(rows * map.arity));
        for (const GlobalIndex target : map.targets) {
            require(target >= 0 && target < targets);
        }
    }
    for (const auto& dat : mesh.declaration.dats) {
        const GlobalIndex rows = mesh.declaration.sets[static_cast<std::size_t>(dat.set)].size;
        require(dat.count() == static_cast<std::size_t>(rows * dat.dim));
        for (const double value : dat.doubles()) {
            require(std::isfinite(value));
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
    MPI_Init(argc, argv);
    std::string made = (std::filesystem::temp_directory_path() / "halocline-fuzz-XXXXXX").string();
    require(::mkdtemp(made.data()) != nullptr);
    folder = made;
    std::atexit(remove_folder);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Source source({data, size});
    const unsigned mode = source.byte();
    const int base = static_cast<int>(mode & 1U);
    const bool legacy = (mode & 2U) != 0;
    RawFile fine = halocline::testing::cube_level(base, legacy ? "legacy" : "");
    RawFile coarse = halocline::testing::pair_level(base, legacy ? "legacy" : "");
    for (int faults = 0; faults < 16 && !source.empty(); ++faults) {
        RawFile& file = source.byte() % 4 == 0 ? coarse : fine;
        if (!file.datasets.empty()) {
            spoil(file, source);
        }
    }
    halocline::testing::write_file(folder + "/cube.h5", fine);
    halocline::testing::write_file(folder + "/pair.h5", coarse);
    halocline::MgcfdInput input;
    input.num_levels = 2;
    input.base_array_index = static_cast<int>(mode >> 2U & 1U) ^ base;
    input.level_files = {"cube.h5", "pair.h5"};
    const halocline::Communicator comm(MPI_COMM_SELF);
    try {
        check(halocline::read_mgcfd_mesh(comm, input, folder, {legacy, true}));
    } catch (const halocline::Error& error) {
        const std::string message = error.what();
        require(error.code() == halocline::ExitCode::invalid_input);
        require(message.find(".h5") != std::string::npos && message.size() < 2000);
    }
    return 0;
}
