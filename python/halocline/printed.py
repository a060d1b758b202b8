# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Numbers as programs print them, Fortran's `1.5D-3` among them, and texts that hold them."""

from __future__ import annotations

import re

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][-+]?\d+)?")


def number_of(text: str) -> float:
    """Return a printed number; raise ValueError where it is none."""
    return float(text.replace("D", "e").replace("d", "e"))


def alike(one: str, other: str, absolute: float = 0.0, relative: float = 0.0) -> bool:
    """Whether two texts are the same but for blanks and numbers, and their numbers near.

    Args:
        one, other: as they were printed.
        absolute: accepted difference of two numbers.
        relative: the same, as a share of the larger one.
    """
    if one == other:
        return True
    if NUMBER.sub("#", one).split() != NUMBER.sub("#", other).split():
        return False
    pairs = zip(NUMBER.findall(one), NUMBER.findall(other), strict=True)
    return all(_near(number_of(a), number_of(b), absolute, relative) for a, b in pairs)


def _near(a: float, b: float, absolute: float, relative: float) -> bool:
    return a == b or abs(a - b) <= max(absolute, relative * max(abs(a), abs(b)))
