// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// An angle without its quarter turns: x = k pi/2 + r, |r| <= pi/4, for every double.
#pragma once

#include "halocline/math/coefficients.hpp"
#include "halocline/math/primitives.hpp"

namespace halocline::math::detail {

/// r = head + rest, its error below 2^-65 of it, and k modulo 4 in the low two bits of `quarter`.
template <class V>
struct Angle {
    V head;
    V rest;
    Bits<V> quarter;
};

/// Below this size pi/2 in three parts is long enough; every product and sum with the first is exact.
inline constexpr double longest_short_angle = 0x1p30;

template <class V>
HALOCLINE_HD inline Angle<V> reduce_short_angle(V x) {
    const V shifted = x * V(two_over_pi) + V(shifter);
    const V k = shifted - V(shifter);
    const V near = fused(-k, V(half_pi_1), x);
    const Sum<V> second = multiply(k, V(half_pi_2));
    const Sum<V> difference = add(near, -second.head);
    const V rest = difference.rest - fused(k, V(half_pi_3), second.rest);
    const Sum<V> r = add_smaller(difference.head, rest);
    return {r.head, r.rest, bits(shifted)};
}

/// Six words of 32 bits, the most significant first.
struct Words {
    std::uint32_t word[6];
};

/// Bits of 2/pi from the one on that an exponent turns into 2^1: those before make whole turns.
HALOCLINE_HD inline Words window_of_two_over_pi(int exponent) {
    const int first = exponent + 30;
    Words window{};
    for (int i = 0; i < 6; ++i) {
        const int at = first / 32 + i;
        const std::uint64_t both =
            std::uint64_t{word_of_two_over_pi(at)} << 32 | word_of_two_over_pi(at + 1);
        window.word[i] = static_cast<std::uint32_t>((both << (first % 32)) >> 32);
    }
    return window;
}

/// integer * window modulo 2^192.
HALOCLINE_HD inline Words multiply_words(std::uint64_t integer, const Words& window) {
    const std::uint64_t low = integer & 0xffffffff;
    const std::uint64_t high = integer >> 32;
    Words product{};
    std::uint64_t carry = 0;
    std::uint64_t before = 0;  // the word below, which `high` multiplies
    for (int i = 5; i >= 0; --i) {
        const std::uint64_t a = low * window.word[i];
        const std::uint64_t b = high * before;
        const std::uint64_t sum = (a & 0xffffffff) + (b & 0xffffffff) + (carry & 0xffffffff);
        product.word[i] = static_cast<std::uint32_t>(sum);
        carry = (a >> 32) + (b >> 32) + (carry >> 32) + (sum >> 32);
        before = window.word[i];
    }
    return product;
}

/// The words as a fraction of their range, exact in its first 100 significant bits; read as negative
/// where the first bit is set.
HALOCLINE_HD inline Sum<double> signed_fraction(const Words& words) {
    const std::uint32_t flip = (words.word[0] >> 31) != 0 ? 0xffffffff : 0;
    // ~x is -x - 1: the unit that is missing is 2^-192, far below the bits that count.
    double head = 0.0;
    double rest = 0.0;
    double unit = 0x1p-192;
    for (int i = 5; i >= 0; --i) {
        const Sum<double> sum = add(static_cast<double>(words.word[i] ^ flip) * unit, head);
        head = sum.head;
        rest += sum.rest;
        unit *= 0x1p32;
    }
    return flip == 0 ? Sum<double>{head, rest} : Sum<double>{-head, -rest};
}

/// The same for angles of every size: x = integer 2^exponent times as many bits of 2/pi as matter
/// (M. H. Payne, R. N. Hanek 1983, doi:10.1145/1057600.1057602).
HALOCLINE_HD inline Angle<double> reduce_long_angle(double x) {
    if (!(abs(x) < infinity)) {
        return {x - x, 0.0, 0};
    }
    const std::uint64_t size = bits(x) & ~sign_bit;
    const std::uint64_t integer = (size & fraction_bits) | (fraction_bits + 1);
    const int exponent = static_cast<int>(size >> 52) - 1075;
    Words turns = multiply_words(integer, window_of_two_over_pi(exponent));
    // The first two bits count quarter turns, the others are a fraction of one; half of one rounds up.
    const std::uint32_t whole = turns.word[0] >> 30;
    for (int i = 0; i < 6; ++i) {
        turns.word[i] = turns.word[i] << 2 | (i < 5 ? turns.word[i + 1] >> 30 : 0);
    }
    const std::uint64_t quarter = whole + (turns.word[0] >> 31);
    const Sum<double> r = multiply(signed_fraction(turns), Sum<double>{half_pi_1, half_pi_2});
    const Sum<double> angle = add_smaller(r.head, r.rest);
    return bits(x) == size ? Angle<double>{angle.head, angle.rest, quarter}
                           : Angle<double>{-angle.head, -angle.rest, ~quarter + 1};
}

template <class V>
HALOCLINE_HD inline Angle<V> reduce_angle(V x) {
    Angle<V> angle = reduce_short_angle(x);
    const auto is_long = !(abs(x) < V(longest_short_angle));
    if (Primitives<V>::any(is_long)) {
        for (int i = 0; i < Primitives<V>::lanes; ++i) {
            const double lane = Primitives<V>::lane(x, i);
            if (!(abs(lane) < longest_short_angle)) {
                const Angle<double> of_lane = reduce_long_angle(lane);
                Primitives<V>::set_lane(angle.head, i, of_lane.head);
                Primitives<V>::set_lane(angle.rest, i, of_lane.rest);
                Primitives<V>::set_lane(angle.quarter, i, of_lane.quarter);
            }
        }
    }
    return angle;
}

}  // namespace halocline::math::detail
