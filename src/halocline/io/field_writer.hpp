// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Writes dats as MG-CFD's result files have them, rows in input order.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/core/output_file.hpp"
#include "halocline/io/block_exchange.hpp"
#include "halocline/io/hdf5_image.hpp"
#include "halocline/io/row_pattern.hpp"
#include "halocline/mesh/dat.hpp"

namespace halocline {

/// Columns of a dat that belong together, such as the components of a velocity.
struct RowPart {
    std::string name;  ///< without blanks and colons
    int columns = 1;   ///< how many
};

/// As a dataset's attribute `parts` has them: "velocity:2 pressure:1".
[[nodiscard]] std::string text_of(const std::vector<RowPart>& parts);

/// A dat and the dataset it becomes: its own name unless another is given. The dat outlives it.
struct FieldToWrite {
    std::string dataset;              ///< name in the file
    const DatStore* store = nullptr;  ///< the dat
    std::vector<RowPart> parts;       ///< of its rows, from the first column on; none: not said

    /// A dat without its type, under a name.
    FieldToWrite(std::string name, const DatStore& dat, std::vector<RowPart> parts_of_rows = {})
        : dataset(std::move(name)), store(&dat), parts(std::move(parts_of_rows)) {}
    /// A dat under a name.
    template <class Tag, class T, int dim, class Storage>
    FieldToWrite(std::string name, const Dat<Tag, T, dim, Storage>& dat)
        : FieldToWrite(std::move(name), dat.store()) {}
    /// A dat under its own name.
    template <class Tag, class T, int dim, class Storage>
    FieldToWrite(const Dat<Tag, T, dim, Storage>& dat)
        : FieldToWrite(dat.store().name, dat.store()) {}
};

/// Writes the owned values of dats to one new file: `write_fields(comm, "flow.h5", {q, {"p", rho}})`.
///
/// Each becomes a dataset (global size, dim) of its own type with OP2's attributes `size`, `dim` and
/// `type`; rows are in the order of the declaration, whatever the ranks. The file appears under its name only when it
/// is complete, and replaces an older one (see OutputFile).
///
/// @returns bytes of values written, over all ranks
/// @throws RunError on every rank when the file cannot be written; then nothing is left of it.
///         ContractError for temporaries and for two datasets of one name
/// @note Collective. Extra memory: a few windows of 32 MiB a rank.
std::int64_t write_fields(const Communicator& comm, const std::string& path,
                          const std::vector<FieldToWrite>& fields);

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
