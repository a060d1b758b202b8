// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Words, and requests by name.
#include "halocline/backend/device/plans/strategy.hpp"

#include <algorithm>
#include <array>

#include "halocline/core/error.hpp"
#include "halocline/core/nearest.hpp"

namespace halocline::device {

namespace {

constexpr std::array<std::string_view, 2> words{"gather", "once"};

bool fits(StrategyFit fit, DeviceStrategy strategy) {
    return strategy == DeviceStrategy::gather ? fit.gather : fit.once;
}

}  // namespace

std::string_view strategy_name(DeviceStrategy strategy) {
    return words.at(static_cast<std::size_t>(strategy));
}

DeviceStrategy strategy_from_name(std::string_view name) {
    const auto* const found = std::find(words.begin(), words.end(), name);
    validate<UsageError>(found != words.end(), "unknown device strategy '" + std::string(name) +
                                                   "'. " + suggest_name(name, words));
    return static_cast<DeviceStrategy>(found - words.begin());
}

const StrategyTable::Request* StrategyTable::request(
    const LoopName& name, std::span<const std::string_view> members) const {
    if (options_.by_name.empty()) {
        return nullptr;
    }
    const auto by = [&](std::string_view wanted) {
        const auto found = std::find_if(options_.by_name.begin(), options_.by_name.end(),
                                        [&](const auto& asked) { return asked.first == wanted; });
        return found == options_.by_name.end() ? nullptr : &*found;
    };
    const Request* found = by(name.text());
    found = found != nullptr ? found : by(name.name);
    for (std::size_t m = 0; m < members.size() && found == nullptr; ++m) {
        found = by(members[m]);
    }
    return found;
}

DeviceStrategy StrategyTable::choose(const LoopName& name,
                                     std::span<const std::string_view> members,
                                     StrategyFit fit) const {
    const Request* const asked = request(name, members);
    const DeviceStrategy wanted = asked != nullptr ? asked->second : options_.usual;
    if (fits(fit, wanted)) {
        return wanted;
    }
    validate<ContractError>(
        asked == nullptr,
        "loop '" + name.text() + "' cannot run by '" + std::string(strategy_name(wanted)) +
            (wanted == DeviceStrategy::gather
                 ? "' (it does something once an element, or changes several dats of one type)."
                 : "' (it has too many arguments that change dats through maps).") +
            " Leave the choice to the library.");
    return wanted == DeviceStrategy::gather ? DeviceStrategy::once : DeviceStrategy::gather;
}

}  // namespace halocline::device
