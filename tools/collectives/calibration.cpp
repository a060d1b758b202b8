// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The schedule of trials and their judgement.
#include "collectives/calibration.hpp"

#include <algorithm>

namespace halocline::endpoints {

namespace {

/// Calls of one way in a row. In turn, each way would find the data in the other's caches.
constexpr std::size_t calls_of_block = 4;
/// Split must win clearly: a draw is decided for what the program does without us.
constexpr double winning_ratio = 0.97;
/// After two split calls this far behind there is nothing left to find out.
constexpr double hopeless_ratio = 1.5;
/// The same for the first split call of all, which starts threads and touches new memory.
constexpr double hopeless_first_ratio = 5.0;
/// Calls until the next trial, as a multiple of those so far: the cost of trials dies out.
constexpr std::int64_t backoff = 16;

/// Of a block without its first call, which finds the caches as the other way left them.
double median_of_block(const std::vector<double>& block) {
    std::vector<double> values(block.begin() + (block.size() > 1 ? 1 : 0), block.end());
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

const char* name_of(State state) {
    switch (state) {
        case State::waiting:
            return "not tried";
        case State::watched:
            return "watched";
        case State::trying:
            return "trial unfinished";
        case State::off:
            return "plain";
        case State::on:
            return "split";
        case State::wrong:
            return "plain (results differed)";
    }
    return "";
}

Step Calibration::next() {
    ++calls_;
    Step step = splitting_ ? Step::split : Step::plain;
    if (state_ == State::trying) {
        step = step_of_trial();
    } else if (calls_ >= next_check_ && state_ != State::wrong) {
        step = Step::check;
    }
    const bool splits =
        step == Step::split || step == Step::timed_split || (step == Step::check && splitting_);
    split_calls_ += splits ? 1 : 0;
    return step;
}

Step Calibration::step_of_trial() const {
    if (!verified_) {
        return Step::verify;
    }
    return plain_.size() < calls_of_block ? Step::timed_plain : Step::timed_split;
}

void Calibration::answer_check(bool go) {
    if (!go) {
        next_check_ = calls_ * 2;
        return;
    }
    state_ = State::trying;
    ++trials_;
    plain_.clear();
    split_.clear();
    bytes_sum_ = 0.0;
}

void Calibration::postpone() { next_check_ = calls_ * 2; }

void Calibration::answer_verify(bool same, double plain_seconds, double split_seconds) {
    verified_ = same;
    if (!same) {
        state_ = State::wrong;
        splitting_ = false;
    } else if (split_seconds > hopeless_first_ratio * plain_seconds && plain_seconds > 0.0) {
        plain_seconds_ = plain_seconds;
        split_seconds_ = split_seconds;
        conclude(false);
    }
}

void Calibration::answer_time(double seconds, double bytes) {
    auto& times = plain_.size() < calls_of_block ? plain_ : split_;
    times.push_back(seconds / std::max(bytes, 1.0));
    bytes_sum_ += bytes;
    if (split_.size() == calls_of_block || hopeless()) {
        decide();
    }
}

void Calibration::count_forced(bool split) {
    ++calls_;
    split_calls_ += split ? 1 : 0;
    splitting_ = split && state_ != State::wrong;
    state_ = splitting_ ? State::on : state_;
}

void Calibration::count_watched(double seconds) {
    state_ = State::watched;
    const double sum = plain_seconds_ * static_cast<double>(calls_) + seconds;
    plain_seconds_ = sum / static_cast<double>(++calls_);
}

double Calibration::latest_plain(double bytes) const {
    return plain_.empty() ? 0.0 : plain_.back() * std::max(bytes, 1.0);
}

bool Calibration::hopeless() const {
    return split_.size() == 2 && split_.back() > hopeless_ratio * median_of_block(plain_);
}

void Calibration::decide() {
    const double bytes = bytes_sum_ / static_cast<double>(plain_.size() + split_.size());
    const double plain = median_of_block(plain_);
    const double split = median_of_block(split_);
    plain_seconds_ = plain * std::max(bytes, 1.0);
    split_seconds_ = split * std::max(bytes, 1.0);
    conclude(split < winning_ratio * plain);
}

void Calibration::conclude(bool split) {
    splitting_ = split;
    state_ = split ? State::on : State::off;
    next_check_ = calls_ * backoff;
}

}  // namespace halocline::endpoints
