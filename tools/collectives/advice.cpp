// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The judgement: bounds on the price, and where it is worth paying.
#include "collectives/advice.hpp"

namespace halocline::endpoints {

namespace {

/// One call under MPI_THREAD_MULTIPLE against the same below it: 0.15 us (800 bytes) to 0.7 us (16 KB)
/// were measured, on processors whose locked instructions take 5 to 20 ns (docs/endpoints.md).
constexpr double seconds_of_locks = 5e-7;
/// Calls of 64 to 256 KB took 1 to 5 % longer. Those of 1 MB and more did not.
constexpr double share_of_middle = 0.06;
/// Of the 3 % that a run may lose, what the locks may take; trials have a budget of their own.
constexpr double share_for_locks = 0.015;
/// Splitting gained a tenth to a third of the time of long calls: below this nothing is in it.
constexpr double share_worth_trying = 0.05;

}  // namespace

const char* name_of(Plan plan) {
    switch (plan) {
        case Plan::watch:
            return "watch";
        case Plan::attempt:
            return "try";
        case Plan::split:
            return "split";
        case Plan::plain:
            return "plain";
    }
    return "";
}

double cost_of_locks(std::int64_t calls, double middle_seconds) {
    return seconds_of_locks * static_cast<double>(calls) + share_of_middle * middle_seconds;
}

Plan after_watching(const Watched& run) {
    const bool cheap =
        cost_of_locks(run.calls, run.middle_seconds) <= share_for_locks * run.elapsed;
    const bool promising = run.long_seconds >= share_worth_trying * run.elapsed;
    return cheap && promising ? Plan::attempt : Plan::watch;
}

Plan after_raising(const Raised& run) {
    return run.gained > run.cost + cost_of_locks(run.calls) ? Plan::split : Plan::plain;
}

}  // namespace halocline::endpoints
