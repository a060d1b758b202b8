# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Winners of points: beyond the noise, and never the lucky one of many equals."""

from __future__ import annotations

import math
import random

from halocline.tune.candidates import Algorithm
from halocline.tune.choosing import common_winner, judge
from halocline.tune.measuring import BLOCKS, ROUNDS, Field
from halocline.tune.points import Point

COUNT = BLOCKS * ROUNDS


def _point(low: int = 64, calls: int = 100) -> Point:
    return Point("Bcast", 4, low, low, 2 * low, calls, 1.0)


def _field(seed: int, ratios: dict[int, float], noise: float = 0.02, low: int = 64) -> Field:
    """Times of 1 µs with noise; algorithm k takes `ratios[k]` times as long."""
    rng = random.Random(seed)  # noqa: S311

    def times(ratio: float) -> list[float]:
        return [1e-6 * ratio * math.exp(rng.gauss(0.0, noise)) for _ in range(COUNT)]

    algorithms = [Algorithm("v", value, f"a{value}") for value in ratios]
    measured = {"default": times(1.0), "again": times(1.0)}
    measured |= {each.name: times(ratios[each.value]) for each in algorithms}
    return Field(_point(low), algorithms, measured, dict.fromkeys(measured, "ok"))


def test_a_clearly_faster_algorithm_wins_and_says_what_it_saves() -> None:
    contest = judge(_field(1, {1: 0.5, 2: 1.5}), 0.01)
    assert contest.winner is not None
    assert contest.winner.value == 1
    assert 45e-6 < contest.saving_s < 55e-6  # 100 calls, half of 1 µs each


def test_equals_do_not_win_in_many_contests() -> None:
    ratios = dict.fromkeys(range(1, 9), 1.0)
    winners = [judge(_field(seed, ratios, 0.2), 0.01).winner for seed in range(60)]
    # Each contest errs with 1 %, and needs 3 % and more beyond the noise on top.
    assert sum(winner is not None for winner in winners) <= 2


def test_what_the_library_chooses_itself_wins_over_its_equals() -> None:
    contest = judge(_field(3, {0: 0.5, 1: 0.499}), 0.01)
    assert contest.winner is not None
    assert contest.winner.value == 0


def test_what_gave_wrong_results_is_not_compared() -> None:
    field = _field(4, {1: 0.1})
    field.states["v=1"] = "wrong"
    assert judge(field, 0.01).winner is None


def test_one_algorithm_for_all_sizes_must_not_be_slower_at_any() -> None:
    small = judge(_field(5, {1: 0.5, 2: 0.7}), 0.01)
    large = judge(_field(6, {1: 1.5, 2: 1.0}, low=1024), 0.01)
    winner = common_winner([small, large])
    assert winner is not None
    assert winner.value == 2
    assert common_winner([judge(_field(7, {1: 1.5}), 0.01)]) is None
