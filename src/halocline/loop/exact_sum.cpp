// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// All of a sum but what each pack of terms goes through.
#include "halocline/loop/exact_sum.hpp"

#include <cmath>
#include <limits>

namespace halocline {

ExactSum::ExactSum() { set_top(lowest_top); }

ExactSum::ExactSum(const State& state) : ExactSum() { merge(state); }

void ExactSum::merge(const State& other) {
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

ExactSum::State ExactSum::state() {
    flush();
    return state_;
}

double ExactSum::value() {
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

int ExactSum::unit_exponent(std::int64_t top, int k) {
    return static_cast<int>(digit_bits * (top - k));
}

Pack ExactSum::admit(Pack terms) {
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

std::int64_t ExactSum::top_for(double size) {
    const int shifted = std::ilogb(size) + 1;
    return shifted >= 0 ? shifted / digit_bits : -((-shifted + digit_bits - 1) / digit_bits);
}

void ExactSum::raise_top(std::int64_t top) {
    const std::int64_t shift = top - state_.top;
    for (int k = digits - 1; k >= 0; --k) {
        state_.digit[static_cast<std::size_t>(k)] =
            k - shift >= 0 ? state_.digit[static_cast<std::size_t>(k - shift)] : 0;
    }
    set_top(top);
}

void ExactSum::set_top(std::int64_t top) {
    state_.top = top;
    limit_ = Pack(std::ldexp(1.0, unit_exponent(top, 0) + digit_bits - 1));
    for (int k = 0; k < digits; ++k) {
        anchor_[k] = Pack(std::ldexp(1.5, unit_exponent(top, k) + 52));
        sums_[k] = Bits{};
    }
}

void ExactSum::flush() {
    while (waiting_count_ > 0) {
        Pack term(0.0);
        term.set(0, waiting_[--waiting_count_]);
        add_lanes(term);
    }
    move_sums();
}

void ExactSum::move_sums() {
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

}  // namespace halocline
