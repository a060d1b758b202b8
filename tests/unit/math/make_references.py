#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Writes what functions of `halocline::math` should give, by mpmath, for accuracy.test.cpp to read.

    make_references.py FOLDER [--points N] [--only NAME]

FOLDER/NAME.txt has a line a point: x, y (0 for functions of one number), the double nearest to the
exact result, the exponent of its last bit, and the units of that bit from there to the exact one.
Points: N random ones a range of the function, over all exponents, and the hard ones it has.
"""

from __future__ import annotations

import argparse
import math
import random
import struct
import sys
from argparse import RawTextHelpFormatter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

try:
    import mpmath as mp
except ImportError:
    sys.exit(
        "mpmath, the judge of these tests, is missing. Install it: .venv/bin/pip install mpmath"
    )

mp.mp.prec = 160
Point = tuple[float, float]
LARGEST = sys.float_info.max


def any_double(r: random.Random) -> float:
    """Returns a finite double, all bit patterns alike."""
    while True:
        (value,) = struct.unpack("<d", struct.pack("<Q", r.getrandbits(64)))
        if math.isfinite(value):
            return float(value)


def sized(r: random.Random, low: float, high: float) -> float:
    """Returns a double of either sign and 2^low <= size < 2^high, all exponents alike."""
    exponent = r.uniform(low, high)
    size = math.ldexp(1.0 + r.random(), math.floor(exponent))
    return -size if r.random() < 0.5 else size


def exponentials(r: random.Random, low: float, high: float) -> list[Point]:
    """Returns one point of each range of e^x or 2^x, whose results are normal above `low`."""
    near_one, any_size = r.uniform(-1, 1), sized(r, -30, 9)
    return [
        (x, 0.0) for x in (r.uniform(low, high), near_one, any_size, r.uniform(1.05 * low, low))
    ]


def logarithms(r: random.Random) -> list[Point]:
    """Returns one point of each range: all doubles, near 1, very near 1, subnormal."""
    subnormal = abs(sized(r, -1074, -1023))
    xs = (abs(any_double(r)), r.uniform(0.5, 2), 1 + sized(r, -52, -4), subnormal)
    return [(x, 0.0) for x in xs]


def angles(r: random.Random) -> list[Point]:
    """Returns one point of each range; the last is near to a multiple of pi/2."""
    multiple = float(r.randrange(1 << r.randrange(1, 40)) * mp.pi / 2)
    xs = (any_double(r), r.uniform(-10, 10), sized(r, -30, 31), sized(r, 25, 1023), multiple)
    return [(x, 0.0) for x in xs]


def slopes(r: random.Random) -> list[Point]:
    """Returns one x of each range of atan and tanh."""
    return [
        (x, 0.0) for x in (any_double(r), r.uniform(-3, 3), sized(r, -30, 6), r.uniform(-22, 22))
    ]


def powers(r: random.Random) -> list[Point]:
    """Returns points whose power is finite: all x, ordinary ones, x near 1, subnormal results."""
    x = abs(any_double(r))
    near = 1 + sized(r, -40, -3)
    tiny = abs(sized(r, -3, 3)) + 1.01
    return [
        (x, r.uniform(-700, 700) / math.log(x) if x not in (0.0, 1.0) else 1.0),
        (r.uniform(0, 10), r.uniform(-20, 20)),
        (near, r.uniform(-740, 709) / math.log(near)),
        (tiny, -r.uniform(708, 745) / math.log(tiny)),
        (-float(r.randrange(1, 100)), float(r.randrange(-40, 40))),
    ]


def sides(r: random.Random) -> list[Point]:
    """Returns pairs: all doubles, ordinary ones, of like sizes anywhere, subnormal."""
    y, small = any_double(r), sized(r, -1074, -1000)
    like = y * sized(r, -30, 30)
    return [
        (any_double(r), any_double(r)),
        (r.uniform(-1, 1), r.uniform(-1, 1)),
        (y, like if math.isfinite(like) else y),
        (small, small * sized(r, -50, 50)),
    ]


def hardest_angles() -> Iterator[Point]:
    """Yields for each exponent the angle nearest to a multiple of pi/2: best approximations.

    Convergents p/q of 2^e 2/pi make q 2^e nearer to p pi/2 than any smaller q does (A. Ya.
    Khinchin, Continued Fractions, 1964, theorem 17).
    """
    with mp.workprec(1400):
        for exponent in range(-52, 972):
            rest = mp.mpf(2) / mp.pi * mp.mpf(2) ** exponent
            older, old = 1, 0  # denominators of the two convergents before
            while old < 1 << 53:
                whole = int(mp.floor(rest))
                older, old = old, whole * old + older
                rest = 1 / (rest - whole)
            if older > 0:
                yield (math.ldexp(float(older), exponent), 0.0)


def no_points() -> Iterator[Point]:
    """Yields nothing: functions whose ranges have their hard points."""
    return iter(())


Function = tuple[
    Callable[[Any, Any], Any], Callable[[random.Random], list[Point]], Callable[[], Iterator[Point]]
]
FUNCTIONS: dict[str, Function] = {
    "exp": (lambda x, _: mp.exp(x), lambda r: exponentials(r, -708.0, 709.7), no_points),
    "exp2": (lambda x, _: mp.power(2, x), lambda r: exponentials(r, -1022.0, 1023.9), no_points),
    "log": (lambda x, _: mp.log(x), logarithms, no_points),
    "log2": (lambda x, _: mp.log(x) / mp.log(2), logarithms, no_points),
    "log10": (lambda x, _: mp.log(x) / mp.log(10), logarithms, no_points),
    "pow": (mp.power, powers, no_points),
    "hypot": (lambda x, y: mp.sqrt(x * x + y * y), sides, no_points),
    "sin": (lambda x, _: mp.sin(x), angles, hardest_angles),
    "cos": (lambda x, _: mp.cos(x), angles, hardest_angles),
    "tan": (lambda x, _: mp.tan(x), angles, hardest_angles),
    "atan": (lambda x, _: mp.atan(x), slopes, no_points),
    "atan2": (mp.atan2, sides, no_points),
    "tanh": (lambda x, _: mp.tanh(x), slopes, no_points),
}


def line(x: float, y: float, exact: Any) -> str | None:
    """Returns the line of one point; None where there is no digit to compare."""
    if not mp.isfinite(exact) or exact == 0 or abs(exact) >= LARGEST:
        return None
    last_bit = max(int(mp.floor(mp.log(abs(exact), 2))) - 52, -1074)
    units = mp.ldexp(exact, -last_bit)
    nearest = int(mp.nint(units))
    return (
        f"{x.hex()} {y.hex()} {math.ldexp(nearest, last_bit).hex()} {last_bit} "
        f"{float(units - nearest):.5f}\n"
    )


def lines(name: str, points: int) -> Iterator[str]:
    """Yields the lines of one function; the same ones each time."""
    exact, of_ranges, hard = FUNCTIONS[name]
    r = random.Random(f"halocline {name}")  # noqa: S311 - no secret
    for x, y in hard():
        yield line(x, y, exact(mp.mpf(x), mp.mpf(y))) or ""
    for _ in range(points):
        for x, y in of_ranges(r):
            yield line(x, y, exact(mp.mpf(x), mp.mpf(y))) or ""


def main() -> None:
    """Writes the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--points", type=int, default=500, help="random points a range")
    parser.add_argument("--only", choices=FUNCTIONS, help="one function")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in [options.only] if options.only else FUNCTIONS:
        text = "".join(lines(name, options.points))
        (options.folder / f"{name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
