// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// MG-CFD's `-c` file: a batch of settings, one `key = value` a line.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "halocline/core/communicator.hpp"

namespace halocline {

/// One setting and where it stands.
struct ConfigSetting {
    std::string key;    ///< as written
    std::string value;  ///< may be empty: an empty prefix or directory is a value
    std::string file;   ///< that has the line
    int line = 0;       ///< number of the line, from 1
};

/// The keys that MG-CFD's configuration files use.
[[nodiscard]] std::span<const std::string_view> mgcfd_config_keys();

/// Settings of `text` in file order. Throws InputError naming file, line and nearest known key for
/// an unknown or repeated key and for a line without `=`.
[[nodiscard]] std::vector<ConfigSetting> parse_config(std::string_view text,
                                                      const std::string& path,
                                                      std::span<const std::string_view> known_keys);

/// Rank 0 reads and all ranks parse `path`. Collective. Throws InputError on every rank.
[[nodiscard]] std::vector<ConfigSetting> read_config_file(
    const Communicator& comm, const std::string& path,
    std::span<const std::string_view> known_keys);

/// The value as `Y` (true) or `N` (false). Throws InputError otherwise.
[[nodiscard]] bool config_flag(const ConfigSetting& setting);

/// The value as an integer of at least `least`. Throws InputError otherwise.
[[nodiscard]] std::int64_t config_integer(const ConfigSetting& setting, std::int64_t least);

}  // namespace halocline
