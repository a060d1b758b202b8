// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Whether MPI's highest thread level is worth its price to a program. Knows no MPI.
//
// Endpoints need MPI_THREAD_MULTIPLE, and with it MPI takes locks in every call. The price falls due
// in MPI_Init, before anything is known, so it is judged by what the runs before have shown.
#pragma once

#include <cstddef>
#include <cstdint>

namespace halocline::endpoints {

/// What to do with the next run of the same case.
enum class Plan {
    watch,    ///< at the program's own level; its long collectives are timed
    attempt,  ///< raised for the first time
    split,    ///< raised: it paid
    plain,    ///< at its own level: raising did not pay
};

/// The word for a plan in files and reports, e.g. "try".
[[nodiscard]] const char* name_of(Plan plan);

/// From this size on splitting has been seen to pay; shorter calls are no reason to raise the level.
inline constexpr std::size_t long_bytes = std::size_t{512} << 10;
/// Shorter calls are not timed while watching: looking at the clock would show.
inline constexpr std::size_t watched_bytes = std::size_t{64} << 10;

/// What a run at the program's own level has shown.
struct Watched {
    double elapsed = 0.0;         ///< [s]
    double long_seconds = 0.0;    ///< in long collectives, of the rank with least [s]
    double middle_seconds = 0.0;  ///< in those from `watched_bytes`, of the rank with most [s]
    std::int64_t calls = 0;       ///< of MPI, of the rank with most
};

/// What a raised run has shown.
struct Raised {
    double elapsed = 0.0;    ///< [s]
    double gained = 0.0;     ///< by split calls [s]
    double cost = 0.0;       ///< of trials, of the worst rank [s]
    std::int64_t calls = 0;  ///< of MPI, of the rank with most
};

/// What the thread level costs a run, from above [s]: by the call, and by the time of calls that
/// move their data in many pieces, each with its lock.
[[nodiscard]] double cost_of_locks(std::int64_t calls, double middle_seconds = 0.0);

/// Only where the locks cannot cost more than the promise leaves, and splitting could gain more.
[[nodiscard]] Plan after_watching(const Watched& run);

/// Split while the gain is larger than all that it costs.
[[nodiscard]] Plan after_raising(const Raised& run);

}  // namespace halocline::endpoints
