// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// From rows of a snapshot to one step of a results file.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "halocline/core/communicator.hpp"
#include "halocline/io/field_writer.hpp"
#include "halocline/io/results_file.hpp"

namespace halocline::output {

/// Called with rows of this rank's block, in file order, and the number of the first.
using RowsInOrder = std::function<void(std::int64_t first_row, std::span<const double> rows)>;

/// Brings rows of doubles into the order of the file, window by window. `work` may throw: the rows of the
/// other ranks still pass, then all ranks throw its error. Collective.
void for_rows_in_order(const Communicator& comm, const FieldRows& rows, const RowsInOrder& work);

/// The rows are a field of the file's first block. Collective.
void write_field(const Communicator& comm, const ResultsFile& file, std::size_t field,
                 const FieldRows& rows);

}  // namespace halocline::output
