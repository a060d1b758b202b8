// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Marks the calling thread as inside the tool, so that nothing it does is counted.
#pragma once

#include "call.hpp"

#include <cerrno>

namespace halocline::snapshot {

/// Also keeps errno: a signal handler or an exit must not change it.
class ToolScope {
public:
    ToolScope() : errno_(errno) { ++thread_state.depth; }
    ~ToolScope() {
        --thread_state.depth;
        errno = errno_;
    }
    ToolScope(const ToolScope&) = delete;
    ToolScope& operator=(const ToolScope&) = delete;

private:
    int errno_;
};

}  // namespace halocline::snapshot
