// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace halocline {

/// What timers and reports call a loop.
struct LoopName {
    const char* name = "";  ///< not copied: a literal, or text that outlives the loop
    int level = -1;         ///< grid level, 0 the finest; -1: none
    /// A loop without a grid level.
    LoopName(const char* text) : name(text) {}
    /// A loop of grid level `grid_level`.
    LoopName(const char* text, int grid_level) : name(text), level(grid_level) {}
    /// Name and level as records show them: "edge_flux.L0".
    [[nodiscard]] std::string text() const {
        return level < 0 ? std::string(name) : std::string(name) + ".L" + std::to_string(level);
    }
};

}  // namespace halocline
