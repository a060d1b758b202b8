// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// How loops run: the words of --device-strategy, and what every loop took.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/io/run_record.hpp"
#include "halocline/run/options.hpp"

namespace halocline::run {

/// A word is a strategy for all loops, or NAME=strategy for one of `known` (NAME.L2=strategy for one
/// level); later words win. Throws UsageError for unknown words and loops.
[[nodiscard]] StrategyOptions read_strategies(const std::vector<std::string>& words,
                                              std::span<const std::string_view> known);

/// Adds to each loop of the account which strategy it took, on a device where one ran it, and to the
/// settings all of them. Collective.
void describe_strategies(Context& context, RunRecord& record);

}  // namespace halocline::run
