// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Which of several variants a loop is fastest in on this rank: they take turns in its first calls, and the
// fastest stays; now and then those that came close take turns again. Results are the same.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace halocline {

/// Which of several variants to run a loop on one thread is fastest, found by taking turns in its first
/// calls. Other programs on the machine may have disturbed these, so that there are more rounds of turns.
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
    /// Calls of each variant, and of variants so close that more may tell.
    static constexpr int trials = 3 * calls_a_turn;
    static constexpr int trials_of_close_ones = 5 * calls_a_turn;  ///< of each that is close
    /// Calls after which another round begins: 32, and four times as many after each round.
    static constexpr int calls_to_second_round = 32;

    /// Of the next call: the one whose turn is not over or that was tried least, while there is one to try.
    /// `rivals`: variants that another call may take, so that what loses to them need not be tried to the end.
    [[nodiscard]] Variant next(Allowed allowed, Allowed rivals) const;
    /// The same where no other call may take more.
    [[nodiscard]] Variant next(Allowed allowed) const { return next(allowed, allowed); }
    /// Whether one of these variants has not been tried to the end: time is worth taking.
    [[nodiscard]] bool has_trials_left(Allowed allowed, Allowed rivals) const {
        return next_trial(allowed, rivals) < variants;
    }
    /// The same where no other call may take more.
    [[nodiscard]] bool has_trials_left(Allowed allowed) const {
        return has_trials_left(allowed, allowed);
    }
    /// Of the fastest of these variants; infinite where none was looked at.
    [[nodiscard]] double least_s(Allowed allowed) const;
    /// A call of this variant took so long.
    void note(Variant variant, double seconds);
    /// Whether no round has begun after the first.
    [[nodiscard]] bool is_in_first_round() const {
        return calls_to_next_round_ == calls_to_second_round;
    }
    /// Whether a variant was tried among these and takes little more than the fastest of them.
    [[nodiscard]] bool is_near_best(Variant variant, Allowed of) const;
    /// A call that was no trial. Begins a round where one is due.
    void note_settled(Allowed allowed);

private:
    struct Trial {
        int calls = 0;
        double least_s = std::numeric_limits<double>::infinity();
    };

    /// Variants that are out stay so, as times of another round are not to be compared with theirs.
    void begin_round(Allowed allowed);

    /// `variants` where all have been tried. A turn is not broken off; variants with the fewest calls first.
    [[nodiscard]] std::size_t next_trial(Allowed allowed, Allowed rivals) const;
    [[nodiscard]] int trials_for(std::size_t variant, Allowed allowed) const;
    /// Packs stay where the difference is below 3 %.
    [[nodiscard]] std::size_t fastest(Allowed allowed) const;

    std::array<Trial, variants> trials_;
    std::int64_t settled_calls_ = 0;  ///< of this round
    std::int64_t calls_to_next_round_ = calls_to_second_round;
};

/// One loop's.
struct LoopVariant {
    std::string name;      ///< of the loop
    int level;             ///< of the loop; -1: none
    VariantChoice choice;  ///< chosen or being tried
};

}  // namespace halocline
