// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What one launch of a kernel is.
#pragma once

#include "halocline/loop/loop_name.hpp"

namespace halocline::device {

/// A loop runs in one launch, or in two: elements that need no halo, then the others. After it, ranks
/// join its reductions; their kernel waits for other ranks, so its time is not the loop's. Nor is that of
/// a kernel that packs values for output.
enum class LaunchPart { whole, core, rest, join, pack };

/// Which loop a launch belongs to, and which part of it.
struct Launch {
    LoopName name;
    LaunchPart part = LaunchPart::whole;
};

}  // namespace halocline::device
