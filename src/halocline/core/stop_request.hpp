// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A signal that asks a run to stop early: batch systems send it before a time limit.
#pragma once

#include "halocline/core/communicator.hpp"

namespace halocline {

/// While one lives, SIGUSR1 is noted instead of ending the process. Main makes the first one, before
/// MPI is there; another one inside it hears what the first one heard.
class StopRequest final {
public:
    StopRequest();
    ~StopRequest();
    StopRequest(const StopRequest&) = delete;
    StopRequest& operator=(const StopRequest&) = delete;

    /// Whether any rank has been asked to stop: the same answer everywhere. Collective.
    [[nodiscard]] bool agreed(const Communicator& comm) const;

    /// Before the process becomes another program by exec: while one lives, a signal that came, or
    /// comes from now on, waits for the StopRequest of that program.
    static void hand_over();
};

}  // namespace halocline
