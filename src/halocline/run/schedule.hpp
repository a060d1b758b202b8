// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// After which steps something is to happen: every K, every so many seconds, or in a list.
#pragma once

#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"

namespace halocline::run {

class Schedule {
public:
    /// Never.
    Schedule() = default;
    /// "10": every ten steps; "30s", "0.5s": when so many seconds have passed since the last time;
    /// "1,5,20": after these steps. Empty: never. Throws UsageError naming `key`.
    Schedule(const std::string& text, const std::string& key);

    [[nodiscard]] bool is_empty() const {
        return interval_ == 0 && seconds_ == 0.0 && list_.empty();
    }
    /// Whether it is time after `step`: the same answer on all ranks, by the clock of rank 0. Asked once
    /// a step. Collective.
    [[nodiscard]] bool is_due(const Communicator& comm, int step);
    /// How often it is time from step `first` to step `last`; at most that where it goes by seconds.
    [[nodiscard]] int count(int first, int last) const;
    [[nodiscard]] bool goes_by_clock() const { return seconds_ > 0.0; }

private:
    int interval_ = 0;
    double seconds_ = 0.0;
    std::vector<int> list_;
    double last_s_ = 0.0;
};

}  // namespace halocline::run
