// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Shares CPUs of a node between the ranks and their workers.
#include "collectives/placement.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstddef>

namespace halocline::endpoints {

namespace {

std::vector<int> listed(const cpu_set_t& set) {
    std::vector<int> cpus;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(cpu, &set)) {
            cpus.push_back(cpu);
        }
    }
    return cpus;
}

/// Part `index` of `parts` of a list, in order.
std::vector<int> share_of(const std::vector<int>& cpus, std::size_t parts, std::size_t index) {
    const auto first = static_cast<std::ptrdiff_t>(cpus.size() * index / parts);
    const auto last = static_cast<std::ptrdiff_t>(cpus.size() * (index + 1) / parts);
    return {cpus.begin() + first, cpus.begin() + last};
}

/// The CPUs that are this rank's alone: its mask, shared out among the ranks with the same mask.
std::vector<int> own_share(const std::vector<cpu_set_t>& masks, std::size_t rank) {
    std::size_t sharers = 1;  // the rank itself
    std::size_t place = 0;
    for (std::size_t other = 0; other < masks.size(); ++other) {
        if (other != rank && CPU_EQUAL(&masks[other], &masks[rank])) {
            place += other < rank ? 1 : 0;
            ++sharers;
        }
    }
    return share_of(listed(masks[rank]), sharers, place);
}

std::vector<int> free_share(const std::vector<cpu_set_t>& masks, std::size_t rank,
                            const cpu_set_t& online) {
    cpu_set_t idle = online;
    for (const cpu_set_t& mask : masks) {
        for (const int cpu : listed(mask)) {
            CPU_CLR(cpu, &idle);
        }
    }
    return share_of(listed(idle), masks.size(), rank);
}

}  // namespace

std::vector<cpu_set_t> place_workers(const std::vector<cpu_set_t>& masks, int rank,
                                     const cpu_set_t& online, int endpoints) {
    const auto self = static_cast<std::size_t>(rank);
    std::vector<int> cpus = own_share(masks, self);
    const auto wanted = static_cast<std::size_t>(endpoints);
    if (cpus.size() < wanted) {
        const std::vector<int> more = free_share(masks, self, online);
        cpus.insert(cpus.end(), more.begin(), more.end());
    }
    std::vector<cpu_set_t> places(wanted - 1);
    for (std::size_t worker = 0; worker < places.size(); ++worker) {
        CPU_ZERO(&places[worker]);
        if (worker + 1 < cpus.size()) {  // the first CPU is the rank's own thread's
            CPU_SET(cpus[worker + 1], &places[worker]);
        }
    }
    return places;
}

int cpus_of_rank(const std::vector<cpu_set_t>& masks, int rank) {
    return std::max(1, static_cast<int>(own_share(masks, static_cast<std::size_t>(rank)).size()));
}

cpu_set_t own_mask() {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    sched_getaffinity(0, sizeof(mask), &mask);
    return mask;
}

cpu_set_t online_cpus() {
    cpu_set_t online;
    CPU_ZERO(&online);
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    for (long cpu = 0; cpu < std::min<long>(count, CPU_SETSIZE); ++cpu) {
        CPU_SET(static_cast<std::size_t>(cpu), &online);
    }
    return online;
}

}  // namespace halocline::endpoints
