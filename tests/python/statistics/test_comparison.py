# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Comparisons of settings: small ones by hand, the stated error rate by simulation."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from halocline.statistics import Verdict, compare, compare_all, median_interval, noise_floor
from halocline.statistics.signed_ranks import signed_rank_error, walsh_rank
from measured_noise import KINDS, in_bursts, rounds_of, skewed

# How often what happens with 5 % may happen in so many trials: three deviations above the mean.
MOST_OF_400 = 400 * 0.05 + 3 * math.sqrt(400 * 0.05 * 0.95)
MOST_OF_200 = 200 * 0.05 + 3 * math.sqrt(200 * 0.05 * 0.95)


def test_the_error_is_what_counting_all_signs_gives() -> None:
    # Sizes 1, 2, 2, 5 share ranks 1, 2.5, 2.5, 4; negative is the first alone.
    sizes, ranks = np.array([-1.0, 2.0, 2.0, 5.0]), [1.0, 2.5, 2.5, 4.0]
    sums = [
        sum(r for r, up in zip(ranks, ups, strict=True) if up) for ups in product((0, 1), repeat=4)
    ]
    expected = sum(1 for total in sums if total <= 1.0 or total >= 9.0) / 16
    assert signed_rank_error(sizes) == pytest.approx(expected)


def test_ranks_of_intervals_are_those_of_the_tables() -> None:
    # Critical values of Wilcoxon's test, two-sided 5 %: 0 for n = 6, 8 for n = 10, 52 for n = 20.
    assert [walsh_rank(count, 0.05) for count in (5, 6, 10, 20)] == [0, 1, 9, 53]


def test_six_rounds_that_are_all_faster_prove_it() -> None:
    base = [1.00, 1.10, 1.05, 1.20, 1.02, 1.07]
    found = compare(base, [0.8 * time for time in base])
    assert found.verdict is Verdict.FASTER
    assert found.gain == pytest.approx(0.2)
    assert found.error == pytest.approx(2 / 64)
    assert compare([0.8 * time for time in base], base).verdict is Verdict.SLOWER


def test_five_rounds_prove_nothing() -> None:
    found = compare([1.0] * 5, [0.5] * 5)
    assert (found.verdict, found.interval) == (Verdict.NO_DIFFERENCE, None)


def test_a_gain_within_the_noise_floor_is_not_told() -> None:
    base = [1.0 + 0.001 * place for place in range(8)]
    faster = [0.98 * time for time in base]
    assert compare(base, faster).verdict is Verdict.FASTER
    assert compare(base, faster, floor=0.03).verdict is Verdict.NO_DIFFERENCE


def test_equal_times_of_a_coarse_clock_are_no_difference() -> None:
    found = compare([1.2] * 10, [1.2] * 10)
    assert (found.ratio, found.error, found.verdict) == (1.0, 1.0, Verdict.NO_DIFFERENCE)


def test_rounds_without_a_time_are_left_out() -> None:
    found = compare([1.0, math.nan, 1.0], [0.5, 0.5, math.nan])
    assert found.pairs == 1
    nothing = compare([math.nan], [1.0])
    assert (nothing.pairs, nothing.verdict) == (0, Verdict.NO_DIFFERENCE)


@pytest.mark.parametrize(("base", "other"), [([1.0, 2.0], [1.0]), ([0.0], [1.0])])
def test_what_has_no_ratio_is_refused(base: list[float], other: list[float]) -> None:
    with pytest.raises(ValueError, match="times"):
        compare(base, other)


@pytest.mark.parametrize("kind", KINDS)
def test_one_setting_against_itself_differs_at_most_at_the_rate(kind: str) -> None:
    random = np.random.default_rng(2)
    false = 0
    for _ in range(400):
        base, other = rounds_of(KINDS[kind], [1.0, 1.0], 12, random)
        false += compare(list(base), list(other)).verdict is not Verdict.NO_DIFFERENCE
    assert false <= MOST_OF_400


@pytest.mark.parametrize("kind", KINDS)
def test_twenty_settings_together_keep_the_rate(kind: str) -> None:
    random = np.random.default_rng(3)
    false = 0
    for _ in range(200):
        base, *others = rounds_of(KINDS[kind], [1.0] * 21, 12, random)
        found = compare_all(list(base), {str(i): list(times) for i, times in enumerate(others)})
        false += any(one.verdict is not Verdict.NO_DIFFERENCE for one in found.values())
    assert false <= MOST_OF_200


def test_stopping_once_medians_are_narrow_keeps_the_rate() -> None:
    random = np.random.default_rng(4)
    false = 0
    for _ in range(200):
        times = rounds_of(skewed, [1.0, 1.0, 1.0], 40, random)
        rounds = next(
            (
                count
                for count in range(8, 40)
                if all(median_interval(list(row[:count])).relative_width < 0.015 for row in times)
            ),
            40,
        )
        base, *others = times[:, :rounds]
        found = compare_all(list(base), {str(i): list(row) for i, row in enumerate(others)})
        false += any(one.verdict is not Verdict.NO_DIFFERENCE for one in found.values())
    assert false <= MOST_OF_200


def test_a_real_gain_of_a_tenth_is_found_in_bursts_of_noise() -> None:
    random = np.random.default_rng(5)
    found = 0
    for _ in range(100):
        base, *others = rounds_of(in_bursts, [1.0, 0.9, 1.0, 1.0, 1.0], 25, random)
        rows = compare_all(list(base), {str(i): list(row) for i, row in enumerate(others)})
        found += rows["0"].verdict is Verdict.FASTER
    assert found >= 80


def test_the_interval_of_a_ratio_holds_the_truth_as_often_as_it_says() -> None:
    random = np.random.default_rng(6)
    held = 0
    for _ in range(400):
        base, other = rounds_of(skewed, [1.0, 0.9], 15, random)
        interval = compare(list(base), list(other)).interval
        assert interval is not None
        held += interval.holds(0.9)
    assert held >= 400 - MOST_OF_400


def test_the_noise_floor_is_what_the_interval_reaches() -> None:
    random = np.random.default_rng(7)
    first, second = rounds_of(skewed, [1.0, 1.0], 12, random)
    floor = noise_floor(list(first), list(second))
    assert floor is not None
    assert 0.0 < floor < 0.1
    assert noise_floor([1.0] * 5, [1.0] * 5) is None
