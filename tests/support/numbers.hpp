// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Numbers that depend on nothing but their arguments: the same on every rank and machine.
#pragma once

#include <cmath>
#include <cstdint>

#include "halocline/core/types.hpp"

namespace halocline::test {

/// A well mixed 64-bit number (SplitMix64's finaliser, Steele et al. 2014, doi:10.1145/2660193.2660195).
[[nodiscard]] inline std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

[[nodiscard]] inline std::uint64_t mix(int seed, GlobalIndex id, int component) {
    return mix(mix(static_cast<std::uint64_t>(id) * 64U + static_cast<std::uint64_t>(component)) +
               static_cast<std::uint64_t>(seed));
}

/// In [0, 1), with a full mantissa.
[[nodiscard]] inline double unit_number(int seed, GlobalIndex id, int component) {
    return std::ldexp(static_cast<double>(mix(seed, id, component) >> 11), -53);
}

/// Both signs, magnitudes from 1/16 to 16, full mantissas: sums of these show every change of order.
[[nodiscard]] inline double rough_number(int seed, GlobalIndex id, int component) {
    const std::uint64_t bits = mix(seed + 7919, id, component);
    const double size =
        std::ldexp(0.5 + 0.5 * unit_number(seed, id, component), static_cast<int>(bits % 9) - 3);
    return (bits & 512U) != 0 ? -size : size;
}

/// A multiple of 1/64 below 16 in size: sums of a million of these are exact.
[[nodiscard]] inline double exact_number(int seed, GlobalIndex id, int component) {
    return static_cast<double>(static_cast<int>(mix(seed, id, component) % 2048U) - 1024) / 64.0;
}

/// An index in [0, n).
[[nodiscard]] inline GlobalIndex index_below(GlobalIndex n, int seed, GlobalIndex id,
                                             int component) {
    return static_cast<GlobalIndex>(mix(seed, id, component) % static_cast<std::uint64_t>(n));
}

}  // namespace halocline::test
