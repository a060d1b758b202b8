// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A two-level mesh small enough to know by heart, as lists of datasets that tests can spoil.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <string>
#include <vector>

namespace halocline::testing {

enum class FileType { int32, int64, float64, float32, text };

/// One dataset as it goes to the file; integers are exact in doubles.
struct RawDataset {
    std::string name;
    std::vector<std::uint64_t> shape;
    FileType type = FileType::float64;
    std::vector<double> values;
    bool stored = true;                ///< false: declared only
    std::vector<std::uint64_t> chunk;  ///< not empty: chunked and compressed
};

struct RawFile {
    std::vector<RawDataset> datasets;

    [[nodiscard]] RawDataset& at(const std::string& name);
    void remove(const std::string& name);
};

/// Level 0 of the unit cube: node 4 k + 2 j + i at (i, j, k); edges along x, then y, then z; edge
/// weights 1/4 along the edge; three outward faces at every corner, area 1/4, group 4 at x = 1 and
/// 1 elsewhere; dual volumes 1/8; parent k. All indices start at `base`. Duals are closed.
[[nodiscard]] RawFile cube_level(int base = 0, const std::string& family = "");

/// Level 1: two nodes on the z axis and the edge between them.
[[nodiscard]] RawFile pair_level(int base = 0, const std::string& family = "");

/// Writes with HDF5's serial driver, replacing the file, in formats from `oldest` on.
void write_file(const std::string& path, const RawFile& file,
                H5F_libver_t oldest = H5F_LIBVER_EARLIEST);

}  // namespace halocline::testing
