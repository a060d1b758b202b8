// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Finds loops by name: a short list, searched from the front.
#include "halocline/loop/loop_table.hpp"

#include <cstring>

namespace halocline {

LoopStatistics& LoopTable::row(const LoopName& name) {
    for (Entry& entry : entries_) {
        if (entry.level == name.level &&
            (entry.name == name.name || std::strcmp(entry.name, name.name) == 0)) {
            return entry.statistics;
        }
    }
    LoopStatistics statistics;
    statistics.name = name.name;
    statistics.level = name.level;
    entries_.push_back({name.name, name.level, statistics});
    return entries_.back().statistics;
}

std::vector<LoopStatistics> LoopTable::rows() const {
    std::vector<LoopStatistics> result;
    for (const Entry& entry : entries_) {
        result.push_back(entry.statistics);
    }
    return result;
}

}  // namespace halocline
