// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A signal that asks a run to stop early: batch systems send it before a time limit.
#pragma once

#include <cstdint>

#include "halocline/core/communicator.hpp"

namespace halocline {

/// Why a run stops early. Of several reasons the later one counts.
enum class StopReason : std::int64_t { none, usr1, term, time_limit, failed_output };

/// While one lives, SIGUSR1 is noted instead of ending the process. Main makes the first one, before
/// MPI is there; another one inside it hears what the first one heard.
class StopRequest final {
public:
    /// Begins to catch the signals.
    StopRequest();
    ~StopRequest();
    StopRequest(const StopRequest&) = delete;
    StopRequest& operator=(const StopRequest&) = delete;

    /// From here on SIGTERM is noted, too.
    void hear_term();

    /// Why any rank wants to stop, by a signal or for a reason of its own: the same answer everywhere.
    /// Collective.
    [[nodiscard]] StopReason agreed(const Communicator& comm,
                                    StopReason own = StopReason::none) const;

    /// Before the process becomes another program by exec: while one lives, a signal that came, or
    /// comes from now on, waits for the StopRequest of that program.
    static void hand_over();
};

}  // namespace halocline
