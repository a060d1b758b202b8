// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// How loops with increments run on a device: the words of --device-strategy, and what became of them.
#pragma once

#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/io/run_record.hpp"
#include "options.hpp"

namespace halocline::mgcfd {

/// A word is a strategy for all loops, or NAME=strategy for one (NAME.L2=strategy for one level); later
/// words win. Throws UsageError for unknown words and loops.
[[nodiscard]] StrategyOptions read_strategies(const std::vector<std::string>& words);

/// Adds to each loop of the account which strategy it took, and to the settings all of them. Collective.
void describe_strategies(Context& context, RunRecord& record);

}  // namespace halocline::mgcfd
