# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Intervals of medians: ranks derived by hand, coverage by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from halocline.statistics import median_interval, minimal_repetitions


def test_six_values_are_the_fewest_for_95_percent() -> None:
    # All six on one side of the median: 2 / 2^6 = 3.1 %; of five: 6.3 %.
    six = median_interval([3.0, 1.0, 2.0, 6.0, 5.0, 4.0])
    assert six.interval is not None
    assert (six.value, six.interval.low, six.interval.high) == (3.5, 1.0, 6.0)
    assert six.interval.confidence == pytest.approx(1 - 2 / 64)
    assert median_interval([1.0, 2.0, 3.0, 4.0, 5.0]).interval is None
    assert minimal_repetitions(0.95) == 6
    assert minimal_repetitions(0.99) == 8


def test_the_third_smallest_of_twelve_bounds_95_percent() -> None:
    # P(B < 3) = (1 + 12 + 66) / 4096 = 1.93 %, twice that 3.9 %; P(B < 4) = 7.3 %.
    twelve = median_interval([float(value) for value in range(1, 13)])
    assert twelve.interval is not None
    assert (twelve.interval.low, twelve.interval.high) == (3.0, 10.0)


def test_many_comparisons_need_more_repetitions() -> None:
    # 2 / 2^n <= 0.05 / 20, so 2^n >= 800: n = 10.
    assert minimal_repetitions(0.95, comparisons=20) == 10


def test_what_is_not_finite_counts_as_missing() -> None:
    found = median_interval([1.0, math.nan, 3.0, math.inf])
    assert (found.value, found.count, found.relative_width) == (2.0, 2, math.inf)
    with pytest.raises(ValueError, match="at least one"):
        median_interval([math.nan])


@pytest.mark.parametrize("count", [6, 17, 60])
def test_the_interval_holds_the_median_as_often_as_it_says(count: int) -> None:
    random = np.random.default_rng(1)
    trials, truth = 2000, math.exp(0.0)
    held = 0
    for _ in range(trials):
        interval = median_interval(list(random.lognormal(0.0, 1.0, count))).interval
        assert interval is not None
        held += interval.holds(truth)
    # Three standard deviations of 2000 tosses at 95 % are 1.5 %.
    assert held / trials > 0.95 - 0.015


def test_thousands_of_values_are_told_as_tens() -> None:
    values = list(np.linspace(0.0, 1.0, 5001))
    interval = median_interval(values).interval
    assert interval is not None
    # The binomial's spread is sqrt(5001) / 2 ranks, 1.96 of them on each side.
    assert interval.high - interval.low == pytest.approx(
        2 * 1.96 * math.sqrt(5001) / 2 / 5000, rel=0.03
    )
