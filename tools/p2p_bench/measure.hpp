// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rows of the report: patterns over paths, each proven before and after it is timed.
#pragma once

#include "console.hpp"
#include "exchange_pattern.hpp"
#include "path.hpp"
#include "report.hpp"

namespace halocline::p2p {

/// Memory, device link and network; other ranks wait. Collective.
void measure_limits(const Communicator& comm, const Options& options, Device* device,
                    Report& report);

/// Collective.
void measure_all(const PathContext& context, const std::vector<std::string>& paths,
                 const std::vector<std::string>& patterns, const ExchangePattern* file,
                 const Console& console, Report& report);

}  // namespace halocline::p2p
