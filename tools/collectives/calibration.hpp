// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Decides, for one kind of call on one communicator, whether splitting pays. Knows no MPI.
//
// Every rank holds its own object, asks `next` once per call and feeds it values that all ranks
// have agreed on, so all ranks take the same way at the same call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace halocline::endpoints {

/// What to do with the call at hand.
enum class Step {
    plain,        ///< pass it on
    split,        ///< spread it over the endpoints
    check,        ///< pass it on, and agree whether the run can afford a trial
    verify,       ///< do it both ways and compare the results
    timed_plain,  ///< pass it on, timed from a common start
    timed_split,  ///< split it, timed from a common start
};

enum class State {
    waiting,  ///< too few calls, or no time to spare for a trial yet
    watched,  ///< never split in this run, only timed
    trying,
    off,    ///< plain was faster
    on,     ///< split was faster
    wrong,  ///< split gave another result: never again
};

[[nodiscard]] const char* name_of(State state);

class Calibration {
public:
    /// The step for the next call; counts it.
    [[nodiscard]] Step next();

    /// The answer to `check`: whether all ranks can afford the trial.
    void answer_check(bool go);
    /// Puts off the check that `next` has just asked for; the call stays as it was.
    void postpone();
    /// The answer to `verify`: whether the results agreed on all ranks, and seconds of the slowest,
    /// which include what a first time costs.
    void answer_verify(bool same, double plain_seconds, double split_seconds);
    /// The answer to a timed step: seconds of the slowest rank, and bytes of the busiest.
    void answer_time(double seconds, double bytes);

    /// Counts a call that is not judged (MEP_CALIBRATE=0).
    void count_forced(bool split);
    /// Counts a call that was passed on and timed.
    void count_watched(double seconds);

    /// Seconds that the latest timed plain call would have taken for `bytes`; 0 without one.
    [[nodiscard]] double latest_plain(double bytes) const;
    [[nodiscard]] State state() const { return state_; }
    /// Whether a trial has shown that plain is faster.
    [[nodiscard]] bool lost() const { return state_ == State::off || state_ == State::wrong; }
    [[nodiscard]] bool split_now() const { return splitting_; }
    [[nodiscard]] std::int64_t calls() const { return calls_; }
    [[nodiscard]] std::int64_t split_calls() const { return split_calls_; }
    [[nodiscard]] int trials() const { return trials_; }
    [[nodiscard]] bool verified() const { return verified_; }
    /// Medians of the last trial [s], scaled to its mean message; 0 without one.
    [[nodiscard]] double plain_seconds() const { return plain_seconds_; }
    [[nodiscard]] double split_seconds() const { return split_seconds_; }

    /// Split calls of one trial, the verifying one included.
    static constexpr int split_calls_of_trial = 5;

private:
    [[nodiscard]] Step step_of_trial() const;
    void decide();
    void conclude(bool split);
    [[nodiscard]] bool hopeless() const;

    State state_ = State::waiting;
    bool splitting_ = false;
    bool verified_ = false;
    std::int64_t calls_ = 0;
    std::int64_t split_calls_ = 0;
    std::int64_t next_check_ = 4;
    int trials_ = 0;
    std::vector<double> plain_;  ///< seconds per byte of the trial that is running
    std::vector<double> split_;
    double bytes_sum_ = 0.0;
    double plain_seconds_ = 0.0;
    double split_seconds_ = 0.0;
};

}  // namespace halocline::endpoints
