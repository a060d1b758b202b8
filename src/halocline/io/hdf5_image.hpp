// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The bytes of an HDF5 file but its fields, made in memory.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "halocline/core/element_type.hpp"

namespace halocline {

/// Everything of a file but the values of its contiguous datasets.
///
/// HDF5 lays the file out in memory and we write it. The reason: when a disk is full, closing a file
/// in HDF5 1.10 fails half-way, and the library then crashes in MPI_Finalize, where it closes what it
/// believes open. What never touches the disk cannot fail; our own writes fail with a reason.
struct Hdf5Image {
    /// Bytes that follow each other in the file.
    struct Piece {
        std::uint64_t at = 0;     ///< offset in the file
        std::vector<char> bytes;  ///< what stands there
    };
    std::vector<Piece> pieces;                ///< in the order of writing: later ones win
    std::uint64_t file_bytes = 0;             ///< size of the complete file
    std::vector<std::uint64_t> data_offsets;  ///< where values begin, rows of native values

    /// A dataset to be: `name`, (rows, dim) values.
    struct Shape {
        std::string name;                         ///< of the dataset, with groups
        std::int64_t rows = 0;                    ///< number of rows
        int dim = 1;                              ///< values of a row
        ElementType type = ElementType::float64;  ///< of a value
        std::string parts{};  ///< what its columns are: see `RowPart`; empty: not said
    };

    /// What a file says of itself: an attribute of its root group.
    struct Attribute {
        std::string name;                               ///< of the attribute
        std::variant<std::string, std::int64_t> value;  ///< text, or a whole number
    };
};

/// A file with a dataset for each of `shapes`, with OP2's attributes: `size` (bytes of a row) and
/// `dim`, integers in arrays of one, and `type`, the string "double", "float", "int" or "long" without
/// terminator; and `parts` where a shape has them.
/// The same bytes on every rank.
[[nodiscard]] Hdf5Image make_field_image(const std::vector<Hdf5Image::Shape>& shapes,
                                         const std::vector<Hdf5Image::Attribute>& attributes = {});

}  // namespace halocline
