// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Choices of the device back end, and its name for those who only pass it on.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace halocline {

class Device;
class Stream;

/// How a loop that changes dats through maps runs, with the same bits either way. gather: a thread a
/// target, which walks the elements that reach it and computes each. once: a thread an element; what
/// it changes of targets that others reach, too, waits in memory until the targets collect it.
enum class DeviceStrategy { gather, once };

struct StrategyOptions {
    /// For loops that can do both. What cannot gather is computed once.
    DeviceStrategy usual = DeviceStrategy::gather;
    /// For loops and chains by name (`flux_stage_1`), by name and level (`flux_stage_1.L0`), or by the
    /// name of a loop within a chain; what names a loop more closely counts.
    std::vector<std::pair<std::string, DeviceStrategy>> by_name;
};

/// Whose kernel times are measured: of no call, of a few (all others go in one graph), of all (then
/// nothing is recorded, each loop is launched by itself).
enum class LoopTimes { off, sample, all };

struct DeviceOptions {
    bool graphs = true;  ///< submit repeated work as one recorded graph
    LoopTimes loop_times = LoopTimes::sample;
    bool poison = false;  ///< spoil host copies that are old, so that a stale read shows
    StrategyOptions strategies = {};  ///< the same on all ranks
};

namespace device {
class Executor;
}

}  // namespace halocline
