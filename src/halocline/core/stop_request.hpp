// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A signal that asks a run to stop early: batch systems send it before a time limit.
#pragma once

#include "halocline/core/communicator.hpp"

namespace halocline {

/// While one lives, SIGUSR1 is noted instead of ending the process.
class StopRequest final {
public:
    StopRequest();
    ~StopRequest();
    StopRequest(const StopRequest&) = delete;
    StopRequest& operator=(const StopRequest&) = delete;

    /// Whether any rank has been asked to stop: the same answer everywhere. Collective.
    [[nodiscard]] bool agreed(const Communicator& comm) const;
};

}  // namespace halocline
