// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace halocline {

/// What timers and reports call a loop; `level` -1 where there are no grid levels. And the stream of a
/// device that the loop is for: "" is the main one. Loops on different streams run at the same time
/// where neither changes what the other uses; results do not depend on the choice.
struct LoopName {
    const char* name = "";    ///< not copied: a literal, or text that outlives the loop
    int level = -1;           ///< grid level, 0 the finest; -1: none
    const char* stream = "";  ///< of a device; "": the main one
    /// A loop without a grid level.
    LoopName(const char* text) : name(text) {}
    /// A loop of grid level `grid_level`.
    LoopName(const char* text, int grid_level) : name(text), level(grid_level) {}
    /// The same loop for the stream of this name, made at its first use.
    [[nodiscard]] LoopName on_stream(const char* stream_name) const {
        LoopName named = *this;
        named.stream = stream_name;
        return named;
    }
    /// Name and level as records show them: "edge_flux.L0".
    [[nodiscard]] std::string text() const {
        return level < 0 ? std::string(name) : std::string(name) + ".L" + std::to_string(level);
    }
};

}  // namespace halocline
