// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Words, requests by name, and the choice by measured times.
#include "halocline/backend/device/strategy.hpp"

#include <algorithm>
#include <utility>

#include "halocline/core/error.hpp"
#include "halocline/core/nearest.hpp"

namespace halocline::device {

namespace {

constexpr std::array<std::string_view, 3> words{"gather", "atomics", "auto"};

bool asks_for(const StrategyOptions& options, DeviceStrategy strategy) {
    return options.usual == strategy ||
           std::any_of(options.by_name.begin(), options.by_name.end(),
                       [&](const auto& request) { return request.second == strategy; });
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

bool measures_strategies(const StrategyOptions& options) {
    return !options.reproducible && asks_for(options, DeviceStrategy::automatic);
}

StrategyEntry::StrategyEntry(const LoopName& name, DeviceStrategy asked, StrategyFit fit)
    : name_(name), choice_(asked) {
    if (!(fit.gather && fit.atomics) && asked != DeviceStrategy::gather) {
        choice_ = fit.atomics ? DeviceStrategy::atomics : DeviceStrategy::gather;
    }
}

DeviceStrategy StrategyEntry::turn() const {
    if (decided()) {
        return choice_;
    }
    return executions_ % 2 == 0 ? DeviceStrategy::gather : DeviceStrategy::atomics;
}

void StrategyEntry::note(double seconds) {
    double& least = seconds_[index(turn())];
    if (executions_ >= 2) {
        least = std::min(least, seconds);
    }
    ++executions_;
}

void StrategyEntry::choose(double gather_s, double atomics_s) {
    seconds_ = {gather_s, atomics_s};
    choice_ = atomics_s < gather_s ? DeviceStrategy::atomics : DeviceStrategy::gather;
}

StrategyTable::StrategyTable(StrategyOptions options) : options_(std::move(options)) {
    validate<ContractError>(
        !options_.reproducible || !asks_for(options_, DeviceStrategy::atomics),
        "the device strategy 'atomics' adds in no fixed order, and the run is to be reproducible. "
        "Choose 'gather', or do without reproducible results.");
}

const StrategyRequest* StrategyTable::request(const LoopName& name,
                                              std::span<const std::string_view> members) const {
    const auto by = [&](std::string_view wanted) {
        const auto found = std::find_if(options_.by_name.begin(), options_.by_name.end(),
                                        [&](const auto& asked) { return asked.first == wanted; });
        return found == options_.by_name.end() ? nullptr : &*found;
    };
    const StrategyRequest* found = by(name.text());
    found = found != nullptr ? found : by(name.name);
    for (std::size_t m = 0; m < members.size() && found == nullptr; ++m) {
        found = by(members[m]);
    }
    return found;
}

StrategyEntry& StrategyTable::entry(const LoopName& name, std::span<const std::string_view> members,
                                    StrategyFit fit) {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const auto& entry) {
        return std::string_view(entry.name().name) == name.name && entry.name().level == name.level;
    });
    if (found != entries_.end()) {
        return *found;
    }
    const StrategyRequest* const asked = request(name, members);
    validate<ContractError>(
        asked == nullptr || asked->second != DeviceStrategy::atomics || fit.atomics,
        "loop '" + name.text() +
            "' cannot run with atomics (a dat in it is stored as a temporary and is none, or it "
            "has no such form on this device). Choose 'gather'.");
    fit.atomics = fit.atomics && !options_.reproducible;
    return entries_.emplace_back(name, asked != nullptr ? asked->second : options_.usual, fit);
}

const StrategyEntry* StrategyTable::find(std::string_view name, int level) const {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const auto& entry) {
        return entry.name().name == name && entry.name().level == level;
    });
    return found == entries_.end() ? nullptr : &*found;
}

bool StrategyTable::pending() const {
    return std::any_of(entries_.begin(), entries_.end(),
                       [](const auto& entry) { return !entry.decided(); });
}

}  // namespace halocline::device
