#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Computes the constants of src/halocline/math/coefficients.hpp with mpmath and prints that file.

    scripts/make_math_coefficients.py > src/halocline/math/coefficients.hpp
    scripts/make_math_coefficients.py --check src/halocline/math/coefficients.hpp

Polynomials are minimax in the absolute error of their own variable, by Remez' exchange (E. Ya.
Remez 1934; E. W. Cheney, Introduction to Approximation Theory, 1966, chapter 3). Each is written
with the size of that error, relative to the function whose tail it is.
"""

from __future__ import annotations

import argparse
import math
import sys
from argparse import RawTextHelpFormatter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mpmath as mp

mp.mp.prec = 200
Real = Any  # mpmath has no types
WORDS_OF_TWO_OVER_PI = 38
GRID_POINTS = 250
EXCHANGES = 5


@dataclass(frozen=True)
class Tail:
    """One polynomial: tail(t) on [low, high]; `share` turns its error into one of the function."""

    name: str
    meaning: str
    tail: Callable[[Real], Real]
    low: Real
    high: Real
    degree: int
    share: Callable[[Real], Real]


def chebyshev_points(low: Real, high: Real, count: int) -> list[Real]:
    """Returns the extremes of the Chebyshev polynomial on [low, high], ascending."""
    middle, half = (low + high) / 2, (high - low) / 2
    return [middle - half * mp.cos(mp.pi * i / (count - 1)) for i in range(count)]


def levelled(values: list[Real], points: list[Real], degree: int) -> list[Real]:
    """Returns the coefficients whose errors at degree + 2 points are equal with changing signs."""
    rows = mp.matrix(degree + 2, degree + 2)
    for i, point in enumerate(points):
        for k in range(degree + 1):
            rows[i, k] = point**k
        rows[i, degree + 1] = (-1) ** i
    return list(mp.lu_solve(rows, mp.matrix(values)))[:-1]


def evaluate(coefficients: list[Real], t: Real) -> Real:
    """Returns the polynomial at t, coefficients in ascending order."""
    return mp.polyval(coefficients[::-1], t)


def extremes(errors: list[Real], grid: list[Real], count: int) -> list[Real]:
    """Returns where the errors of each sign change are largest, `count` of them."""
    found: list[tuple[Real, Real]] = []
    for error, t in zip(errors, grid, strict=True):
        if found and (error > 0) == (found[-1][0] > 0):
            if abs(error) > abs(found[-1][0]):
                found[-1] = (error, t)
        else:
            found.append((error, t))
    while len(found) > count:
        found.pop(0 if abs(found[0][0]) < abs(found[-1][0]) else -1)
    return [t for _, t in found]


def minimax(tail: Tail) -> list[Real]:
    """Returns the minimax polynomial of a tail, ascending."""
    points = chebyshev_points(tail.low, tail.high, tail.degree + 2)
    grid = chebyshev_points(tail.low, tail.high, GRID_POINTS)
    wanted = [tail.tail(t) for t in grid]
    coefficients: list[Real] = []
    for _ in range(EXCHANGES):
        coefficients = levelled([tail.tail(t) for t in points], points, tail.degree)
        errors = [evaluate(coefficients, t) - w for t, w in zip(grid, wanted, strict=True)]
        moved = extremes(errors, grid, tail.degree + 2)
        if len(moved) < tail.degree + 2:
            break
        points = moved
    return coefficients


def error_bits(tail: Tail, coefficients: list[Real]) -> int:
    """Returns b where the rounded polynomial's error is at most 2^-b of the function."""
    rounded = [mp.mpf(float(c)) for c in coefficients]
    grid = chebyshev_points(tail.low, tail.high, GRID_POINTS)
    worst = max(abs((evaluate(rounded, t) - tail.tail(t)) * tail.share(t)) for t in grid)
    return int(mp.floor(-mp.log(worst, 2)))


def series(coefficient: Callable[[int], Real], skip: int) -> Callable[[Real], Real]:
    """Returns the sum of coefficient(skip + k) t^k: the tail of a series, without cancellation."""

    def tail(t: Real) -> Real:
        total, power, k = mp.mpf(0), mp.mpf(1), skip
        while abs(power) > mp.mpf(2) ** -150:
            total += coefficient(k) * power
            power *= t
            k += 1
        return total

    return tail


def tails() -> list[Tail]:
    """Returns all polynomials of the header."""
    half_ln2 = mp.log(2) / 2 * mp.mpf("1.001")
    biggest_s = (mp.sqrt(2) - 1) / (mp.sqrt(2) + 1)
    quarter = mp.pi / 4 * mp.mpf("1.0001")
    eighth = (mp.sqrt(2) - 1) * mp.mpf("1.0001")
    zero = mp.mpf(0)
    return [
        Tail(
            "exp_tail",
            "(e^r - 1 - r - r^2/2) / r^3, |r| <= ln 2 / 2",
            series(lambda k: 1 / mp.mpf(math.factorial(k)), 3),
            -half_ln2,
            half_ln2,
            9,
            lambda r: r**3,
        ),
        Tail(
            "log_tail",
            "(2 atanh s - 2 s) / s^3 in z = s^2, |s| <= 3 - 2 sqrt 2",
            series(lambda k: mp.mpf(2) / (2 * k + 1), 1),
            zero,
            biggest_s**2,
            7,
            lambda z: z / 2,
        ),
        Tail(
            "log_far_tail",
            "the same without its first two terms: times z^2",
            series(lambda k: mp.mpf(2) / (2 * k + 1), 3),
            zero,
            biggest_s**2,
            7,
            lambda z: z**3 / 2,
        ),
        Tail(
            "sin_tail",
            "(sin r - r + r^3/6) / r^5 in z = r^2, |r| <= pi / 4",
            series(lambda k: (-1) ** k / mp.mpf(math.factorial(2 * k + 1)), 2),
            zero,
            quarter**2,
            5,
            lambda z: z**2,
        ),
        Tail(
            "cos_tail",
            "(cos r - 1 + r^2/2) / r^4 in z = r^2, |r| <= pi / 4",
            series(lambda k: (-1) ** k / mp.mpf(math.factorial(2 * k)), 2),
            zero,
            quarter**2,
            6,
            lambda z: z**2 / mp.cos(mp.sqrt(z)),
        ),
        Tail(
            "atan_tail",
            "(atan t - t) / t^3 in z = t^2, |t| <= sqrt 2 - 1",
            series(lambda k: mp.mpf((-1) ** k) / (2 * k + 1), 1),
            zero,
            eighth**2,
            12,
            lambda z: z,
        ),
    ]


