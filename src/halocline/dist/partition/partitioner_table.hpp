// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The table of partitioners; its source is generated from the files in partitioners/.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "halocline/dist/partition/partitioner.hpp"

namespace halocline::dist {

/// A partitioner by name.
struct PartitionerEntry {
    std::string_view name;                   ///< as users write it
    std::unique_ptr<Partitioner> (*make)();  ///< makes one
};

/// All partitioners of this build, by name.
[[nodiscard]] std::span<const PartitionerEntry> partitioner_table();

}  // namespace halocline::dist
