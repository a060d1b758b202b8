# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How well a median is known."""

from __future__ import annotations

import math
from collections.abc import Sequence


def median_interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % confidence interval of the median; all of the range for few values.

    Between order statistics whose ranks are 1.96 standard deviations of a binomial distribution
    from the middle: David and Nagaraja, Order Statistics, 2003, section 7.1.
    """
    ordered = sorted(values)
    half = 1.96 * math.sqrt(len(ordered)) / 2
    low = max(math.floor(len(ordered) / 2 - half), 0)
    high = min(math.ceil(len(ordered) / 2 + half), len(ordered) - 1)
    return ordered[low], ordered[high]
