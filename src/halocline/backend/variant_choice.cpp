// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rounds of turns, and who is out of them.
#include "halocline/backend/variant_choice.hpp"

#include <algorithm>

namespace halocline {

namespace {

/// So much slower than another that it can wait for the next round.
constexpr double hopeless = 1.3;
/// So little slower that a disturbance may have made the difference.
constexpr double close = 1.1;
/// So much slower that another round would waste more than it could find.
constexpr double out = 2.0;
/// So much slower that nothing left in the caches explains it: the turn ends. In the first round plans
/// may.
constexpr double lost = 8.0;

}  // namespace

VariantChoice::Variant VariantChoice::next(Allowed allowed, Allowed rivals) const {
    const std::size_t next = next_trial(allowed, rivals);
    return static_cast<Variant>(next < variants ? next : fastest(allowed));
}

double VariantChoice::least_s(Allowed allowed) const { return trials_[fastest(allowed)].least_s; }

void VariantChoice::note(Variant variant, double seconds) {
    Trial& trial = trials_[static_cast<std::size_t>(variant)];
    ++trial.calls;
    if (!is_in_first_round() && seconds > lost * least_s(~Allowed())) {
        trial.calls += (calls_a_turn - trial.calls % calls_a_turn) % calls_a_turn;
    }
    if (trial.calls % calls_a_turn == 0) {
        trial.least_s = std::min(trial.least_s, seconds);
    }
}

bool VariantChoice::is_near_best(Variant variant, Allowed of) const {
    const Trial& trial = trials_[static_cast<std::size_t>(variant)];
    return trial.calls >= calls_a_turn && trial.least_s < hopeless * least_s(of);
}

void VariantChoice::note_settled(Allowed allowed) {
    if (++settled_calls_ == calls_to_next_round_) {
        settled_calls_ = 0;
        calls_to_next_round_ *= 4;
        begin_round(allowed);
    }
}

void VariantChoice::begin_round(Allowed allowed) {
    const double least_s = trials_[fastest(allowed)].least_s;
    for (std::size_t variant = 0; variant < variants; ++variant) {
        Trial& trial = trials_[variant];
        if (!allowed[variant]) {
            continue;
        }
        if (trial.least_s < out * least_s) {
            trial = {};
        } else {
            trial = {trials_of_close_ones, std::numeric_limits<double>::infinity()};
        }
    }
}

std::size_t VariantChoice::next_trial(Allowed allowed, Allowed rivals) const {
    std::size_t next = variants;
    const double least_s = trials_[fastest(allowed | rivals)].least_s;
    for (std::size_t variant = 0; variant < variants; ++variant) {
        const Trial& trial = trials_[variant];
        if (allowed[variant] && trial.calls % calls_a_turn != 0) {
            return variant;
        }
        const bool is_hopeless = trial.calls >= calls_a_turn && trial.least_s > hopeless * least_s;
        if (allowed[variant] && trial.calls < trials_for(variant, allowed) && !is_hopeless &&
            (next == variants || trial.calls < trials_[next].calls)) {
            next = variant;
        }
    }
    return next;
}

int VariantChoice::trials_for(std::size_t variant, Allowed allowed) const {
    const auto is_close = [&](std::size_t other) {
        const double a = trials_[variant].least_s;
        const double b = trials_[other].least_s;
        return other != variant && allowed[other] && a < close * b && b < close * a;
    };
    for (std::size_t other = 0; other < variants; ++other) {
        if (is_close(other)) {
            return trials_of_close_ones;
        }
    }
    return trials;
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
