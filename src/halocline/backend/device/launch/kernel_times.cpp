// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/backend/device/launch/kernel_times.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace halocline::device {

/// The first launch of a loop is never a sample: it loads the kernel.
bool KernelTimes::is_measured(const Launch& launch) {
    const bool is_loop = launch.part != LaunchPart::join && launch.part != LaunchPart::pack;
    if (!is_loop || which_ == LoopTimes::off) {
        return false;
    }
    if (which_ == LoopTimes::all) {
        return true;
    }
    if (repetition_ != Repetition::none) {
        return repetition_ == Repetition::measured;
    }
    int& launches = launches_[{launch.name.name, launch.name.level}];
    // All launches of a call, or none.
    launches += launch.part == LaunchPart::rest ? 0 : 1;
    return launches % sample_interval == 2;
}

void KernelTimes::submit(const Launch& launch, Stream& stream,
                         const std::function<void(Stream&)>& submit) {
    if (!is_measured(launch)) {
        submit(stream);
        return;
    }
    if (waiting_.size() == most_timers) {
        read(most_timers / 2);  // the older half: nobody waits long for it
    }
    waiting_.push_back({launch.name, launch.part, device_.make_timer()});
    waiting_.back().timer->start(stream);
    submit(stream);
    waiting_.back().timer->stop(stream);
}

void KernelTimes::read(std::size_t count) {
    const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(count);
    for (auto call = waiting_.begin(); call != end; ++call) {
        const LoopName& name = call->name;
        auto sum = std::find_if(sums_.begin(), sums_.end(), [&](const TimedSum& each) {
            return each.name.level == name.level && std::string_view(each.name.name) == name.name;
        });
        if (sum == sums_.end()) {
            sums_.push_back({name});
            sum = std::prev(sums_.end());
        }
        sum->seconds += call->timer->seconds();
        sum->calls += call->part == LaunchPart::rest ? 0 : 1;
    }
    waiting_.erase(waiting_.begin(), end);
}

void KernelTimes::collect(LoopTable& table) {
    read(waiting_.size());
    for (const TimedSum& sum : sums_) {
        LoopStatistics& row = table.row(sum.name);
        row.timed_s += sum.seconds;
        row.timed_calls += sum.calls;
    }
    sums_.clear();
    for (LoopStatistics& row : table.rows()) {
        if (row.on_device) {
            row.seconds = row.timed_calls == 0
                              ? 0.0
                              : row.timed_s / static_cast<double>(row.timed_calls) *
                                    static_cast<double>(row.calls);
        }
    }
}

}  // namespace halocline::device
