// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Writes dats as MG-CFD's result files have them, rows in input order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "halocline/core/communicator.hpp"
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
    FieldToWrite(std::string_view name, const DatStore& dat,
                 std::vector<RowPart> parts_of_rows = {});
    /// A dat under a name.
    template <class Tag, class T, int dim, class Storage>
    FieldToWrite(std::string_view name, const Dat<Tag, T, dim, Storage>& dat)
        : FieldToWrite(name, dat.store()) {}
    /// A dat under its own name.
    template <class Tag, class T, int dim, class Storage>
    FieldToWrite(const Dat<Tag, T, dim, Storage>& dat)
        : FieldToWrite(dat.store().name, dat.store()) {}
    ~FieldToWrite();
    /// A copy of the description, not of values.
    FieldToWrite(const FieldToWrite&);
    FieldToWrite& operator=(const FieldToWrite&);
    FieldToWrite(FieldToWrite&&) noexcept;
    FieldToWrite& operator=(FieldToWrite&&) noexcept;
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

}  // namespace halocline
