// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Strategies by name, checked against the loops that there are.
#include "halocline/run/strategies.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "halocline/backend/device/plans/strategy.hpp"
#include "halocline/core/error.hpp"
#include "halocline/core/nearest.hpp"

namespace halocline::run {

namespace {

/// The name without a level: `restrict` of `restrict.L2`.
std::string_view without_level(std::string_view name) {
    const std::size_t dot = name.rfind(".L");
    const bool has_level = dot != std::string_view::npos && dot + 2 < name.size() &&
                           name.find_first_not_of("0123456789", dot + 2) == std::string_view::npos;
    return has_level ? name.substr(0, dot) : name;
}

void require_known(std::string_view word, std::string_view loop,
                   std::span<const std::string_view> known) {
    if (std::find(known.begin(), known.end(), loop) == known.end()) {
        throw UsageError("device strategy '" + std::string(word) + "': no loop '" +
                         std::string(loop) + "' changes elements through a map. " +
                         suggest_name(loop, known));
    }
}

/// What the loop table may say, on cores and on devices.
constexpr std::array<std::string_view, 8> row_strategies{
    "", "direct", "loop by loop", "fused", "scatter", "two-ended", "gather", "once"};
constexpr std::int64_t device_bonus = row_strategies.size();

/// A row's strategy by number; those of devices are larger than all others.
std::int64_t number_of(const LoopStatistics& row) {
    const auto* const found = std::find(row_strategies.begin(), row_strategies.end(), row.strategy);
    const std::int64_t number = found == row_strategies.end() ? 0 : found - row_strategies.begin();
    return number + (number > 0 && row.on_device ? device_bonus : 0);
}

}  // namespace

StrategyOptions read_strategies(const std::vector<std::string>& words,
                                std::span<const std::string_view> known) {
    StrategyOptions options;
    for (const std::string& word : words) {
        const std::size_t equals = word.find('=');
        const bool is_named = equals != std::string::npos;
        const DeviceStrategy strategy =
            device::strategy_from_name(is_named ? word.substr(equals + 1) : word);
        if (is_named) {
            const std::string loop = word.substr(0, equals);
            require_known(word, without_level(loop), known);
            options.by_name.insert(options.by_name.begin(), {loop, strategy});
        } else {
            options.usual = strategy;
        }
    }
    return options;
}

void describe_strategies(Context& context, RunRecord& record) {
    const Communicator& comm = context.comm();
    std::map<std::string, std::string> used;
    for (record::Loop& loop : record.loops) {
        const LoopName name(loop.name.c_str(), static_cast<int>(loop.level.value_or(-1)));
        const LoopStatistics& row = context.loops().row(name);
        const std::int64_t number = comm.max(number_of(row));
        if (number == 0) {
            continue;
        }
        loop.strategy =
            std::string(row_strategies.at(static_cast<std::size_t>(number % device_bonus)));
        std::string& text = used[loop.name];
        if (text.find(*loop.strategy) == std::string::npos) {
            text += (text.empty() ? "" : ", ") + *loop.strategy;
        }
    }
    record.settings.strategies = used;
}

}  // namespace halocline::run
