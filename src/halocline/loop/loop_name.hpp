// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace halocline {

/// What timers and reports call a loop; `level` -1 where there are no grid levels. And the stream of a
/// device that the loop is for: "" is the main one. Loops on different streams run at the same time
/// where neither changes what the other uses; results do not depend on the choice.
struct LoopName {
    const char* name = "";
    int level = -1;
    const char* stream = "";
    LoopName(const char* text) : name(text) {}
    LoopName(const char* text, int grid_level) : name(text), level(grid_level) {}
    /// The same loop for the stream of this name, made at its first use.
    [[nodiscard]] LoopName on_stream(const char* stream_name) const {
        LoopName named = *this;
        named.stream = stream_name;
        return named;
    }
    [[nodiscard]] std::string text() const {
        return level < 0 ? std::string(name) : std::string(name) + ".L" + std::to_string(level);
    }
};

}  // namespace halocline
