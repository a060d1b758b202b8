// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A rank ends with the launcher that started it; header alone, since preloaded tools need it, too.
#pragma once

#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace halocline {

namespace detail {

/// True in processes of an MPI job: launchers give each rank its number.
inline bool is_rank() {
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "MPI_LOCALRANKID",
                             "MV2_COMM_WORLD_RANK", "SLURM_PROCID"}) {
        if (std::getenv(name) != nullptr) {
            return true;
        }
    }
    return false;
}

/// Value of a line such as `Threads:	1` of /proc/<pid>/status.
inline bool read_status(pid_t process, const char* key, char (&value)[64]) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/status", static_cast<int>(process));
    std::FILE* status = std::fopen(path, "re");
    bool found = false;
    char line[256];
    while (status != nullptr && !found && std::fgets(line, sizeof line, status) != nullptr) {
        const std::size_t length = std::strlen(key);
        found =
            std::strncmp(line, key, length) == 0 && std::sscanf(line + length, " %63s", value) == 1;
    }
    if (status != nullptr) {
        std::fclose(status);
    }
    return found;
}

/// The kernel counts from the end of the thread that started a child. Of launchers whose name stands
/// here that thread is known to live as long as they do; others must have no second one.
inline bool ends_as_a_whole(pid_t process) {
    char value[64] = "";
    if (read_status(process, "Name:", value)) {
        for (const char* known :
             {"mpirun", "mpiexec", "orterun", "orted", "hydra_", "slurmstepd"}) {
            if (std::strncmp(value, known, std::strlen(known)) == 0) {
                return true;
            }
        }
    }
    return read_status(process, "Threads:", value) && std::strcmp(value, "1") == 0;
}

}  // namespace detail

/// Has the kernel kill this process when its launcher ends, killed without a chance to inform its ranks.
///
/// Does nothing in a process that no launcher started: it may outlive the shell behind it. To be
/// called before MPI is initialised, which fails by itself where the launcher has gone already.
inline void end_with_launcher() {
    const pid_t launcher = getppid();
    if (!detail::is_rank() || !detail::ends_as_a_whole(launcher)) {
        return;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != launcher) {  // it ended while we were asking
        std::raise(SIGKILL);
    }
}

}  // namespace halocline
