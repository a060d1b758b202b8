// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Two threads that take turns at one processor, so that what disturbs the machine meets both alike.
#pragma once

#include <condition_variable>
#include <mutex>

namespace halocline::benchmarks {

/// Of some threads, one runs: number 0 first, and the next one after some calls.
class Turns {
public:
    Turns(int players, int calls_a_turn)
        : calls_a_turn_(calls_a_turn), has_left_(static_cast<std::size_t>(players)) {}

    /// A thread's part in it, for as long as it lives.
    class Player {
    public:
        /// Waits for the first turn.
        Player(Turns& turns, int who) : turns_(turns), who_(who) {
            std::unique_lock lock(turns_.mutex_);
            turns_.wait(lock, who_);
        }
        ~Player() {
            const std::lock_guard lock(turns_.mutex_);
            turns_.has_left_[static_cast<std::size_t>(who_)] = true;
            turns_.give_way();
        }
        Player(const Player&) = delete;
        Player& operator=(const Player&) = delete;

        /// Waits for the next turn where this one is over.
        void before_call() {
            std::unique_lock lock(turns_.mutex_);
            if (turns_.calls_ == turns_.calls_a_turn_) {
                turns_.give_way();
                turns_.wait(lock, who_);
            }
            ++turns_.calls_;
        }

    private:
        Turns& turns_;
        int who_;
    };

private:
    /// To the next thread that has not left.
    void give_way() {
        const int players = static_cast<int>(has_left_.size());
        const int before = whose_;
        calls_ = 0;
        do {
            whose_ = (whose_ + 1) % players;
        } while (whose_ != before && has_left_[static_cast<std::size_t>(whose_)]);
        changed_.notify_all();
    }
    void wait(std::unique_lock<std::mutex>& lock, int who) {
        changed_.wait(lock, [&] { return whose_ == who; });
    }

    int calls_a_turn_;
    int calls_ = 0;  ///< of this turn
    int whose_ = 0;
    std::vector<bool> has_left_;
    std::mutex mutex_;
    std::condition_variable changed_;
};

}  // namespace halocline::benchmarks
