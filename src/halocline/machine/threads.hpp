// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Threads of a rank: how many the environment asks for, whether they can be had, how they wait.
#pragma once

#include <optional>

namespace halocline {

/// More threads a rank than this are a slip of the pen.
inline constexpr int most_threads = 4096;

/// The first number of OMP_NUM_THREADS; none when it is not set or empty. Throws UsageError when it
/// is not a number from 1 to `most_threads`.
[[nodiscard]] std::optional<int> threads_from_environment();

/// Starts `threads` - 1 threads, with the stacks that OpenMP will give them, and ends them. Throws
/// EnvironmentError where the system refuses: OpenMP would end the program, without a word of ours.
void require_threads(int threads);

/// Oversubscription of a host: its ranks have more threads than it has cpus.
struct Oversubscription {
    int ranks = 1;    ///< of the job on this host
    int threads = 1;  ///< of a rank
    int cpus = 1;     ///< that they share
};

/// Judged by the launcher's variables, before MPI. `threads` 0: as many as the environment asks for.
[[nodiscard]] std::optional<Oversubscription> find_oversubscription(int threads);

/// Whether threads of OpenMP sleep while they wait.
[[nodiscard]] bool waits_passively();

/// For main, before MPI and the first thread: where cores are oversubscribed, ranks and threads yield
/// while they wait. Spinning, each would keep the ones it waits for off the cores: 13 ranks of two
/// threads on two cores did not get through a cycle in minutes. OpenMP reads its policy when it is
/// loaded, so the program is started again, in place, with the policy in its environment.
void yield_when_oversubscribed(int threads, char** argv);

}  // namespace halocline
