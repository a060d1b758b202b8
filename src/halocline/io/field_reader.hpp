// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reads a field of a file with rows in input order into the elements that ranks own.
#pragma once

#include <string>

#include "halocline/core/communicator.hpp"
#include "halocline/mesh/dat.hpp"

namespace halocline {

/// Fills the owned values of `dat` from a dataset (global size, dim) of reals; dim 1 may be (N,).
/// Halos and derived values are old from here on: loops bring them up to date. Collective.
/// @throws InputError on every rank naming file and dataset: missing, wrong type, wrong shape; the
///         values are as before then
void read_field(const Communicator& comm, const std::string& path, const std::string& dataset,
                DatStore& dat);

/// True on every rank when `path` is there. Collective.
[[nodiscard]] bool file_exists(const Communicator& comm, const std::string& path);

}  // namespace halocline
