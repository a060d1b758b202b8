// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The one flag that a signal handler may set.
#include "halocline/core/stop_request.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>

namespace halocline {

namespace {

volatile std::sig_atomic_t asked = 0;
int living = 0;

void note(int signal) { asked = signal; }

sigset_t only_sigusr1() {
    sigset_t set{};
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    return set;
}

}  // namespace

StopRequest::StopRequest() {
    if (living++ > 0) {
        return;
    }
    asked = 0;
    std::signal(SIGUSR1, note);
    const sigset_t set = only_sigusr1();
    sigprocmask(SIG_UNBLOCK, &set, nullptr);  // blocked where `hand_over` was called before
}

StopRequest::~StopRequest() {
    if (--living == 0) {
        std::signal(SIGUSR1, SIG_DFL);
        std::signal(SIGTERM, SIG_DFL);
    }
}

void StopRequest::hand_over() {
    if (living == 0) {
        return;
    }
    const sigset_t set = only_sigusr1();
    sigprocmask(SIG_BLOCK, &set, nullptr);
    if (asked != 0) {
        kill(getpid(), SIGUSR1);
    }
}

void StopRequest::hear_term() { std::signal(SIGTERM, note); }

StopReason StopRequest::agreed(const Communicator& comm, StopReason own) const {
    const int signal = asked;
    const StopReason heard = signal == SIGTERM   ? StopReason::term
                             : signal == SIGUSR1 ? StopReason::usr1
                                                 : StopReason::none;
    return static_cast<StopReason>(comm.max(static_cast<std::int64_t>(std::max(own, heard))));
}

}  // namespace halocline
