// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Fields from a file that is open already, for code that checks what it reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/io/field_reader.hpp"

namespace halocline {

class Hdf5File;

/// Called with rows of this rank's block of a field, by its place in the list, and the number of the
/// first row.
using RowsRead = std::function<void(std::size_t field, std::size_t row_bytes,
                                    std::uint64_t first_row, std::span<const std::byte> rows)>;

/// `read_fields` of field_reader.hpp from an open file; `seen` gets what is read.
void read_fields(const Communicator& comm, const Hdf5File& file,
                 const std::vector<FieldToRead>& fields, const RowsRead& seen = {});

}  // namespace halocline
