// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Whose turn it is, and who is out.
#include "halocline/backend/variant_choice.hpp"

#include <algorithm>

namespace halocline {

namespace {

/// So much slower than another, in two turns or in one, that the rest of its first turns can wait.
constexpr double hopeless = 1.3;
constexpr double hopeless_at_once = 2.0;
/// So much slower, in two turns or in one, that another turn would waste more than it could find.
constexpr double out = 2.0;
constexpr double out_at_once = 4.0;
/// So much slower that nothing left in the caches explains it: the turn ends. In the first calls plans may.
constexpr double lost = 8.0;
/// So little faster that nothing is gained.
constexpr double close = 0.97;
/// Who lost a bout takes nobody's place, however little it lost.
constexpr double no_match = 1.0 / (close * close);
/// Who won may have been helped by what disturbed the other: nobody shall be out for that.
constexpr double narrow_win = 0.95;
/// What was won on a visit says whether dats are moved, so it counts for more. What was lost there counts
/// for nothing: a challenger finds caches that moving filled.
constexpr double visit_win = 0.6;
/// So many times as long as a visit takes, a loop has run before there is one.
constexpr double runs_a_visit = 32.0;
/// Of all calls, the share that lies between two duels.
constexpr std::int64_t calls_a_gap = 16;

}  // namespace

void VariantChoice::admit(Allowed allowed) {
    const bool are_new = (allowed & ~admitted_).any();
    admitted_ |= allowed;
    if (!are_new) {
        return;
    }
    duel_ = {};
    for (std::size_t variant = 0; variant < variants; ++variant) {
        if (!is_out(variant)) {
            trials_[variant] = {};
        }
    }
}

VariantChoice::Variant VariantChoice::next(Allowed allowed, Allowed rivals) const {
    const std::size_t next = next_trial(allowed, rivals);
    return static_cast<Variant>(next < variants ? next : fastest(allowed));
}

double VariantChoice::least_s(Allowed allowed) const { return trials_[fastest(allowed)].least_s; }

void VariantChoice::note(Variant variant, double seconds) {
    const auto index = static_cast<std::size_t>(variant);
    Trial& trial = trials_[index];
    ++trial.calls;
    if (!is_short_run() && seconds > lost * least_s(~Allowed())) {
        trial.calls += (calls_a_turn - trial.calls % calls_a_turn) % calls_a_turn;
    }
    if (trial.calls % calls_a_turn != 0) {
        return;
    }
    if (index == duel_.challenger) {
        duel_.challenger_s = seconds;
    } else if (index == duel_.champion) {
        end_bout(seconds);
    } else {
        trial.least_s = std::min(trial.least_s, seconds);
    }
}

void VariantChoice::end_bout(double champion_s) {
    const double share = duel_.challenger_s / champion_s;
    const bool wins = share < close;
    duel_.challenger_s = 0.0;
    duel_.share = std::max(duel_.share, share);
    if (wins && ++duel_.won < bouts) {
        return;
    }
    Trial& challenger = trials_[duel_.challenger];
    const double champion_least_s = trials_[duel_.champion].least_s;
    if (wins) {
        const double most_won = duel_.is_visit ? visit_win : narrow_win;
        challenger.least_s = std::max(duel_.share, most_won) * champion_least_s;
    } else if (!duel_.is_visit) {
        challenger.least_s = std::max(std::min(share * champion_least_s, challenger.least_s),
                                      no_match * champion_least_s);
    }
    duel_ = {};
}

bool VariantChoice::is_near_best(Variant variant, Allowed of) const {
    const Trial& trial = trials_[static_cast<std::size_t>(variant)];
    return trial.calls >= calls_a_turn && trial.least_s < hopeless * least_s(of);
}

void VariantChoice::note_settled(Allowed allowed, Allowed elsewhere, double visit_s) {
    duel_ = {};  // one that could not go on
    ++settled_calls_;
    ++settled_since_duel_;
    if (settled_since_duel_ >=
        std::max<std::int64_t>(calls_between_duels, settled_calls_ / calls_a_gap)) {
        begin_duel(allowed, elsewhere, visit_s);
    }
}

VariantChoice::Allowed VariantChoice::visit(Allowed allowed) const {
    return duel_.is_visit && duel_.is_on(allowed) ? only(static_cast<Variant>(duel_.next()))
                                                  : Allowed();
}

void VariantChoice::begin_duel(Allowed allowed, Allowed elsewhere, double visit_s) {
    settled_since_duel_ = 0;
    const std::size_t champion = fastest(allowed);
    if (begin_visit(champion, elsewhere, visit_s)) {
        return;
    }
    for (std::size_t k = 1; k <= variants; ++k) {
        const std::size_t challenger = (last_challenger_ + k) % variants;
        if (allowed[challenger] && challenger != champion && !is_out(challenger)) {
            last_challenger_ = challenger;
            duel_ = {.challenger = challenger, .champion = champion};
            return;
        }
    }
}

bool VariantChoice::begin_visit(std::size_t champion, Allowed elsewhere, double visit_s) {
    const double run_s = static_cast<double>(settled_calls_) * trials_[champion].least_s;
    const bool is_due = run_s > runs_a_visit * visit_s && settled_calls_ >= 2 * settled_at_visit_;
    if (!is_due || !elsewhere.any()) {
        return false;
    }
    const std::size_t challenger = fastest(elsewhere);
    // Who counts as faster needs no visit: dats are moved for it when loops have lost enough.
    if (is_out(challenger) || trials_[challenger].least_s < close * trials_[champion].least_s) {
        return false;
    }
    settled_at_visit_ = settled_calls_;
    duel_ = {.challenger = challenger, .champion = champion, .is_visit = true};
    return true;
}

bool VariantChoice::is_out(std::size_t variant) const {
    const Trial& trial = trials_[variant];
    const double least = trial.turns() > 1 ? out : out_at_once;
    return trial.turns() > 0 && trial.least_s > least * least_s(~Allowed());
}

std::size_t VariantChoice::next_trial(Allowed allowed, Allowed rivals) const {
    for (std::size_t variant = 0; variant < variants; ++variant) {
        if (allowed[variant] && trials_[variant].calls % calls_a_turn != 0) {
            return variant;
        }
    }
    if (duel_.is_on(rivals) && allowed[duel_.next()]) {
        return duel_.next();
    }
    return next_first_turn(allowed, least_s(allowed | rivals));
}

std::size_t VariantChoice::next_first_turn(Allowed allowed, double best_s) const {
    std::size_t next = variants;
    for (std::size_t variant = 0; variant < variants; ++variant) {
        const Trial& trial = trials_[variant];
        const double least = trial.turns() > 1 ? hopeless : hopeless_at_once;
        const bool waits = trial.turns() > 0 && trial.least_s > least * best_s;
        if (allowed[variant] && trial.turns() < first_turns && !waits &&
            (next == variants || trial.turns() < trials_[next].turns())) {
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
        if (allowed[variant] && trials_[variant].least_s < close * trials_[best].least_s) {
            best = variant;
        }
    }
    return best;
}

}  // namespace halocline
