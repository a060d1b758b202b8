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
/// words win. Throws UsageError for unknown words and loops, and for atomics in a reproducible run.
[[nodiscard]] StrategyOptions read_strategies(const std::vector<std::string>& words,
                                              bool reproducible);

/// Adds to each loop of the account which strategy it took and what was measured, and to the settings
/// what that means for the run as a whole. Collective.
void describe_strategies(Context& context, RunRecord& record);

}  // namespace halocline::mgcfd
