// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Start and end of the library in a process, and what all ranks agree on in between.
#include "collectives/session.hpp"

#include "collectives/communicators.hpp"
#include "collectives/placement.hpp"
#include "collectives/report.hpp"
#include "halocline/core/launcher.hpp"

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace halocline::endpoints {

namespace {

/// Endpoints chosen without being asked: more gain little and cost communicators.
constexpr int automatic_limit = 8;

constexpr std::array<const char*, function_count> function_names = {
    "Allreduce", "Reduce", "Bcast", "Allgather", "Alltoall", "Alltoallv"};

int positive_number(const char* variable) {
    const char* text = std::getenv(variable);
    return text != nullptr ? std::max(0, std::atoi(text)) : 0;
}

/// Ranks on this node by the launcher's variables; 1 without them.
int ranks_of_node() {
    for (const char* variable : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}) {
        if (const int ranks = positive_number(variable); ranks > 0) {
            return ranks;
        }
    }
    return 1;
}

/// Endpoints to use when nobody said how many, given the CPUs that this rank has.
int automatic_threads(int cpus) {
    const int wanted = positive_number("OMP_NUM_THREADS");
    return std::min(wanted > 0 ? wanted : cpus, automatic_limit);
}

/// Before MPI_Init: whether splitting can come into question at all.
bool could_split(const Settings& settings) {
    const cpu_set_t online = online_cpus();
    const int cpus = std::max(1, CPU_COUNT(&online) / ranks_of_node());
    return settings.enabled &&
           (settings.threads > 0 ? settings.threads : automatic_threads(cpus)) > 1;
}

std::string version_of_mpi() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    real().Get_library_version(text.data(), &length);
    return {text.data(), static_cast<std::size_t>(length)};
}

const char* environment(const char* name) { return std::getenv(name); }

}  // namespace

constinit thread_local int Guard::depth = 0;

const char* name_of(Function function) {
    return function_names[static_cast<std::size_t>(function)];
}

double now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

constinit std::atomic<Session*> Session::made_{nullptr};

Session& Session::make() {
    static Session* const session = new Session;  // NOLINT: outlives every exit handler
    made_.store(session, std::memory_order_release);
    return *session;
}

int Session::initialise(int* argc, char*** argv, int level_asked, int* level_shown) {
    end_with_launcher();
    const SettingsReading reading = read_settings(environment, mep_variables());
    settings_ = reading.settings;
    const bool multiple = wants_multiple(level_asked);
    raised_ = multiple && level_asked < MPI_THREAD_MULTIPLE;
    const int level = multiple ? MPI_THREAD_MULTIPLE : level_asked;
    int provided = MPI_THREAD_SINGLE;
    const bool by_level = raised_ || level_shown != nullptr;
    const int code =
        by_level ? real().Init_thread(argc, argv, level, &provided) : real().Init(argc, argv);
    if (code != MPI_SUCCESS) {
        return code;
    }
    level_shown_ = std::min(level_asked, provided);
    if (level_shown != nullptr) {
        *level_shown = raised_ ? level_shown_ : provided;
    }
    start_ = now();
    loaded_ = true;
    real().Comm_rank(MPI_COMM_WORLD, &rank_);
    for (const std::string& complaint : reading.complaints) {
        say(complaint);
    }
    agree(multiple && provided == MPI_THREAD_MULTIPLE);
    return code;
}

// MPI takes locks in every call from here on, so the level is raised only where the user or an
// earlier run of the same case says that this pays.
bool Session::wants_multiple(int level_asked) {
    if (!could_split(settings_)) {
        return false;
    }
    if (level_asked == MPI_THREAD_MULTIPLE || !settings_.calibrate ||
        settings_.thread_level == ThreadLevel::multiple) {
        return true;
    }
    if (settings_.thread_level == ThreadLevel::own) {
        return false;
    }
    memory_ = Memory(memory_folder(settings_, environment),
                     case_of(settings_, facts_of_process(version_of_mpi()), environment));
    const std::optional<Plan> plan = memory_.read();
    return plan == Plan::attempt || plan == Plan::split;
}

