// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Finds loops by name: a short list, searched from the front.
#include "halocline/loop/loop_table.hpp"

#include <utility>

namespace halocline {

LoopStatistics& LoopTable::row(const LoopName& name) {
    for (LoopStatistics& entry : rows_) {
        if (entry.level == name.level && entry.name == name.name) {
            return entry;
        }
    }
    LoopStatistics statistics;
    statistics.name = name.name;
    statistics.level = name.level;
    rows_.push_back(std::move(statistics));
    return rows_.back();
}

}  // namespace halocline
