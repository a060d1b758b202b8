# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The median of measurements and an interval around it that assumes no distribution.

Each of n independent values is below the median with probability 1/2, whatever it is distributed
like. So the k-th smallest and the k-th largest value hold the median between them unless fewer
than k values fell on one side: with probability 1 - 2 P(B < k), B binomial (n, 1/2).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Interval:
    """An interval, and the probability with which intervals made like it hold the truth."""

    low: float
    high: float
    confidence: float

    def holds(self, value: float) -> bool:
        """Say whether `value` lies in it."""
        return self.low <= value <= self.high


@dataclass(frozen=True)
class Median:
    """The median of `count` values; `interval` is None where they are too few for one."""

    value: float
    interval: Interval | None
    count: int

    @property
    def relative_width(self) -> float:
        """Half the interval's width over the median, e.g. 0.02 for ±2 %; infinite without one."""
        if self.interval is None or self.value == 0:
            return math.inf
        return 0.5 * (self.interval.high - self.interval.low) / abs(self.value)


def median_interval(values: Sequence[float], confidence: float = 0.95) -> Median:
    """Return the median of at least one value and its interval by order statistics.

    Args:
        values: measurements (n), any order; those that are not finite are left out.
        confidence: least probability that the interval holds the median, in (0, 1).

    Raises:
        ValueError: no value is finite.
    """
    ordered = np.sort(np.asarray(values, dtype=float))
    ordered = ordered[np.isfinite(ordered)]
    count = len(ordered)
    if count == 0:
        raise ValueError("a median needs at least one finite value")
    rank, reached = _rank_of_bound(count, confidence)
    interval = (
        Interval(float(ordered[rank - 1]), float(ordered[count - rank]), reached) if rank else None
    )
    return Median(float(np.median(ordered)), interval, count)


def minimal_repetitions(confidence: float = 0.95, comparisons: int = 1) -> int:
    """Return the fewest repetitions that can say anything at this confidence.

    Args:
        confidence: of an interval, or 1 - error rate of a verdict, in (0, 1).
        comparisons: how many settings are compared with the base at once; Holm's correction asks
            more of the first of many.
    """
    error = (1.0 - confidence) / comparisons
    # All n on one side is the clearest outcome there is: 2 * 2^-n. The tolerance is for 1 - 0.95.
    return max(2, math.ceil(1.0 - math.log2(error) - 1e-9))


def _rank_of_bound(count: int, confidence: float) -> tuple[int, float]:
    """Return the largest rank k (1-based, 0: none) whose bounds keep `confidence`, and theirs."""
    below, rank, reached = 0.0, 0, 0.0
    term = 0.5**count if count < 1000 else 0.0
    if term == 0.0:  # 2^-n underflows; the normal approximation is exact enough by then
        spread = 0.5 * math.sqrt(count) * _normal_quantile(0.5 + confidence / 2)
        rank = max(1, math.floor(0.5 * count - spread))
        return rank, confidence
    for k in range(1, count // 2 + 1):
        below += term
        if 1.0 - 2.0 * below < confidence - 1e-12:
            break
        rank, reached = k, 1.0 - 2.0 * below
        term *= (count - k + 1) / k
    return rank, reached


def _normal_quantile(probability: float) -> float:
    from statistics import NormalDist

    return NormalDist().inv_cdf(probability)
