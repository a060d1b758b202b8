// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Which of several variants a loop is fastest in on this rank: they take turns in its first calls, and now and
// then one of the others is compared with the fastest. Results are the same.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace halocline {

/// Which of several variants to run a loop is fastest, found by taking turns in its first calls. What else the
/// machine does changes from one moment to the next: only turns beside each other are compared. So now and
/// then another variant challenges the fastest, and takes its place where it wins two bouts of a turn each.
/// Variants for which dats have to be moved challenge it as well, on visits, which are rarer.
class VariantChoice {
public:
    /// Packs of elements; the same, but with everything written through the caches; one element after
    /// the other; the same by the very function of the serial back end, on dats in compact rows.
    enum class Variant { packs, cached_packs, elements, elements_in_rows };
    static constexpr std::size_t variants = 4;  ///< how many variants there are
    /// Those that a call may take, one at least.
    class Allowed {
    public:
        /// None, or those whose bits are set: the first variant has the lowest.
        constexpr Allowed(unsigned bits = 0) : bits_(bits & ((1U << variants) - 1)) {}
        /// Whether `variant` is one of them.
        [[nodiscard]] constexpr bool operator[](std::size_t variant) const {
            return (bits_ >> variant & 1U) != 0;
        }
        /// Whether there are any.
        [[nodiscard]] constexpr bool any() const { return bits_ != 0; }
        constexpr Allowed operator&(Allowed other) const { return bits_ & other.bits_; }
        constexpr Allowed operator|(Allowed other) const { return bits_ | other.bits_; }
        constexpr Allowed operator~() const { return ~bits_; }
        constexpr Allowed& operator|=(Allowed other) { return *this = *this | other; }
        constexpr bool operator==(const Allowed&) const = default;

    private:
        unsigned bits_;
    };
    /// No other variant.
    [[nodiscard]] static constexpr Allowed only(Variant variant) {
        return 1U << static_cast<unsigned>(variant);
    }
    [[nodiscard]] static Allowed only_packs() { return only(Variant::packs); }  ///< no choice

    /// Calls of a turn. The last one is timed: those before make plans and find what another variant left
    /// in the caches, which holds nothing of what that one wrote past them.
    static constexpr int calls_a_turn = 2;
    static constexpr int first_turns = 3;            ///< of each variant, before one is chosen
    static constexpr int calls_of_a_short_run = 32;  ///< that are no trials
    static constexpr int calls_between_duels = 16;   ///< at least; later a sixteenth of all calls
    static constexpr int bouts = 2;                  ///< that a challenger has to win

    /// These may run from now on. Where some of them could not before, all take their first turns again.
    void admit(Allowed allowed);
    /// Of the next call: the one whose turn it is, or the fastest.
    /// `rivals`: variants that another call may take, so that what loses to them need not be tried to the end.
    [[nodiscard]] Variant next(Allowed allowed, Allowed rivals) const;
    /// The same where no other call may take more.
    [[nodiscard]] Variant next(Allowed allowed) const { return next(allowed, allowed); }
    /// Whether the next call is a trial, so that its time is worth taking.
    [[nodiscard]] bool is_trial(Allowed allowed, Allowed rivals) const {
        return next_trial(allowed, rivals) < variants;
    }
    /// The same where no other call may take more.
    [[nodiscard]] bool is_trial(Allowed allowed) const { return is_trial(allowed, allowed); }
    /// Whether one of these variants lacks some of its first turns.
    [[nodiscard]] bool has_first_turns_left(Allowed allowed, Allowed rivals) const {
        return next_first_turn(allowed, least_s(allowed | rivals)) < variants;
    }
    /// Of the fastest of these variants; infinite where none was looked at.
    [[nodiscard]] double least_s(Allowed allowed) const;
    /// A call of this variant, which was a trial, took so long.
    void note(Variant variant, double seconds);
    /// Whether there were few calls.
    [[nodiscard]] bool is_short_run() const { return settled_calls_ < calls_of_a_short_run; }
    /// Whether a variant was tried among these and takes little more than the fastest of them.
    [[nodiscard]] bool is_near_best(Variant variant, Allowed of) const;
    [[nodiscard]] bool was_tried(Variant variant) const {  ///< a turn of it is over
        return trials_[static_cast<std::size_t>(variant)].turns() > 0;
    }
    /// A call that was no trial; `allowed` as for that call.
    /// `elsewhere`: variants for which dats have to be moved, which takes `visit_s` there and back. They may
    /// challenge the fastest when the loop ran far longer than that, and twice as long as at the last visit.
    void note_settled(Allowed allowed, Allowed elsewhere = {}, double visit_s = 0.0);
    /// Whose turn it is in a duel with a variant elsewhere, where both of them are allowed.
    [[nodiscard]] Allowed visit(Allowed allowed) const;

private:
    struct Trial {
        int calls = 0;
        double least_s =
            std::numeric_limits<double>::infinity();  ///< as fast as when all were tried

        [[nodiscard]] int turns() const { return calls / calls_a_turn; }
    };
    /// A challenger's turn comes before the champion's in each bout.
    struct Duel {
        std::size_t challenger = variants;  ///< `variants`: there is no duel
        std::size_t champion = variants;
        bool is_visit = false;      ///< dats have to be moved for the challenger
        double challenger_s = 0.0;  ///< of this bout; 0: its turn is not over
        double share = 0.0;  ///< of the champion's time, in the bout that was nearest to lost
        int won = 0;         ///< bouts

        [[nodiscard]] bool is_on(Allowed allowed) const {
            return challenger < variants && allowed[challenger] && allowed[champion];
        }
        [[nodiscard]] std::size_t next() const {
            return challenger_s > 0.0 ? champion : challenger;
        }
    };

    void begin_duel(Allowed allowed, Allowed elsewhere, double visit_s);
    [[nodiscard]] bool begin_visit(std::size_t champion, Allowed elsewhere, double visit_s);
    /// The champion's turn of a bout took so long.
    void end_bout(double champion_s);
    [[nodiscard]] bool is_out(std::size_t variant) const;
    /// `variants` where it is nobody's turn. A turn is not broken off.
    [[nodiscard]] std::size_t next_trial(Allowed allowed, Allowed rivals) const;
    /// The one with the fewest of its first turns, while there are any left.
    [[nodiscard]] std::size_t next_first_turn(Allowed allowed, double best_s) const;
    /// Packs stay where the difference is below 3 %.
    [[nodiscard]] std::size_t fastest(Allowed allowed) const;

    std::array<Trial, variants> trials_;
    Allowed admitted_;
    Duel duel_;
    std::size_t last_challenger_ = 0;
    std::int64_t settled_calls_ = 0;  ///< calls that were no trials
    std::int64_t settled_since_duel_ = 0;
    std::int64_t settled_at_visit_ = 0;  ///< `settled_calls_` when the last visit began
};

/// One loop's.
struct LoopVariant {
    std::string name;      ///< of the loop
    int level;             ///< of the loop; -1: none
    VariantChoice choice;  ///< chosen or being tried
};

}  // namespace halocline