def rounded(value: Real) -> str:
    """Returns the nearest double, in the digits of C++."""
    return float(value).hex()


def pair(name: str, value: Real, meaning: str, leading_bits: int = 53) -> list[str]:
    """Returns the lines of a constant as head and rest; the head has `leading_bits` bits."""
    with mp.workprec(leading_bits):
        head = +value
    return [
        f"inline constexpr double {name} = {rounded(head)};  // {meaning}",
        f"inline constexpr double {name}_rest = {rounded(value - head)};",
    ]


def constants() -> list[str]:
    """Returns the lines of all constants that stand alone."""
    ln2, half_pi = mp.log(2), mp.pi / 2
    first = mp.mpf(float(half_pi))
    second = mp.mpf(float(half_pi - first))
    lines = [f"inline constexpr double inverse_ln2 = {rounded(1 / ln2)};  // 1 / ln 2"]
    lines += pair("ln2", ln2, "ln 2")
    lines += pair("short_ln2", ln2, "ln 2, times an exponent exact", 42)
    lines += pair("log2_e", 1 / ln2, "log2 e")
    lines += pair("log10_e", 1 / mp.log(10), "log10 e")
    lines += pair("two_thirds", mp.mpf(2) / 3, "2/3")
    lines += pair("two_fifths", mp.mpf(2) / 5, "2/5")
    lines += pair("sixth", mp.mpf(1) / 6, "1/6")
    lines += pair("quarter_pi", mp.pi / 4, "pi / 4")
    lines += [
        f"inline constexpr double two_over_pi = {rounded(1 / half_pi)};  // 2 / pi",
        f"inline constexpr double half_pi_1 = {rounded(first)};  // pi / 2 in three parts",
        f"inline constexpr double half_pi_2 = {rounded(second)};",
        f"inline constexpr double half_pi_3 = {rounded(half_pi - first - second)};",
    ]
    return lines


def polynomial_lines(tail: Tail) -> list[str]:
    """Returns the definition of one polynomial; arrays of functions work on devices, too."""
    coefficients = minimax(tail)
    bits = error_bits(tail, coefficients)
    return [
        f"/// {tail.meaning}; error below 2^-{bits} of the function.",
        f"struct {tail.name} {{",
        f"    static constexpr int degree = {tail.degree};",
        "    HALOCLINE_HD static constexpr double coefficient(int k) {",
        "        constexpr double ascending[] = {",
        *(f"            {rounded(c)}," for c in coefficients),
        "        };",
        "        return ascending[k];",
        "    }",
        "};",
        "",
    ]


def words_of_two_over_pi() -> list[str]:
    """Returns the definition of the bits of 2/pi, for the reduction of huge angles."""
    with mp.workprec(32 * (WORDS_OF_TWO_OVER_PI + 4)):
        scaled = int(mp.floor(2 / mp.pi * mp.mpf(2) ** (32 * WORDS_OF_TWO_OVER_PI)))
    words = [
        (scaled >> (32 * (WORDS_OF_TWO_OVER_PI - 1 - i))) & 0xFFFFFFFF
        for i in range(WORDS_OF_TWO_OVER_PI)
    ]
    texts = ["0", *(f"0x{word:08x}" for word in words)]
    rows = [", ".join(texts[i : i + 8]) for i in range(0, len(texts), 8)]
    return [
        "/// Bits of 2/pi, 32 a word, the first after the point in word 1.",
        "HALOCLINE_HD inline std::uint32_t word_of_two_over_pi(int word) {",
        "    static constexpr std::uint32_t words[] = {",
        *(f"        {row}," for row in rows),
        "    };",
        "    return words[word];",
        "}",
    ]


def header() -> str:
    """Returns the whole header file."""
    lines = [
        "// SPDX-FileCopyrightText: 2026 halocline contributors",
        "// SPDX-License-Identifier: BSD-3-Clause",
        "// Constants of the mathematics of kernels: made by scripts/make_math_coefficients.py.",
        "#pragma once",
        "",
        "#include <cstdint>",
        "",
        '#include "halocline/core/types.hpp"',
        "",
        "// clang-format off",
        "namespace halocline::math::detail {",
        "",
        *constants(),
        "",
    ]
    for tail in tails():
        lines += polynomial_lines(tail)
    lines += [*words_of_two_over_pi(), "", "}  // namespace halocline::math::detail"]
    return "\n".join([*lines, "// clang-format on", ""])


def main() -> int:
    """Prints the header, or compares it with a file: 1 where they differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=RawTextHelpFormatter)
    parser.add_argument("--check", type=Path, metavar="HEADER", help="compare with this file")
    options = parser.parse_args()
    text = header()
    if options.check is None:
        sys.stdout.write(text)
        return 0
    if options.check.read_text(encoding="utf-8") == text:
        return 0
    print(f"{options.check} is not what this script makes: run it and store its output there.")
    return 1


if __name__ == "__main__":
    sys.exit(main())
