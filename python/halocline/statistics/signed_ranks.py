# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The distribution of Wilcoxon's signed ranks where every sign is a toss of a coin.

With n values, each rank counts to the positive sum with probability 1/2, independently. Sums are
counted exactly up to 100 values; beyond, they are normal to within less than the tests can tell.
Equal sizes share the mean of their ranks; twice the ranks are integers, which the count needs.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

EXACT_UP_TO = 100


def signed_rank_error(values: NDArray[np.float64]) -> float:
    """Return the probability, both sides, of signed ranks as far from their mean as these.

    Args:
        values: differences (n); zeros say nothing and are left out.
    """
    sized = values[values != 0]
    if len(sized) == 0:
        return 1.0
    doubled = _doubled_ranks(np.abs(sized))
    positive = int(doubled[sized > 0].sum())
    total = int(doubled.sum())
    smaller = min(positive, total - positive)
    if len(sized) > EXACT_UP_TO:
        spread = math.sqrt(float((doubled.astype(float) ** 2).sum())) / 2
        return min(1.0, 2 * _normal_below((smaller + 1 - total / 2) / spread))
    return min(1.0, 2 * float(_sum_probabilities(doubled)[: smaller + 1].sum()))


def walsh_rank(count: int, error: float) -> int:
    """Return the rank (1-based, 0: none) of the pair average that bounds an interval.

    Args:
        count: number of values.
        error: probability, both sides together, that the bounds miss.
    """
    total = count * (count + 1) // 2
    if count > EXACT_UP_TO:
        from statistics import NormalDist

        spread = math.sqrt(count * (count + 1) * (2 * count + 1) / 24)
        return max(0, math.floor(total / 2 + NormalDist().inv_cdf(error / 2) * spread))
    below = np.cumsum(_sum_probabilities(np.arange(1, count + 1)))
    return int(np.searchsorted(below, error / 2 * (1 + 1e-9), side="right"))


def _doubled_ranks(sizes: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return twice the rank (n) of each size from 1; equal ones share the mean of theirs."""
    _, groups, counts = np.unique(sizes, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    doubled: NDArray[np.int64] = (2 * last - counts + 1)[groups]
    return doubled


def _sum_probabilities(ranks: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return P(sum of the positive ranks = s) for s = 0 … sum of all."""
    chances = np.zeros(int(ranks.sum()) + 1)
    chances[0] = 1.0
    for rank in ranks:
        with_it = np.zeros_like(chances)
        with_it[int(rank) :] = chances[: len(chances) - int(rank)]
        chances = 0.5 * (chances + with_it)
    return chances


def _normal_below(value: float) -> float:
    return 0.5 * math.erfc(-value / math.sqrt(2))
