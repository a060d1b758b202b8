// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reports and exchange patterns as JSON text.
#pragma once

#include <string>
#include <vector>

#include "partition.hpp"

namespace halocline::meshtool {

/// The report; docs/partitioning.md explains every entry.
[[nodiscard]] std::string report_text(const PartitionReport& report,
                                      const PartitionOptions& options, int ranks);

/// docs/formats/exchange-pattern.md.
[[nodiscard]] std::string pattern_text(const WayReport& way, const PartitionOptions& options,
                                       const std::string& mesh);

}  // namespace halocline::meshtool
