// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Which of several ways a loop is fastest in on this rank: they take turns in its first calls, then the
// fastest stays. Results are the same.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <limits>
#include <string>

namespace halocline {

/// Which of several ways to run a loop on one thread is fastest, found by taking turns in its first
/// calls.
class FasterWay {
public:
    /// Packs of elements; the same, but with everything written through the caches; one element after
    /// the other, as the serial back end does it; the same with dats moved to compact rows, where
    /// these do not lie so by themselves.
    enum class Way { packs, cached_packs, elements, elements_in_rows };
    static constexpr std::size_t ways = 4;  ///< how many ways there are
    /// Those that a call may take. Packs always may.
    using Allowed = std::bitset<ways>;
    /// No other way.
    [[nodiscard]] static Allowed only(Way way) { return 1U << static_cast<unsigned>(way); }
    [[nodiscard]] static Allowed only_packs() { return only(Way::packs); }  ///< no choice

    /// Of each way, and of ways so close that more calls may tell. The first is not looked at: it makes
    /// plans, and touches memory first.
    static constexpr int trials = 4;
    static constexpr int trials_of_close_ones = 6;  ///< of each that is nearly the fastest

    /// Of the next call: the one tried least, while there is one to try.
    [[nodiscard]] Way turn(Allowed allowed) const {
        const std::size_t next = next_trial(allowed);
        return static_cast<Way>(next < ways ? next : fastest(allowed));
    }
    /// Whether time is worth taking: there is a choice, and it is not made yet.
    [[nodiscard]] bool is_trying(Allowed allowed) const {
        return allowed.count() > 1 && next_trial(allowed) < ways;
    }
    /// Whether one of these ways has not been tried to the end.
    [[nodiscard]] bool has_trials_left(Allowed allowed) const { return next_trial(allowed) < ways; }
    /// Of the fastest of these ways; infinite where none was looked at.
    [[nodiscard]] double least_s(Allowed allowed) const {
        return trials_[fastest(allowed)].least_s;
    }
    /// A call in this way took so long.
    void note(Way way, double seconds) {
        Trial& trial = trials_[static_cast<std::size_t>(way)];
        if (trial.calls > 0) {
            trial.least_s = std::min(trial.least_s, seconds);
        }
        ++trial.calls;
    }

    /// Dats were moved for this loop, to where it had not been timed yet unless `is_known`.
    void note_move(bool is_known) { came_to_look_ = !is_known; }
    /// Whether its dats were moved last to find how fast it is there.
    [[nodiscard]] bool came_to_look() const { return came_to_look_; }

private:
    struct Trial {
        int calls = 0;
        double least_s = std::numeric_limits<double>::infinity();
    };

    /// So much slower than another that trying again would waste more than it could find.
    static constexpr double hopeless = 1.5;
    /// So little slower that a disturbance may have made the difference.
    static constexpr double close = 1.1;

    /// `ways` where all have been tried. Ways with the fewest calls first.
    [[nodiscard]] std::size_t next_trial(Allowed allowed) const {
        std::size_t next = ways;
        const double least_s = trials_[fastest(allowed)].least_s;
        for (std::size_t way = 0; way < ways; ++way) {
            const Trial& trial = trials_[way];
            const bool is_hopeless = trial.calls > 1 && trial.least_s > hopeless * least_s;
            if (allowed[way] && trial.calls < trials_for(way, allowed) && !is_hopeless &&
                (next == ways || trial.calls < trials_[next].calls)) {
                next = way;
            }
        }
        return next;
    }
    [[nodiscard]] int trials_for(std::size_t way, Allowed allowed) const {
        const auto is_close = [&](std::size_t other) {
            const double a = trials_[way].least_s;
            const double b = trials_[other].least_s;
            return other != way && allowed[other] && a < close * b && b < close * a;
        };
        for (std::size_t other = 0; other < ways; ++other) {
            if (is_close(other)) {
                return trials_of_close_ones;
            }
        }
        return trials;
    }
    /// Packs keep what they have where there is no difference to speak of.
    [[nodiscard]] std::size_t fastest(Allowed allowed) const {
        std::size_t best = 0;
        while (!allowed[best]) {
            ++best;
        }
        for (std::size_t way = best + 1; way < ways; ++way) {
            if (allowed[way] && trials_[way].least_s < 0.97 * trials_[best].least_s) {
                best = way;
            }
        }
        return best;
    }

    std::array<Trial, ways> trials_;
    bool came_to_look_ = false;
};

/// One loop's.
struct NamedWay {
    std::string name;  ///< of the loop
    int level;         ///< of the loop; -1: none
    FasterWay way;     ///< chosen or being tried
};

}  // namespace halocline
