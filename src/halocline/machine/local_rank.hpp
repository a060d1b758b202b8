// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Which rank of this host a process is, given by the launcher before MPI_Init.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace halocline {

/// Where a process stands among those of its host and job, as the launcher reports it.
struct LocalRank {
    int rank = 0;        ///< on this host
    int size = 1;        ///< ranks on this host; 1 when the launcher does not report it
    int job_rank = -1;   ///< in the whole job; -1: not reported
    int job_size = -1;   ///< in the whole job; -1: not reported
    std::string source;  ///< the variables that said so
};

/// Looks a variable up; empty when it is not set.
using Environment = std::function<std::string(const char*)>;
/// The environment of this process.
[[nodiscard]] Environment process_environment();

/// From the variables of Open MPI, MPICH and Intel MPI (Hydra), MVAPICH, PALS and Cray PMI, Slurm,
/// or plain PMI. None: the process was not started by a launcher we know.
[[nodiscard]] std::optional<LocalRank> find_local_rank(const Environment& environment);

}  // namespace halocline
