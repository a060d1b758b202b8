// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Asks the kernel, MPI and a stop-watch.
#include "halocline/run/machine.hpp"

#include <omp.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <map>

#include "halocline/core/clock.hpp"
#include "halocline/machine/affinity.hpp"
#include "halocline/machine/hosts.hpp"
#include "halocline/machine/last_level_cache.hpp"
#include "halocline/machine/threads.hpp"
#include "halocline/memory/buffer.hpp"

namespace halocline::run {

namespace {

/// Three arrays together: hardly a line of an array is still in cache when the next pass comes to it.
constexpr std::int64_t triad_over_cache = 4;
constexpr std::int64_t least_triad_bytes = std::int64_t{12} << 20;
constexpr int triad_repeats = 10;

int bound_cores() {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    return sched_getaffinity(0, sizeof mask, &mask) == 0 ? CPU_COUNT(&mask) : 1;
}

/// Of the cores this rank is bound to; of those of the host where it is bound to none, after `others`
/// ranks got one each, what one of `ranks` gets.
int share_of_cores(int ranks, int others) {
    const int cores = bound_cores();
    const auto online = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    return cores >= online ? (cores - others) / std::max(1, ranks) : cores;
}

/// What the user says, by option or environment; 0: nothing. Collective.
int threads_asked(const Communicator& comm, int requested) {
    int threads = requested;
    run_agreed(comm,
               [&] { threads = threads == 0 ? threads_from_environment().value_or(0) : threads; });
    return threads;
}

}  // namespace

Threads choose_threads(const Communicator& comm, int requested, bool threaded_backend) {
    int threads = threads_asked(comm, requested);
    const HostRanks host = ranks_on_this_host(comm, threaded_backend);
    if (threads < 1) {
        threads = share_of_cores(host.counted, host.size - host.counted);
    }
    const std::int64_t offered =
        threaded_backend ? std::max(1, threads) : std::numeric_limits<int>::max();
    const auto asked = static_cast<int>(comm.min(offered));
    const auto given =
        static_cast<int>(comm.min(std::int64_t{std::min(asked, omp_get_thread_limit())}));
    run_agreed(comm, [&] { require_threads(threaded_backend ? given : 1); });
    return threaded_backend ? Threads{asked, given} : Threads{};
}

int choose_set_up_threads(const Communicator& comm, int requested) {
    const int asked = threads_asked(comm, requested);
    const int share = share_of_cores(ranks_on_this_host(comm, true).size, 0);
    const int threads = std::min({asked > 0 ? asked : share, share, omp_get_thread_limit()});
    return std::max(1, threads);
}

std::vector<record::Host> describe_hosts(const Communicator& comm) {
    const auto cores = sysconf(_SC_NPROCESSORS_ONLN);
    const auto memory = sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    const std::string model = cpu_model();
    const auto names = gather_texts(comm, host_name());
    const auto models = gather_texts(comm, model);
    const std::array<std::int64_t, 2> mine{cores, memory};
    const auto sizes = comm.all_gather(std::span<const std::int64_t>(mine));
    std::vector<record::Host> hosts;
    for (std::size_t r = 0; r < names.size(); ++r) {
        const auto same = [&](const record::Host& host) { return host.name == names[r]; };
        auto found = std::find_if(hosts.begin(), hosts.end(), same);
        if (found == hosts.end()) {
            hosts.push_back(
                {names[r], 0, models[r], static_cast<int>(sizes[2 * r]), sizes[2 * r + 1]});
            found = std::prev(hosts.end());
        }
        ++found->ranks;
    }
    return hosts;
}

record::Mpi describe_mpi() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    std::string library(text.data(), static_cast<std::size_t>(length));
    library = library.substr(0, library.find_first_of(",\n"));
    const std::string prefix = "Open MPI v";
    if (library.rfind(prefix, 0) == 0) {
        library = "Open MPI " + library.substr(prefix.size());
    }
    int major = 0;
    int minor = 0;
    MPI_Get_version(&major, &minor);
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    const std::map<int, std::string> levels{{MPI_THREAD_SINGLE, "single"},
                                            {MPI_THREAD_FUNNELED, "funneled"},
                                            {MPI_THREAD_SERIALIZED, "serialized"},
                                            {MPI_THREAD_MULTIPLE, "multiple"}};
    return {library, std::to_string(major) + "." + std::to_string(minor), levels.at(level),
            std::nullopt};
}

double measure_triad(const Communicator& comm, int threads) {
    const int ranks = ranks_on_this_host(comm, true).size;
    const std::int64_t share =
        cache_share_bytes(read_last_level_caches(), current_cpus(), threads, ranks);
    const std::int64_t bytes = std::max(triad_over_cache * share, least_triad_bytes);
    const auto n = bytes / static_cast<std::int64_t>(3 * sizeof(double));
    Buffer<double> a(static_cast<std::size_t>(n));
    Buffer<double> b(static_cast<std::size_t>(n));
    Buffer<double> c(static_cast<std::size_t>(n));
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::int64_t i = 0; i < n; ++i) {
        a.data()[i] = 0.0;
        b.data()[i] = 1.0;
        c.data()[i] = 2.0;
    }
    double best_s = 1e30;
    for (int repeat = 0; repeat < triad_repeats; ++repeat) {
        comm.barrier();
        const double start_s = wall_seconds();
#pragma omp parallel for simd num_threads(threads) schedule(static)
        for (std::int64_t i = 0; i < n; ++i) {
            a.data()[i] = b.data()[i] + 3.0 * c.data()[i];
        }
        best_s = std::min(best_s, comm.max(wall_seconds() - start_s));
    }
    return 24.0 * comm.sum(static_cast<double>(n)) / best_s * 1e-9;
}

}  // namespace halocline::run
