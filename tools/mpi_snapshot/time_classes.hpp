// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// How long calls of one size took: counts by time in steps of a quarter octave, of a sample of the calls.
#pragma once

#include "counter.hpp"

#include <atomic>
#include <bit>
#include <cstdint>

namespace halocline::snapshot {

/// Four classes for each power of two; the last one holds whatever is longer (hours).
inline constexpr int time_class_count = 4 * 44;
inline int time_class_of(std::uint64_t ticks) {
    if (ticks < 4) {
        return static_cast<int>(ticks);
    }
    const int shift = static_cast<int>(std::bit_width(ticks)) - 3;
    const int found = 4 * shift + static_cast<int>(ticks >> shift);
    return found < time_class_count ? found : time_class_count - 1;
}
/// Least number of ticks of a class.
inline std::uint64_t time_class_begin(int place) {
    const int shift = place < 8 ? 0 : place / 4 - 1;
    return static_cast<std::uint64_t>(place - 4 * shift) << shift;
}

/// One writer, as for `Counter`; half as wide, because there are many.
struct TimeClasses {
    std::atomic<std::uint32_t> counts[time_class_count];

    [[gnu::always_inline]] void note(std::uint64_t ticks) {
        auto& count = counts[time_class_of(ticks)];
        count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
};

/// Whether the call with this number enters: the first 64, then one in 16. They are spread by the golden
/// ratio and not at equal distances, so that a pattern of the program cannot hide between them.
[[gnu::always_inline]] inline bool enters_time_classes(std::uint64_t number) {
    constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15u;
    return number < 64 || (number * golden_ratio) >> 60 == 0;
}

/// The sum over threads, and its quantiles.
class TimeDistribution {
public:
    void add(const TimeClasses& classes);
    bool empty() const { return total_ == 0; }
    /// Ticks within which this percentage of the calls ended; not empty.
    std::uint64_t quantile(int percent) const;

private:
    std::uint64_t counts_[time_class_count] = {};
    std::uint64_t total_ = 0;
};

}  // namespace halocline::snapshot
