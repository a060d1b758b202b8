// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Marks a thread that is inside a call which it wrapped.
#pragma once

namespace halocline::endpoints {

/// Whether this thread is inside a call that it wrapped; calls from there are passed on.
class Guard {
public:
    Guard() { ++depth; }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    ~Guard() { --depth; }
    [[nodiscard]] static bool held() { return depth > 0; }

private:
    __attribute__((tls_model("initial-exec"))) static constinit thread_local int depth;
};

}  // namespace halocline::endpoints
