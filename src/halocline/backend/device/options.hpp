// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Choices of the device back end, and its name for those who only pass it on.
#pragma once

namespace halocline {

class Device;

/// Whose kernel times are measured: of no call, of a few (all others go in one graph), of all (then
/// nothing is recorded, each loop is launched by itself).
enum class LoopTimes { off, sample, all };

struct DeviceOptions {
    bool graphs = true;  ///< submit repeated work as one recorded graph
    LoopTimes loop_times = LoopTimes::sample;
    bool poison = false;  ///< spoil host copies that are old, so that a stale read shows
};

namespace device {
class Executor;
}

}  // namespace halocline
