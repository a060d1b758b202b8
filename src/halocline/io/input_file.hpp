// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// MG-CFD's input.dat: which mesh files make up the multigrid levels of a case.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "halocline/core/communicator.hpp"

namespace halocline {

/// Contents of an input.dat; docs/file_formats.md has the grammar.
struct MgcfdInput {
    std::string path;                      ///< as opened, for messages and records
    std::int64_t size = 0;                 ///< as the file has it
    int num_levels = 0;                    ///< grid levels, the finest included
    std::string mesh_name;                 ///< of the mesh
    int base_array_index = 1;              ///< first value of the maps in the files, 0 or 1
    std::vector<std::string> level_files;  ///< finest first, as written
    std::vector<std::string> mg_mapping;   ///< num_levels - 1 entries, or none; nothing reads them
};

/// Parses the text of an input.dat. `path` is used in messages only.
/// Throws InputError naming file, line and key.
[[nodiscard]] MgcfdInput parse_mgcfd_input(std::string_view text, const std::string& path);

/// Rank 0 reads and all ranks parse `path`. Collective. Throws InputError on every rank.
[[nodiscard]] MgcfdInput read_mgcfd_input(const Communicator& comm, const std::string& path);

/// `file` inside `directory`; `file` alone when `directory` is empty or `file` is absolute.
[[nodiscard]] std::string in_directory(const std::string& directory, const std::string& file);

}  // namespace halocline
