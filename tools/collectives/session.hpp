// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The state of this process between MPI_Init and MPI_Finalize: agreed settings, workers, accounts.
#pragma once

#include "collectives/call_count.hpp"
#include "collectives/guard.hpp"
#include "collectives/memory.hpp"
#include "collectives/mpi_symbols.hpp"
#include "collectives/settings.hpp"
#include "collectives/workers.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace halocline::endpoints {

enum class Function { allreduce, reduce, bcast, allgather, alltoall, alltoallv };
inline constexpr std::size_t function_count = 6;

[[nodiscard]] const char* name_of(Function function);

/// Why calls were passed on without a thought of splitting.
enum class Passed { small, user_operation, inner, communicator, count };

enum class Mode {
    off,       ///< passed on
    watching,  ///< passed on, and the long ones timed
    active,    ///< may be split
};

class Session {
public:
    /// The one of this process; never destroyed, since programs call MPI from exit handlers.
    [[nodiscard]] static Session& get() {
        Session* const made = made_.load(std::memory_order_acquire);
        return made != nullptr ? *made : make();
    }

    /// The wrapped MPI_Init and MPI_Init_thread. @param level_shown  nullptr: MPI_Init
    int initialise(int* argc, char*** argv, int level_asked, int* level_shown);
    int finalise();
    int query_thread(int* level) const;

    /// What is done with long collectives: agreed by all ranks.
    [[nodiscard]] Mode mode() const { return mode_.load(std::memory_order_acquire); }
    /// Whether MPI's thread level is higher than the program asked for.
    [[nodiscard]] bool raised() const { return raised_; }
    /// Where the plan of the next run is kept; without MEP_THREAD_LEVEL=auto it works not.
    [[nodiscard]] const Memory& memory() const { return memory_; }
    [[nodiscard]] const Settings& settings() const { return settings_; }
    /// Pieces of a split collective.
    [[nodiscard]] int endpoints() const { return settings_.threads; }
    [[nodiscard]] Workers& workers();
    [[nodiscard]] bool oversubscribed() const { return oversubscribed_; }
    [[nodiscard]] MPI_Comm private_world() const { return world_; }
    [[nodiscard]] MPI_Group world_group() const { return world_group_; }
    [[nodiscard]] const std::string& why_inactive() const { return why_inactive_; }

    /// Whether a reduction is passed on because of its count alone, or because nothing is looked at.
    /// The short way of most calls: inlined into the exported functions. Counts the call.
    [[nodiscard]] static bool passes(Function function, std::int64_t count) {
        Session& session = get();
        if (Guard::held() || session.mode() == Mode::off) {
            return true;
        }
        if (count >= session.shortest_reduction_) {
            return false;
        }
        CallCount::add();
        session.count(function, Passed::small);
        return true;
    }

    /// A locked increment only where several threads may be here: it costs as much as all the rest.
    void count(Function function, Passed why) {
        auto& passed = passed_[static_cast<std::size_t>(function)][static_cast<std::size_t>(why)];
        if (mode() == Mode::active) {
            passed.fetch_add(1, std::memory_order_relaxed);
        } else {
            passed.store(passed.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        }
    }
    [[nodiscard]] std::int64_t passed(Function function, Passed why) const {
        return passed_[static_cast<std::size_t>(function)][static_cast<std::size_t>(why)].load();
    }

    /// Time that trials have added so far, and the run's length [s].
    void add_cost(double seconds);
    [[nodiscard]] double cost() const { return cost_.load(); }
    [[nodiscard]] double elapsed() const;
    /// Time in collectives that were only watched: long ones, and those between [s].
    void add_watched(std::size_t bytes, double seconds);
    [[nodiscard]] double watched_long() const { return watched_long_.load(); }
    [[nodiscard]] double watched_middle() const { return watched_middle_.load(); }
    /// Share of the run that trials will have cost after one that costs `more` seconds.
    [[nodiscard]] double cost_share(double more) const { return (cost() + more) / elapsed(); }

private:
    static Session& make();
    [[nodiscard]] bool wants_multiple(int level_asked);
    void agree(bool multiple);
    void stay_plain(bool some_raised, bool some_remember);
    void look_at_node();
    void say(const std::string& sentence) const;

    static std::atomic<Session*> made_;

    std::int64_t shortest_reduction_ = 0;  ///< [elements]
    Settings settings_;
    std::atomic<Mode> mode_{Mode::off};
    Memory memory_{{}, {}};
    bool loaded_ = false;  ///< between the wrapped Init and Finalize
    bool raised_ = false;  ///< the thread level is higher than the program asked for
    int level_shown_ = MPI_THREAD_SINGLE;
    bool oversubscribed_ = false;
    int rank_ = 0;
    MPI_Comm world_ = MPI_Comm{};
    MPI_Group world_group_ = MPI_Group{};
    std::string why_inactive_;
    std::vector<cpu_set_t> places_;
    std::unique_ptr<Workers> workers_;
    std::mutex workers_mutex_;
    double start_ = 0.0;
    std::atomic<double> cost_{0.0};
    std::atomic<double> watched_long_{0.0};
    std::atomic<double> watched_middle_{0.0};
    std::array<std::array<std::atomic<std::int64_t>, static_cast<std::size_t>(Passed::count)>,
               function_count>
        passed_{};
};

/// Seconds of the monotonic clock.
[[nodiscard]] double now();

}  // namespace halocline::endpoints
