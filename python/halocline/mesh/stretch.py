# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""One-dimensional point distributions with given spacing at the ends.

Source: M. Vinokur, "On one-dimensional stretching functions for finite-difference calculations",
J. Comput. Phys. 50 (1983) 215-234, doi:10.1016/0021-9991(83)90065-7.
"""

from __future__ import annotations

import math

import numpy as np

from halocline.mesh.arrays import Floats


def _solve(function: str, value: float) -> float:
    """Return d > 0 with sinh(d)/d = value (value > 1) or sin(d)/d = value (value < 1)."""
    low, high = 1e-9, 60.0 if function == "sinh" else math.pi - 1e-9
    for _ in range(200):
        mid = 0.5 * (low + high)
        ratio = math.sinh(mid) / mid if function == "sinh" else math.sin(mid) / mid
        too_small = ratio < value if function == "sinh" else ratio > value
        low, high = (mid, high) if too_small else (low, mid)
    return 0.5 * (low + high)


def stretch(u: Floats, first: float, last: float) -> Floats:
    """Map uniform u in [0, 1] to a smooth distribution with end spacings first and last.

    Args:
        u: parameters in [0, 1], any shape.
        first: spacing at u = 0 relative to the uniform one (0.1: ten times finer).
        last: the same at u = 1.

    Returns:
        Values in [0, 1], monotone, 0 and 1 exactly at the ends.
    """
    asymmetry = math.sqrt(last / first)
    strength = 1.0 / math.sqrt(first * last)
    if abs(strength - 1.0) < 1e-6:
        middle = u
    elif strength > 1.0:
        d = _solve("sinh", strength)
        middle = 0.5 * (1.0 + np.tanh(d * (u - 0.5)) / math.tanh(0.5 * d))
    else:
        d = _solve("sin", strength)
        middle = 0.5 * (1.0 + np.tan(d * (u - 0.5)) / math.tan(0.5 * d))
    result = middle / (asymmetry + (1.0 - asymmetry) * middle)
    return np.where(u <= 0.0, 0.0, np.where(u >= 1.0, 1.0, result))
