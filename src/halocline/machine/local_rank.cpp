// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One row for each launcher; the first that is there wins.
#include "halocline/machine/local_rank.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

namespace halocline {

namespace {

struct Launcher {
    const char* local_rank;
    const char* local_size;
    const char* job_rank;
    const char* job_size;
};

// Slurm stands behind the MPI libraries: mpirun inside an allocation sees its variables too, and
// they then describe the launch of mpirun's own daemon.
constexpr std::array<Launcher, 7> launchers{{
    {"OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_COMM_WORLD_RANK",
     "OMPI_COMM_WORLD_SIZE"},
    {"MPI_LOCALRANKID", "MPI_LOCALNRANKS", "PMI_RANK", "PMI_SIZE"},
    {"MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_SIZE", "MV2_COMM_WORLD_RANK",
     "MV2_COMM_WORLD_SIZE"},
    {"PALS_LOCAL_RANKID", "PMI_LOCAL_SIZE", "PALS_RANKID", "PMI_SIZE"},
    {"PMI_LOCAL_RANK", "PMI_LOCAL_SIZE", "PMI_RANK", "PMI_SIZE"},
    {"SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},
    {"PMI_RANK", "PMI_SIZE", "PMI_RANK", "PMI_SIZE"},
}};

/// Leading number of a value: Slurm writes counts of all nodes as 4(x2),3.
std::optional<int> number(const std::string& text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || value < 0) {
        return std::nullopt;
    }
    return value;
}

/// Ranks on node `node` from Slurm's list of counts, e.g. 4(x2),3: nodes 0 and 1 have four.
std::optional<int> count_on_node(const std::string& list, int node) {
    for (std::size_t at = 0; at < list.size();) {
        const std::size_t end = std::min(list.find(',', at), list.size());
        const std::string item = list.substr(at, end - at);
        const std::optional<int> count = number(item);
        const std::size_t times = item.find("(x");
        const int nodes =
            times == std::string::npos ? 1 : number(item.substr(times + 2)).value_or(1);
        if (!count || node < nodes) {
            return count;
        }
        node -= nodes;
        at = end + 1;
    }
    return std::nullopt;
}

std::optional<int> local_size(const Environment& environment, const char* variable) {
    const std::string text = environment(variable);
    if (std::string_view(variable) != "SLURM_STEP_TASKS_PER_NODE") {
        return number(text);
    }
    return count_on_node(text, number(environment("SLURM_NODEID")).value_or(0));
}

}  // namespace

Environment process_environment() {
    return [](const char* name) {
        const char* value = std::getenv(name);
        return std::string(value == nullptr ? "" : value);
    };
}

std::optional<LocalRank> find_local_rank(const Environment& environment) {
    for (const Launcher& launcher : launchers) {
        const std::optional<int> rank = number(environment(launcher.local_rank));
        if (!rank) {
            continue;
        }
        LocalRank found;
        found.rank = *rank;
        found.source = launcher.local_rank;
        if (const std::optional<int> size = local_size(environment, launcher.local_size)) {
            found.size = *size;
            found.source += std::string(", ") + launcher.local_size;
        }
        found.size = std::max(found.size, found.rank + 1);
        found.job_rank = number(environment(launcher.job_rank)).value_or(-1);
        found.job_size = number(environment(launcher.job_size)).value_or(-1);
        return found;
    }
    return std::nullopt;
}

}  // namespace halocline
