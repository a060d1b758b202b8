// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Constants of the mathematics of kernels: made by scripts/make_math_coefficients.py.
#pragma once

#include <cstdint>

#include "halocline/core/types.hpp"

// clang-format off
namespace halocline::math::detail {

inline constexpr double inverse_ln2 = 0x1.71547652b82fep+0;  // 1 / ln 2
inline constexpr double ln2 = 0x1.62e42fefa39efp-1;  // ln 2
inline constexpr double ln2_rest = 0x1.abc9e3b39803fp-56;
inline constexpr double short_ln2 = 0x1.62e42fefa3800p-1;  // ln 2, times an exponent exact
inline constexpr double short_ln2_rest = 0x1.ef35793c76730p-45;
inline constexpr double log2_e = 0x1.71547652b82fep+0;  // log2 e
inline constexpr double log2_e_rest = 0x1.777d0ffda0d24p-56;
inline constexpr double log10_e = 0x1.bcb7b1526e50ep-2;  // log10 e
inline constexpr double log10_e_rest = 0x1.95355baaafad3p-57;
inline constexpr double two_thirds = 0x1.5555555555555p-1;  // 2/3
inline constexpr double two_thirds_rest = 0x1.5555555555555p-55;
inline constexpr double two_fifths = 0x1.999999999999ap-2;  // 2/5
inline constexpr double two_fifths_rest = -0x1.999999999999ap-56;
inline constexpr double sixth = 0x1.5555555555555p-3;  // 1/6
inline constexpr double sixth_rest = 0x1.5555555555555p-57;
inline constexpr double quarter_pi = 0x1.921fb54442d18p-1;  // pi / 4
inline constexpr double quarter_pi_rest = 0x1.1a62633145c07p-55;
inline constexpr double two_over_pi = 0x1.45f306dc9c883p-1;  // 2 / pi
inline constexpr double half_pi_1 = 0x1.921fb54442d18p+0;  // pi / 2 in three parts
inline constexpr double half_pi_2 = 0x1.1a62633145c07p-54;
inline constexpr double half_pi_3 = -0x1.f1976b7ed8fbcp-110;

/// (e^r - 1 - r - r^2/2) / r^3, |r| <= ln 2 / 2; error below 2^-60 of the function.
struct exp_tail {
    static constexpr int degree = 9;
    HALOCLINE_HD static constexpr double coefficient(int k) {
        constexpr double ascending[] = {
            0x1.5555555555556p-3,
            0x1.5555555555556p-5,
            0x1.11111111109a5p-7,
            0x1.6c16c16c15deep-10,
            0x1.a01a01a7cf2b9p-13,
            0x1.a01a01a9293d0p-16,
            0x1.71de0d83a24e3p-19,
            0x1.27e4d4ed5b499p-22,
            0x1.af390ef0a9c75p-26,
            0x1.1f7f074cc67cfp-29,
        };
        return ascending[k];
    }
};

/// (2 atanh s - 2 s) / s^3 in z = s^2, |s| <= 3 - 2 sqrt 2; error below 2^-60 of the function.
struct log_tail {
    static constexpr int degree = 7;
    HALOCLINE_HD static constexpr double coefficient(int k) {
        constexpr double ascending[] = {
            0x1.5555555555555p-1,
            0x1.9999999999a39p-2,
            0x1.249249247694ep-2,
            0x1.c71c7201b2b70p-3,
            0x1.745cf8e26140bp-3,
            0x1.3b1c3c0854aefp-3,
            0x1.0fbdf0524764cp-3,
            0x1.0c09e6a17999dp-3,
        };
        return ascending[k];
    }
};

/// the same without its first two terms: times z^2; error below 2^-72 of the function.
struct log_far_tail {
    static constexpr int degree = 7;
    HALOCLINE_HD static constexpr double coefficient(int k) {
        constexpr double ascending[] = {
            0x1.2492492492492p-2,
            0x1.c71c71c71c825p-3,
            0x1.745d1745a3982p-3,
            0x1.3b13b16b90a75p-3,
            0x1.1110f7eb24ef6p-3,
            0x1.e1f004dc376efp-4,
            0x1.acf74be4539dep-4,
            0x1.b2ea3139b061cp-4,
        };
        return ascending[k];
    }
};

/// (sin r - r + r^3/6) / r^5 in z = r^2, |r| <= pi / 4; error below 2^-64 of the function.
struct sin_tail {
    static constexpr int degree = 5;
    HALOCLINE_HD static constexpr double coefficient(int k) {
        constexpr double ascending[] = {
            0x1.1111111111111p-7,
            -0x1.a01a01a019ed6p-13,
            0x1.71de3a550cad1p-19,
            -0x1.ae64553407b15p-26,
            0x1.61225b1b424fap-33,
            -0x1.ab93e2f7b7699p-41,
        };
        return ascending[k];
    }
};

/// (cos r - 1 + r^2/2) / r^4 in z = r^2, |r| <= pi / 4; error below 2^-59 of the function.
struct cos_tail {
    static constexpr int degree = 6;
    HALOCLINE_HD static constexpr double coefficient(int k) {
        constexpr double ascending[] = {
            0x1.5555555555555p-5,
            -0x1.6c16c16c16c16p-10,
            0x1.a01a01a019d0ap-16,
            -0x1.27e4fb7712c70p-22,
            0x1.1eed8deb7bb0dp-29,
            -0x1.9394b9dea6e63p-37,
            0x1.ab783ed89f412p-45,
        };
        return ascending[k];
    }
};

/// (atan t - t) / t^3 in z = t^2, |t| <= sqrt 2 - 1; error below 2^-58 of the function.
struct atan_tail {
    static constexpr int degree = 12;
    HALOCLINE_HD static constexpr double coefficient(int k) {
        constexpr double ascending[] = {
            -0x1.5555555555555p-2,
            0x1.9999999999997p-3,
            -0x1.24924924920dep-3,
            0x1.c71c71c6e0560p-4,
            -0x1.745d1735f5a2ap-4,
            0x1.3b13aebc87144p-4,
            -0x1.1110d06d585b6p-4,
            0x1.e1d9139d6ba33p-5,
            -0x1.aebea0202562cp-5,
            0x1.82a5ffb004a9bp-5,
            -0x1.505f53a31549fp-5,
            0x1.f68a77b25c8bap-6,
            -0x1.c93e739946adep-7,
        };
        return ascending[k];
    }
};

/// Bits of 2/pi, 32 a word, the first after the point in word 1.
HALOCLINE_HD inline std::uint32_t word_of_two_over_pi(int word) {
    static constexpr std::uint32_t words[] = {
        0, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab,
        0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5,
        0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff,
        0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7,
        0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab,
    };
    return words[word];
}

}  // namespace halocline::math::detail
// clang-format on
