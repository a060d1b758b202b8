// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Partition vectors in files: which part each node of the finest level belongs to.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/core/types.hpp"

namespace halocline {

/// This rank's block of a partition of `size` elements, in file order. `path` is text with one part
/// number a line (as METIS writes), or HDF5 with a dataset `part` of `size` integers. Only rank 0
/// reads text, block by block. Collective. Throws InputError on every rank, naming the line.
[[nodiscard]] std::vector<int> read_partition(const Communicator& comm, const std::string& path,
                                              GlobalIndex size);

/// Replaces `path` by one part number a line; `part` is this rank's block in file order. Collective.
/// Throws RunError on every rank when the file cannot be written.
void write_partition(const Communicator& comm, const std::string& path, std::span<const int> part);

}  // namespace halocline
