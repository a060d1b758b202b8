// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// How long this rank has been inside MPI, calls that have not returned included.
#pragma once

#include <cstdint>

namespace halocline::snapshot {

struct Site;
struct ThreadRecord;

/// The call that a thread is in.
struct PendingCall {
    int function;  // -1: none
    std::uint64_t ticks;
    const Site* site;  // null: not known
};
PendingCall pending_call(const ThreadRecord& record, std::uint64_t now);

struct MpiTicks {
    std::uint64_t returned;    // sum over threads of the calls that have returned
    std::uint64_t any_thread;  // at least one thread was inside, calls in progress included
};
MpiTicks mpi_ticks_until(std::uint64_t now);

}  // namespace halocline::snapshot
