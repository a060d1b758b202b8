// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The one flag that a signal handler may set.
#include "halocline/core/stop_request.hpp"

#include <csignal>
#include <cstdint>

namespace halocline {

namespace {

volatile std::sig_atomic_t asked = 0;

void note(int /*signal*/) { asked = 1; }

}  // namespace

StopRequest::StopRequest() {
    asked = 0;
    std::signal(SIGUSR1, note);
}

StopRequest::~StopRequest() { std::signal(SIGUSR1, SIG_DFL); }

bool StopRequest::agreed(const Communicator& comm) const {
    const auto mine = static_cast<std::int64_t>(asked);
    return (comm.size() == 1 ? mine : comm.max(mine)) != 0;
}

}  // namespace halocline