// One reduction decides for all ranks: minima of what must hold everywhere, and of the negated
// thresholds, which are maxima. Ranks on other nodes may have read another environment.
void Session::agree(bool multiple) {
    real().Comm_dup(MPI_COMM_WORLD, &world_);
    real().Comm_set_errhandler(world_, MPI_ERRORS_RETURN);
    real().Comm_group(world_, &world_group_);
    look_at_node();
    int ranks = 1;
    real().Comm_size(world_, &ranks);
    std::array<double, 10> all = {settings_.enabled ? 1.0 : 0.0,
                                  multiple ? 1.0 : 0.0,
                                  static_cast<double>(settings_.threads),
                                  -static_cast<double>(settings_.allreduce_threshold),
                                  -static_cast<double>(settings_.bcast_threshold),
                                  settings_.calibrate ? -1.0 : 0.0,
                                  settings_.verify ? -1.0 : 0.0,
                                  oversubscribed_ ? -1.0 : 0.0,
                                  raised_ ? -1.0 : 0.0,
                                  memory_.works() ? -1.0 : 0.0};
    real().Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_MIN,
                     world_);
    settings_.threads = static_cast<int>(all[2]);
    settings_.allreduce_threshold = static_cast<std::int64_t>(-all[3]);
    settings_.bcast_threshold = static_cast<std::int64_t>(-all[4]);
    shortest_reduction_ = std::max<std::int64_t>(settings_.allreduce_threshold, settings_.threads);
    settings_.calibrate = all[5] < 0.0;
    settings_.verify = all[6] < 0.0;
    oversubscribed_ = all[7] < 0.0;
    if (all[0] < 1.0) {
        why_inactive_ = "switched off by MEP_ENABLE=0";
    } else if (ranks < 2) {
        why_inactive_ = "one rank has nobody to talk to";
    } else if (settings_.threads < 2) {
        why_inactive_ = "one core a rank: no core is left for a second endpoint";
    } else if (all[1] >= 1.0) {
        Communicators::get().open();
        mode_.store(Mode::active, std::memory_order_release);
    } else {
        stay_plain(all[8] < 0.0, all[9] < 0.0);
    }
}

/// Without MPI_THREAD_MULTIPLE on all ranks: says why, and watches where that serves a later run.
void Session::stay_plain(bool some_raised, bool some_remember) {
    if (some_raised) {
        why_inactive_ =
            "not all ranks were raised to MPI_THREAD_MULTIPLE: MPI does not provide it, "
            "or the ranks read different memories";
    } else if (some_remember) {
        why_inactive_ = "first runs of a case only watch, at the program's own thread level";
        Communicators::get().open();
        mode_.store(Mode::watching, std::memory_order_release);
    } else if (settings_.thread_level == ThreadLevel::own) {
        why_inactive_ = "the program has not asked for MPI_THREAD_MULTIPLE";
    } else {
        why_inactive_ =
            "there is no memory of earlier runs: set MEP_MEMORY to a folder, or "
            "MEP_THREAD_LEVEL=multiple";
    }
}

/// Which CPUs the ranks of this node have, and where this rank's workers go.
void Session::look_at_node() {
    MPI_Comm node{};
    real().Comm_split_type(world_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    int rank = 0;
    int ranks = 1;
    real().Comm_rank(node, &rank);
    real().Comm_size(node, &ranks);
    std::vector<cpu_set_t> masks(static_cast<std::size_t>(ranks));
    cpu_set_t own = own_mask();
    constexpr int bytes = sizeof(cpu_set_t);
    real().Allgather(&own, bytes, MPI_BYTE, masks.data(), bytes, MPI_BYTE, node);
    const int cpus = cpus_of_rank(masks, rank);
    if (settings_.threads == 0) {
        settings_.threads = automatic_threads(cpus);
    }
    const cpu_set_t online = online_cpus();
    places_ = place_workers(masks, rank, online, settings_.threads);
    const int homeless = static_cast<int>(std::count_if(
        places_.begin(), places_.end(), [](const cpu_set_t& set) { return CPU_COUNT(&set) == 0; }));
    oversubscribed_ = homeless > 0;
    real().Comm_free(&node);
}

Workers& Session::workers() {
    const std::lock_guard lock(workers_mutex_);
    if (workers_ == nullptr) {
        // What a worker calls is never a program's own call.
        workers_ = std::make_unique<Workers>(places_, [] { new Guard; });  // NOLINT: for good
    }
    return *workers_;
}

int Session::finalise() {
    if (loaded_) {
        loaded_ = false;
        write_report(*this);
        mode_.store(Mode::off, std::memory_order_release);
        Communicators::get().close();
        workers_.reset();
        real().Group_free(&world_group_);
        real().Comm_free(&world_);
    }
    return real().Finalize();
}

int Session::query_thread(int* level) const {
    const int code = real().Query_thread(level);
    if (code == MPI_SUCCESS && raised_) {
        *level = level_shown_;
    }
    return code;
}

namespace {

void add_to(std::atomic<double>& sum, double seconds) {
    double before = sum.load();
    while (!sum.compare_exchange_weak(before, before + seconds)) {
    }
}

}  // namespace

void Session::add_cost(double seconds) { add_to(cost_, std::max(0.0, seconds)); }

void Session::add_watched(std::size_t bytes, double seconds) {
    add_to(bytes >= long_bytes ? watched_long_ : watched_middle_, seconds);
}

double Session::elapsed() const { return std::max(1e-9, now() - start_); }

void Session::say(const std::string& sentence) const {
    if (rank_ == 0) {
        std::fprintf(stderr, "halocline endpoints: %s\n", sentence.c_str());
    }
}

}  // namespace halocline::endpoints
