// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rows of fields on their way into files: what writers are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/core/output_file.hpp"
#include "halocline/io/block_exchange.hpp"
#include "halocline/io/hdf5_image.hpp"
#include "halocline/io/row_pattern.hpp"
#include "halocline/mesh/dat.hpp"

namespace halocline {

struct FieldToWrite;

/// Throws the ContractErrors of `write_fields`: for temporaries, and for two datasets of one name.
void require_writable(const std::string& path, const std::vector<FieldToWrite>& fields);

/// Owned rows of one field: a dat as it lies, or rows of it that were set aside.
struct FieldRows {
    std::string dataset;                  ///< name in the file
    const RowPattern* pattern = nullptr;  ///< which rows of the file they are; outlives it
    RawDat values;                        ///< (owned elements, dim)
    RowOrder order = RowOrder::local;     ///< in which order they lie
    /// for several writes, one after the other; null: each call takes its own
    ExchangeMemory* memory = nullptr;

    /// Bytes of the values of all ranks.
    [[nodiscard]] std::int64_t bytes() const {
        return pattern->set().global_size * static_cast<std::int64_t>(bytes_of(values.type)) *
               values.dim;
    }
};

/// What `write_fields` does, for rows and the image of them. Calls no HDF5: threads beside the main one may
/// write. Collective.
void write_field_rows(const Communicator& comm, const std::string& path, const Hdf5Image& image,
                      const std::vector<FieldRows>& fields);

/// Rank 0 makes the file and lays it out, all but the values; the others open it. Collective.
[[nodiscard]] OutputFile create_together(const Communicator& comm, const std::string& path,
                                         const Hdf5Image& image);

/// Called with rows of this rank's block of the file, in order, and the number of the first.
using RowsSeen = std::function<void(std::int64_t first_row, std::span<const std::byte> rows)>;

/// Where the next rows of a block may be put together; `count` rows, at most `most_rows_at_once`.
using RowsRoom = std::function<std::byte*(std::int64_t count)>;

/// Puts rows into the order of the file, some at a time: asks for room, fills it, and says so. `room`
/// and `filled` may throw: the rows of the other ranks still pass, then all ranks throw the error of the
/// lowest. Collective.
void for_rows_in_order(const Communicator& comm, const FieldRows& rows, const RowsRoom& room,
                       const RowsSeen& filled);

/// Writes the rows of one field, which begin at `data_offset` of the file. A rank that cannot write
/// lets the rows of the others pass; then all throw its error. Collective.
void write_rows(const Communicator& comm, const OutputFile& file, std::uint64_t data_offset,
                const FieldRows& field, const RowsSeen& seen);

/// The file is on the disk and has its name when all ranks return. Collective.
void publish_together(const Communicator& comm, OutputFile& file);

}  // namespace halocline
