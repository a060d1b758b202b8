// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Blocking collectives by function, members of the communicator and size: what a tuner measures again.
#pragma once

#include "counter.hpp"
#include "functions.hpp"

#include <atomic>
#include <cstdint>

namespace halocline::snapshot {

/// Calls of one function with one number of members and sizes of one bin, of one thread.
struct CollectivePoint {
    std::atomic<std::uint64_t> key;  // 0: free
    Counter calls;
    Counter bytes;
    Counter ticks;

    int function() const { return static_cast<int>(load() >> 40) - 1; }
    int members() const { return static_cast<int>((load() >> 8) & 0xffffffffu); }
    int bin() const { return static_cast<int>(load() & 0xffu); }

private:
    std::uint64_t load() const { return key.load(std::memory_order_relaxed); }
};

/// Written by its thread alone. Programs have a few points; calls of those that find no room are counted
/// and left out.
struct PointTable {
    static constexpr std::uint32_t capacity = 1024;  // a power of 2
    CollectivePoint points[capacity];
    Counter left_out;

    void note(Function function, int members, int bin, std::uint64_t bytes, std::uint64_t ticks);
};

inline void PointTable::note(Function function, int members, int bin, std::uint64_t bytes,
                             std::uint64_t ticks) {
    constexpr std::uint32_t most_looks = 16;
    const std::uint64_t key = (static_cast<std::uint64_t>(function) + 1) << 40 |
                              static_cast<std::uint64_t>(static_cast<std::uint32_t>(members)) << 8 |
                              static_cast<std::uint64_t>(bin);
    const std::uint64_t start = (key * 0x9e3779b97f4a7c15u) >> 32;
    for (std::uint32_t look = 0; look < most_looks; ++look) {
        CollectivePoint& point = points[(start + look) & (capacity - 1)];
        const std::uint64_t held = point.key.load(std::memory_order_relaxed);
        if (held == 0) {
            point.key.store(key, std::memory_order_release);
        } else if (held != key) {
            continue;
        }
        point.calls.add(1);
        point.bytes.add(bytes);
        point.ticks.add(ticks);
        return;
    }
    left_out.add(1);
}

}  // namespace halocline::snapshot
