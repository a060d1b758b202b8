// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Which loop takes which strategy on a device: as asked for, or as measured in its first executions.
#pragma once

#include <array>
#include <deque>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "halocline/backend/device/options.hpp"
#include "halocline/loop/loop.hpp"

namespace halocline::device {

/// "gather", "atomics" or "auto".
[[nodiscard]] std::string_view strategy_name(DeviceStrategy strategy);
/// Throws UsageError naming the nearest known one.
[[nodiscard]] DeviceStrategy strategy_from_name(std::string_view name);
/// Whether any loop may be measured.
[[nodiscard]] bool measures_strategies(const StrategyOptions& options);

using StrategyRequest = std::pair<std::string, DeviceStrategy>;

/// What these loops can do at all.
struct StrategyFit {
    bool gather = true;
    bool atomics = true;
};

/// One loop, or chain, of one level.
class StrategyEntry {
public:
    /// Executions of each strategy before the choice. The first one is not timed: it loads kernels.
    static constexpr int trials = 4;
    static constexpr int executions_to_choose = 2 * trials;
    static constexpr double unmeasured = std::numeric_limits<double>::infinity();

    StrategyEntry(const LoopName& name, DeviceStrategy asked, StrategyFit fit);

    [[nodiscard]] const LoopName& name() const { return name_; }
    [[nodiscard]] bool decided() const { return choice_ != DeviceStrategy::automatic; }
    /// Of the next execution: the choice, or whose turn it is. The strategies take turns, so that what
    /// disturbs the machine for a while disturbs both.
    [[nodiscard]] DeviceStrategy turn() const;
    /// The execution whose turn it was took so long.
    void note(double seconds);
    [[nodiscard]] bool complete() const { return executions_ == executions_to_choose; }
    /// The least of this rank; `unmeasured` where there is none.
    [[nodiscard]] double seconds(DeviceStrategy strategy) const {
        return seconds_[index(strategy)];
    }
    /// Keeps the faster one by `seconds`, those of the slowest rank: the same on all.
    void choose(double gather_s, double atomics_s);

private:
    static std::size_t index(DeviceStrategy strategy) {
        return strategy == DeviceStrategy::atomics ? 1 : 0;
    }

    LoopName name_;
    DeviceStrategy choice_;
    int executions_ = 0;
    std::array<double, 2> seconds_{unmeasured, unmeasured};
};

class StrategyTable {
public:
    /// Throws ContractError when atomics are asked for in reproducible mode.
    explicit StrategyTable(StrategyOptions options);

    [[nodiscard]] const StrategyOptions& options() const { return options_; }
    /// The entry of a loop, or of a chain of the loops `members`; made at first sight. Throws
    /// ContractError when what was asked for does not fit it.
    StrategyEntry& entry(const LoopName& name, std::span<const std::string_view> members,
                         StrategyFit fit);
    /// Null for loops that have no choice.
    [[nodiscard]] const StrategyEntry* find(std::string_view name, int level) const;
    /// Whether some loop is still measured.
    [[nodiscard]] bool pending() const;

private:
    /// What was asked for this loop by name; null when nothing was.
    [[nodiscard]] const StrategyRequest* request(const LoopName& name,
                                                 std::span<const std::string_view> members) const;

    StrategyOptions options_;
    std::deque<StrategyEntry> entries_;
};

}  // namespace halocline::device
