# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Which runs come next, derived from the runs there are: the same for every driver that goes on.

First a trial of each base, then the base against itself, a trial of each other point, and rounds.
A round runs what is not known well enough yet, with the bases and their twins, in an order that
the seed and the number of the round decide. So whoever goes on after a kill makes the runs that
are missing, and no other.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Mapping, Sequence

from halocline.statistics import median_interval
from halocline.study.journal import Run, Turn
from halocline.study.load import Study
from halocline.study.point import Point

TRIAL, NOISE, ROUND = "trial", "noise", "round"
FAILURES_ALLOWED = 2

Turns = list[tuple[Turn, Point]]


class Schedule:
    """The runs of a study, a batch after the other; order within a batch is random."""

    def __init__(self, study: Study, runs: Mapping[Turn, Run]) -> None:
        """`runs` grows while the schedule is asked."""
        self._study = study
        self._runs = runs
        self._by_point: dict[str, list[Run]] = {}
        self._sorted = 0
        self.twins = study.twins

    def bases(self) -> Turns:
        """Trials of bases; without them there is nothing to compare with."""
        return [(Turn(TRIAL, 0, base.name), base) for base in self._study.bases]

    def noise(self) -> Sequence[Turns]:
        """Rounds of bases against themselves."""
        pairs = [point for twin in self.twins for point in (self._study.base_of(twin), twin)]
        numbers = range(self._study.file.run.noise_rounds)
        return [self._turns(NOISE, number, pairs) for number in numbers]

    def trials(self) -> Turns:
        """Trials of all other points."""
        return [
            (Turn(TRIAL, 0, point.name), point) for point in self._study.points if not point.is_base
        ]

    def round(self, number: int) -> Turns:
        """Return a round; empty when all is known, or nothing more is allowed."""
        if number >= self._study.most:
            return []
        open_points = self.open_points(number)
        if not open_points:
            return []
        scales = {point.scale for point in open_points}
        members = [point for point in self._study.bases if point.scale in scales]
        members += [twin for twin in self.twins if twin.scale in scales]
        members += [point for point in open_points if not point.is_base]
        return self._turns(ROUND, number, members)

    def open_points(self, number: int) -> list[Point]:
        """Return the points whose median is not known well enough before a round."""
        return [
            point
            for point in self._study.points
            if not self.is_out(point) and not self._is_known(point, number)
        ]

    def is_out(self, point: Point) -> bool:
        """Whether a point is given up: wrong once, or failing again and again."""
        trial = self._runs.get(Turn(TRIAL, 0, point.name))
        if trial is not None and not trial.is_ok:
            return True
        runs = self.runs_of(point)
        if any(run.state == "wrong" for run in runs):
            return True
        return sum(not run.is_ok for run in runs) > FAILURES_ALLOWED

    def runs_of(self, point: Point) -> list[Run]:
        """Return the runs of a point in rounds, in their order."""
        if self._sorted < len(self._runs):
            for run in itertools.islice(self._runs.values(), self._sorted, None):
                if run.turn.phase == ROUND:
                    self._by_point.setdefault(run.turn.point, []).append(run)
            self._sorted = len(self._runs)
        return self._by_point.get(point.name, [])

    def _is_known(self, point: Point, number: int) -> bool:
        if number < self._study.least:
            return False
        values = [
            run.values[self._study.by]
            for run in self.runs_of(point)
            if run.is_ok and run.turn.number < number and self._study.by in run.values
        ]
        if not values:
            return False
        median = median_interval(values, self._study.file.run.confidence)
        return median.relative_width <= self._study.width

    def _turns(self, phase: str, number: int, points: Sequence[Point]) -> Turns:
        """Return a batch in random order; the generator's stream is part of Python's promises."""
        order = list(points)
        seed = f"{self._study.file.run.seed}:{phase}:{number}"
        random.Random(seed).shuffle(order)  # noqa: S311 - an order, no secret
        return [(Turn(phase, number, point.name), point) for point in order]

    def runs_left(self, number: int) -> tuple[int, int]:
        """Return how many runs will come at least and at most, before a round."""
        live = [point for point in self._study.points if not self.is_out(point)]
        each = len(live) + len(self.twins)
        allowed = self._study.file.run.budget_runs
        left = math.inf if allowed is None else max(0, allowed - len(self._runs))
        least, most = (
            min(left, max(0, rounds - number) * each)
            for rounds in (self._study.least, self._study.most)
        )
        return int(least), int(most)
