// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Which loop takes which strategy on a device: as asked for, if it can.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "halocline/backend/device/launch/options.hpp"
#include "halocline/loop/loop_name.hpp"

namespace halocline::device {

/// "gather" or "once".
[[nodiscard]] std::string_view strategy_name(DeviceStrategy strategy);
/// Throws UsageError naming the nearest known one.
[[nodiscard]] DeviceStrategy strategy_from_name(std::string_view name);

/// What these loops can do at all.
struct StrategyFit {
    bool gather = true;
    bool once = true;
};

/// What was asked for; the same on all ranks, as `choose` must be.
class StrategyTable {
public:
    explicit StrategyTable(StrategyOptions options) : options_(std::move(options)) {}

    /// For a loop, or a chain of the loops `members`: what was asked for it by name, else the usual
    /// one, and the other one where that does not fit. Throws ContractError when what was asked for
    /// by name does not fit.
    [[nodiscard]] DeviceStrategy choose(const LoopName& name,
                                        std::span<const std::string_view> members,
                                        StrategyFit fit) const;

private:
    using Request = std::pair<std::string, DeviceStrategy>;
    /// What was asked for this loop by name; null when nothing was.
    [[nodiscard]] const Request* request(const LoopName& name,
                                         std::span<const std::string_view> members) const;

    StrategyOptions options_;
};

}  // namespace halocline::device
