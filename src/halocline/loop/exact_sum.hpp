// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Sums of doubles that do not depend on the order of their terms.
#pragma once

#include <array>
#include <cstdint>

#include "halocline/loop/pack.hpp"

namespace halocline {

/// Order-independent sum: every term is cut into pieces on a fixed grid of 26-bit digits, of which
/// the four leading ones (relative to the largest term so far) are kept and added without rounding.
/// Error at most (number of terms) * 2^-77 * |largest term|, and the same bits for every order,
/// grouping, thread count and number of ranks: a term is smaller than half the next higher digit's
/// unit, so its pieces are the same whether it comes before or after a larger one.
/// The idea of binned, order-independent summation: Demmel & Nguyen 2013, doi:10.1109/ARITH.2013.9.
class ExactSum {
public:
    static constexpr int digit_bits = 26;  ///< bits of a digit
    static constexpr int digits = 4;       ///< digits that count, from the leading one

    /// A state that can be sent between ranks: plain integers.
    struct State {
        std::int64_t top = lowest_top;             ///< grid position of the leading digit
        std::array<std::int64_t, digits> digit{};  ///< from the leading one
        std::int64_t not_finite = 0;               ///< a term was infinite or NaN
    };

    /// A sum of nothing.
    ExactSum();
    /// Goes on from a state.
    explicit ExactSum(const State& state);

    /// Adds the terms of those lanes that are `active`.
    void add(Pack terms, Mask active) { add_lanes(select(active, terms, Pack(0.0))); }
    /// Adds one term.
    void add(double term) {
        waiting_[waiting_count_] = term;
        if (++waiting_count_ == pack_lanes) {
            waiting_count_ = 0;
            add_lanes(Pack::load(waiting_));
        }
    }

    /// Adds another sum, exactly.
    void merge(const State& other);

    /// What ranks exchange; goes on afterwards.
    [[nodiscard]] State state();

    /// The sum as a double; NaN where a term was not finite.
    [[nodiscard]] double value();

private:
    /// Digit `top` counts units of 2^(26 top); terms stay below 2^(26 top + 25).
    static constexpr std::int64_t lowest_top = -35;
    /// Larger terms (and their anchors) would overflow: they count as infinite.
    static constexpr double largest_term = 0x1p980;
    static constexpr int flush_interval = 1 << 20;

    static int unit_exponent(std::int64_t top, int k);

    /// A double between an anchor's half and its double has the anchor's exponent, so its bits are the
    /// anchor's plus the number of units that it lies above it: pieces are counted as integers, which
    /// other units of a core add than those that cut the terms.
    using Bits = Mask::Vector;
    static Bits bits_of(Pack values) { return reinterpret_cast<Bits>(values.lanes); }

    /// Inlined by force: a reduction costs as much as the rest of a short loop.
    [[gnu::always_inline]] inline void add_lanes(Pack terms) {
        if ((!(abs(terms) < limit_)).any()) [[unlikely]] {
            terms = admit(terms);
        }
        for (int k = 0; k < digits; ++k) {
            const Pack shifted = anchor_[k] + terms;
            terms -= shifted - anchor_[k];
            sums_[k] += bits_of(shifted);
        }
        if (++pending_ == flush_interval) [[unlikely]] {
            move_sums();
        }
    }

    /// Rare: raises the grid for a larger term, notes and drops what is not finite.
    Pack admit(Pack terms);

    /// Smallest grid position whose limit exceeds `size`.
    static std::int64_t top_for(double size);

    void raise_top(std::int64_t top);

    void set_top(std::int64_t top);

    /// Adds the terms that wait, too: not to be called while one is being added.
    void flush();

    /// Moves the lanes' counts into the state. Unsigned: sums of anchors wrap, differences do not.
    void move_sums();

    State state_;
    Pack limit_;
    Pack anchor_[digits];
    Bits sums_[digits];  ///< bits of anchors and pieces, added up since the last move
    int pending_ = 0;    ///< packs since then
    alignas(64) double waiting_[pack_lanes] = {};
    int waiting_count_ = 0;
};

}  // namespace halocline
