// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// POSIX threads and the variables of OpenMP.
#include "halocline/machine/threads.hpp"

#include <fmt/core.h>
#include <pthread.h>
#include <strings.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "halocline/core/error.hpp"
#include "halocline/core/stop_request.hpp"
#include "halocline/machine/affinity.hpp"
#include "halocline/machine/local_rank.hpp"
#include "halocline/machine/machine_map.hpp"

// There only in programs that link OpenMP; the others are not to, for its library binds their thread.
extern "C" {
__attribute__((weak)) int omp_get_num_places();
__attribute__((weak)) int omp_get_place_num_procs(int place);
__attribute__((weak)) void omp_get_place_proc_ids(int place, int* ids);
}

namespace halocline {

namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    return begin == std::string_view::npos
               ? std::string_view{}
               : text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// Bytes of OMP_STACKSIZE: a number of KiB, or with one of B, K, M, G, T behind it. 0: not set, or
/// not understood, which OpenMP passes over as well.
std::size_t stack_bytes() {
    const std::string variable = process_environment()("OMP_STACKSIZE");
    const std::string_view text = trimmed(variable);
    std::uint64_t number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc{}) {
        return 0;
    }
    const std::string unit(trimmed({end, text.data() + text.size()}));
    constexpr std::string_view units = "bkmgt";
    const std::size_t place =
        unit.empty() ? 1 : units.find(static_cast<char>(std::tolower(unit.front())));
    if (unit.size() > 1 || place == std::string_view::npos) {
        return 0;
    }
    const std::size_t shift = 10 * place;
    return number > (SIZE_MAX >> shift) ? SIZE_MAX : static_cast<std::size_t>(number << shift);
}

/// Threads that live until the object ends.
class TrialThreads {
public:
    TrialThreads() {
        pthread_attr_init(&attributes_);
        if (const std::size_t bytes = stack_bytes(); bytes > 0) {
            pthread_attr_setstacksize(&attributes_, bytes);
        }
        pthread_mutex_init(&gate_, nullptr);
        pthread_mutex_lock(&gate_);
    }
    ~TrialThreads() {
        pthread_mutex_unlock(&gate_);
        for (const pthread_t& thread : threads_) {
            pthread_join(thread, nullptr);
        }
        pthread_mutex_destroy(&gate_);
        pthread_attr_destroy(&attributes_);
    }
    TrialThreads(const TrialThreads&) = delete;
    TrialThreads& operator=(const TrialThreads&) = delete;

    /// 0, or the reason why there is not one more.
    int add() {
        pthread_t thread{};
        const int failure = pthread_create(&thread, &attributes_, wait_for, &gate_);
        if (failure == 0) {
            threads_.push_back(thread);
        }
        return failure;
    }

private:
    static void* wait_for(void* gate) {
        auto* mutex = static_cast<pthread_mutex_t*>(gate);
        pthread_mutex_lock(mutex);
        pthread_mutex_unlock(mutex);
        return nullptr;
    }

    pthread_attr_t attributes_{};
    pthread_mutex_t gate_{};
    std::vector<pthread_t> threads_;
};

/// Cpus that the threads of this process may use. Where OMP_PROC_BIND or OMP_PLACES bind threads,
/// OpenMP's library has bound this one to the first place before main began: its mask says nothing.
CpuList cpus_of_threads() {
    CpuList cpus;
    const int places = omp_get_num_places != nullptr ? omp_get_num_places() : 0;
    for (int place = 0; place < places; ++place) {
        CpuList ids(static_cast<std::size_t>(omp_get_place_num_procs(place)));
        omp_get_place_proc_ids(place, ids.data());
        cpus.insert(cpus.end(), ids.begin(), ids.end());
    }
    std::sort(cpus.begin(), cpus.end());
    cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
    return cpus.empty() ? current_cpus() : cpus;
}

/// Cpus that ranks of this host may share: a binding of this process alone says nothing of them.
int cpus_of_the_job(int own) {
    if (own >= sysconf(_SC_NPROCESSORS_ONLN)) {
        return own;
    }
    try {
        return std::max(own, static_cast<int>(read_machine().all_cpus().size()));
    } catch (const Error&) {
        return static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    }
}

}  // namespace

std::optional<int> threads_from_environment() {
    const std::string variable = process_environment()("OMP_NUM_THREADS");
    const std::string_view first =
        trimmed(std::string_view(variable).substr(0, variable.find(',')));
    if (trimmed(variable).empty()) {
        return std::nullopt;
    }
    int threads = 0;
    const auto [end, failure] = std::from_chars(first.data(), first.data() + first.size(), threads);
    validate<UsageError>(failure == std::errc{} && end == first.data() + first.size() &&
                             threads >= 1 && threads <= most_threads,
                         fmt::format("OMP_NUM_THREADS is '{:.40}' (threads of a rank: 1 to {}). "
                                     "Correct it, unset it or give --threads.",
                                     variable, most_threads));
    return threads;
}

void require_threads(int threads) {
    TrialThreads trial;
    for (int started = 1; started < threads; ++started) {
        if (const int failure = trial.add(); failure != 0) {
            throw EnvironmentError(
                fmt::format("the system gives this rank {} of {} threads ({}). Ask for fewer "
                            "threads, raise the "
                            "limits (ulimit -u, ulimit -v) or lower OMP_STACKSIZE.",
                            started, threads, std::strerror(failure)));
        }
    }
}

std::optional<Oversubscription> find_oversubscription(int threads) {
    if (threads < 1) {
        try {
            threads = threads_from_environment().value_or(1);  // else: its share of the cores
        } catch (const UsageError&) {
            return std::nullopt;  // reported when all ranks can do so together
        }
    }
    const int ranks = find_local_rank(process_environment()).value_or(LocalRank{}).size;
    const auto own = static_cast<int>(cpus_of_threads().size());
    if (std::int64_t{ranks} * threads <= own) {
        return std::nullopt;
    }
    const int cpus = threads > own ? own : cpus_of_the_job(own);
    return threads > own || std::int64_t{ranks} * threads > cpus
               ? std::optional<Oversubscription>({ranks, threads, cpus})
               : std::nullopt;
}

bool waits_passively() {
    const Environment variable = process_environment();
    const std::string spins = variable("GOMP_SPINCOUNT");
    return strcasecmp(variable("OMP_WAIT_POLICY").c_str(), "passive") == 0 &&
           (spins.empty() || spins == "0");
}

void yield_when_oversubscribed(int threads, char** argv) {
    const std::optional<Oversubscription> found = find_oversubscription(threads);
    if (!found) {
        return;
    }
    setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
    if (found->threads == 1 || waits_passively()) {
        return;
    }
    setenv("OMP_WAIT_POLICY", "passive", 1);
    unsetenv("GOMP_SPINCOUNT");
    StopRequest::hand_over();
    bind_to(cpus_of_threads());     // the program that begins anew finds the places it had
    execv("/proc/self/exe", argv);  // returns only where it cannot: the run is slower then
    unsetenv("OMP_WAIT_POLICY");
}

}  // namespace halocline
