// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a mesh file calls its groups of boundary entries.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "halocline/io/hdf5.hpp"

namespace halocline {

/// Names by number, from the attribute `bnd_group_names`; empty where it is missing or unreadable.
[[nodiscard]] std::map<std::int64_t, std::string> read_group_names(const Hdf5File& file);

}  // namespace halocline
