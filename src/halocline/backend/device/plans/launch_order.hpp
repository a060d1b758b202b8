// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What one launch of a kernel is.
#pragma once

#include <vector>

#include "halocline/backend/device/plans/stream_order.hpp"
#include "halocline/loop/loop.hpp"

namespace halocline::device {

/// A loop runs in one launch, or in two: elements that need no halo, then the others. After it, ranks
/// join its reductions; their kernel waits for other ranks, so its time is not the loop's. Nor is that of
/// a kernel that packs values for output.
enum class LaunchPart { whole, core, rest, join, pack };

/// What one launch is, and what it touches on the device.
struct LaunchOrder {
    LoopName name;
    int stream = StreamOrder::main;
    LaunchPart part = LaunchPart::whole;
    std::vector<StreamUse> uses = {};
};

}  // namespace halocline::device
