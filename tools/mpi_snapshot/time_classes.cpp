// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Sums and quantiles of time classes, in integers: a program may trap on floating-point exceptions.
#include "time_classes.hpp"

namespace halocline::snapshot {

void TimeDistribution::add(const TimeClasses& classes) {
    for (int place = 0; place < time_class_count; ++place) {
        const std::uint32_t count = classes.counts[place].load(std::memory_order_relaxed);
        counts_[place] += count;
        total_ += count;
    }
}

std::uint64_t TimeDistribution::quantile(int percent) const {
    // The call with this number, counted from 0, in the order of times.
    const std::uint64_t wanted = (total_ - 1) * static_cast<std::uint64_t>(percent) / 100;
    std::uint64_t before = 0;
    for (int place = 0; place < time_class_count; ++place) {
        if (before + counts_[place] > wanted) {
            const std::uint64_t begin = time_class_begin(place);
            const std::uint64_t width = time_class_begin(place + 1) - begin;
            return begin + width * (wanted - before) / counts_[place];
        }
        before += counts_[place];
    }
    return time_class_begin(time_class_count - 1);
}

}  // namespace halocline::snapshot
