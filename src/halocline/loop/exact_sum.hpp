// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Sums of doubles that do not depend on the order of their terms.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

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
    ExactSum() { set_top(lowest_top); }
    /// Goes on from a state.
    explicit ExactSum(const State& state) : ExactSum() { merge(state); }

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
    void merge(const State& other) {
        flush();
        state_.not_finite |= other.not_finite;
        if (other.top > state_.top) {
            raise_top(other.top);
        }
        for (int k = 0; k < digits; ++k) {
            const std::int64_t position = k + (state_.top - other.top);
            if (position < digits) {
                state_.digit[static_cast<std::size_t>(position)] +=
                    other.digit[static_cast<std::size_t>(k)];
            }
        }
    }

    /// What ranks exchange; goes on afterwards.
    [[nodiscard]] State state() {
        flush();
        return state_;
    }

    /// The sum as a double; NaN where a term was not finite.
    [[nodiscard]] double value() {
        flush();
        if (state_.not_finite != 0) {
            return std::numeric_limits<double>::quiet_NaN();
        }
        double result = 0.0;
        for (int k = digits - 1; k >= 0; --k) {
            result += std::ldexp(static_cast<double>(state_.digit[static_cast<std::size_t>(k)]),
                                 unit_exponent(state_.top, k));
        }
        return result;
    }

private:
    /// Digit `top` counts units of 2^(26 top); terms stay below 2^(26 top + 25).
    static constexpr std::int64_t lowest_top = -35;
    /// Larger terms (and their anchors) would overflow: they count as infinite.
    static constexpr double largest_term = 0x1p980;
    static constexpr int flush_interval = 1 << 20;

    static int unit_exponent(std::int64_t top, int k) {
        return static_cast<int>(digit_bits * (top - k));
    }

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
    [[gnu::noinline, gnu::cold]] Pack admit(Pack terms) {
        for (int lane = 0; lane < pack_lanes; ++lane) {
            const double size = std::fabs(terms[lane]);
            if (!(size < largest_term)) {
                state_.not_finite = 1;
                terms.set(lane, 0.0);
            } else if (size >= limit_[0]) {
                move_sums();
                raise_top(top_for(size));
            }
        }
        return terms;
    }

    /// Smallest grid position whose limit exceeds `size`.
    static std::int64_t top_for(double size) {
        const int shifted = std::ilogb(size) + 1;
        return shifted >= 0 ? shifted / digit_bits : -((-shifted + digit_bits - 1) / digit_bits);
    }

    void raise_top(std::int64_t top) {
        const std::int64_t shift = top - state_.top;
        for (int k = digits - 1; k >= 0; --k) {
            state_.digit[static_cast<std::size_t>(k)] =
                k - shift >= 0 ? state_.digit[static_cast<std::size_t>(k - shift)] : 0;
        }
        set_top(top);
    }

    void set_top(std::int64_t top) {
        state_.top = top;
        limit_ = Pack(std::ldexp(1.0, unit_exponent(top, 0) + digit_bits - 1));
        for (int k = 0; k < digits; ++k) {
            anchor_[k] = Pack(std::ldexp(1.5, unit_exponent(top, k) + 52));
            sums_[k] = Bits{};
        }
    }

    /// Adds the terms that wait, too: not to be called while one is being added.
    void flush() {
        while (waiting_count_ > 0) {
            Pack term(0.0);
            term.set(0, waiting_[--waiting_count_]);
            add_lanes(term);
        }
        move_sums();
    }

    /// Moves the lanes' counts into the state. Unsigned: sums of anchors wrap, differences do not.
    [[gnu::noinline]] void move_sums() {
        for (int k = 0; k < digits; ++k) {
            const auto anchors = static_cast<std::uint64_t>(pending_) *
                                 static_cast<std::uint64_t>(bits_of(anchor_[k])[0]);
            std::uint64_t units = 0;
            for (int lane = 0; lane < pack_lanes; ++lane) {
                units += static_cast<std::uint64_t>(sums_[k][lane]) - anchors;
            }
            state_.digit[static_cast<std::size_t>(k)] += static_cast<std::int64_t>(units);
            sums_[k] = Bits{};
        }
        pending_ = 0;
    }

    State state_;
    Pack limit_;
    Pack anchor_[digits];
    Bits sums_[digits];  ///< bits of anchors and pieces, added up since the last move
    int pending_ = 0;    ///< packs since then
    alignas(64) double waiting_[pack_lanes] = {};
    int waiting_count_ = 0;
};

}  // namespace halocline
