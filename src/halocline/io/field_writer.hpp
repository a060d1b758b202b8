// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Writes a distributed field as MG-CFD's result files, rows in input order.
#pragma once

#include <cstdint>
#include <string>

#include "halocline/core/communicator.hpp"
#include "halocline/mesh/layout.hpp"
#include "halocline/mesh/part.hpp"

namespace halocline {

/// Writes the owned values of `dat` as dataset (global size, dim) of a new file, with OP2's
/// attributes `size`, `dim` and `type`. The file appears under its name only when it is complete,
/// and replaces an older one (see OutputFile).
///
/// @returns bytes of values written, over all ranks
/// @throws RunError on every rank when the file cannot be written; then nothing is left of it
/// @note Collective. Extra memory: a few windows of 32 MiB a rank.
std::int64_t write_field(const Communicator& comm, const std::string& path,
                         const std::string& dataset, const SetPart& set, const RawDat& dat);

}  // namespace halocline
