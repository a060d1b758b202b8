// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Points, cells and boundary faces that mesh files keep for pictures.
#pragma once

#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/io/results_file.hpp"

namespace halocline {

/// A level file as a block of a results file, without fields: its cells, where it keeps some. Collective.
/// Throws InputError on every rank for a file that cannot be read or has no coordinates.
[[nodiscard]] ResultBlock read_level_block(const Communicator& comm, const std::string& path,
                                           const std::string& name);

/// The boundary groups of a level file, named as the file names them, on the points of `block`. Empty
/// where the file keeps no faces. Collective.
[[nodiscard]] std::vector<ResultBlock> read_boundary_blocks(const Communicator& comm,
                                                            const std::string& path,
                                                            const std::string& block);

}  // namespace halocline
