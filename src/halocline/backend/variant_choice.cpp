// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Whose turn it is, and who has none.
#include "halocline/backend/variant_choice.hpp"

#include <algorithm>

namespace halocline {

namespace {

/// So much slower than another that the rest of its first turns can wait.
constexpr double hopeless = 1.3;
/// So much slower, in two turns at least, that another turn would waste more than it could find.
constexpr double out = 2.0;
constexpr int turns_before_out = 2;
/// So much slower that nothing left in the caches explains it: the turn ends. In the first calls plans may.
constexpr double lost = 8.0;
/// Of all calls, the share that lies between two turns.
constexpr std::int64_t calls_a_gap = 16;

}  // namespace

VariantChoice::Variant VariantChoice::next(Allowed allowed, Allowed rivals) const {
    const std::size_t next = next_trial(allowed, rivals);
    return static_cast<Variant>(next < variants ? next : fastest(allowed));
}

double VariantChoice::least_s(Allowed allowed) const { return trials_[fastest(allowed)].least_s; }

void VariantChoice::Trial::add_turn(double seconds) {
    turns_s[static_cast<std::size_t>(turns() % kept_turns)] = seconds;
    least_s = *std::min_element(turns_s.begin(), turns_s.end());
}

void VariantChoice::Trial::scale(double factor) {
    for (double& turn_s : turns_s) {
        turn_s *= factor;
    }
    least_s *= factor;
}

void VariantChoice::note(Variant variant, double seconds, Allowed allowed) {
    Trial& trial = trials_[static_cast<std::size_t>(variant)];
    ++trial.calls;
    if (!is_short_run() && seconds > lost * least_s(~Allowed())) {
        trial.calls += (calls_a_turn - trial.calls % calls_a_turn) % calls_a_turn;
    }
    if (trial.calls % calls_a_turn == 0) {
        const bool is_later_turn = !has_first_turns_left(allowed, allowed);
        const double before_s = least_s(allowed);
        trial.add_turn(seconds);
        trial.last_turn = ++turns_;
        settled_since_turn_ = 0;
        if (is_later_turn) {
            scale(~allowed, least_s(allowed) / before_s);
        }
    }
}

void VariantChoice::scale(Allowed which, double factor) {
    for (std::size_t variant = 0; variant < variants; ++variant) {
        if (which[variant]) {
            trials_[variant].scale(factor);
        }
    }
}

bool VariantChoice::is_near_best(Variant variant, Allowed of) const {
    const Trial& trial = trials_[static_cast<std::size_t>(variant)];
    return trial.calls >= calls_a_turn && trial.least_s < hopeless * least_s(of);
}

void VariantChoice::note_settled() {
    ++settled_calls_;
    ++settled_since_turn_;
}

std::size_t VariantChoice::next_trial(Allowed allowed, Allowed rivals) const {
    for (std::size_t variant = 0; variant < variants; ++variant) {
        if (allowed[variant] && trials_[variant].calls % calls_a_turn != 0) {
            return variant;
        }
    }
    const double best_s = least_s(allowed | rivals);
    const std::size_t first = next_first_turn(allowed, best_s);
    const std::int64_t gap =
        std::max<std::int64_t>(calls_between_turns, settled_calls_ / calls_a_gap);
    const bool is_due = settled_since_turn_ >= gap;
    return first == variants && is_due ? next_later_turn(allowed, best_s) : first;
}

std::size_t VariantChoice::next_first_turn(Allowed allowed, double best_s) const {
    std::size_t next = variants;
    for (std::size_t variant = 0; variant < variants; ++variant) {
        const Trial& trial = trials_[variant];
        const bool waits = trial.turns() > 0 && trial.least_s > hopeless * best_s;
        if (allowed[variant] && trial.turns() < first_turns && !waits &&
            (next == variants || trial.turns() < trials_[next].turns())) {
            next = variant;
        }
    }
    return next;
}

std::size_t VariantChoice::next_later_turn(Allowed allowed, double best_s) const {
    std::size_t next = variants;
    for (std::size_t variant = 0; variant < variants; ++variant) {
        const Trial& trial = trials_[variant];
        const bool is_out = trial.turns() >= turns_before_out && trial.least_s > out * best_s;
        if (allowed[variant] && !is_out &&
            (next == variants || trial.last_turn < trials_[next].last_turn)) {
            next = variant;
        }
    }
    return next;
}

std::size_t VariantChoice::fastest(Allowed allowed) const {
    std::size_t best = 0;
    while (!allowed[best]) {
        ++best;
    }
    for (std::size_t variant = best + 1; variant < variants; ++variant) {
        if (allowed[variant] && trials_[variant].least_s < 0.97 * trials_[best].least_s) {
            best = variant;
        }
    }
    return best;
}

}  // namespace halocline
