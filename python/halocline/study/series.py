# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Times of points by round, as statistics want them."""

from __future__ import annotations

import math
from collections.abc import Mapping

from halocline.statistics import (
    Comparison,
    Median,
    compare,
    compare_pairs,
    median_interval,
    noise_floor,
)
from halocline.study.journal import Run, Turn
from halocline.study.load import Study
from halocline.study.point import Point
from halocline.study.schedule import NOISE, ROUND

Series = list[float]


class Measured:
    """What the runs of a study say of its points."""

    def __init__(self, study: Study, runs: Mapping[Turn, Run]) -> None:
        self._study = study
        self._runs = runs
        self._by_point: dict[str, list[Run]] = {}
        self._numbers: dict[str, int] = {}
        for turn, run in runs.items():
            self._by_point.setdefault(turn.point, []).append(run)
            self._numbers[turn.phase] = max(turn.number + 1, self._numbers.get(turn.phase, 0))
        self._confidence = study.file.run.confidence

    def of(self, point: Point, phase: str = ROUND) -> Series:
        """Return times (rounds) of a point, smaller is better; NaN where a round has none."""
        return [
            self._time(self._runs.get(Turn(phase, number, point.name)))
            for number in range(self._numbers.get(phase, 0))
        ]

    def runs_of(self, point: Point) -> list[Run]:
        """Return all runs of a point in their order."""
        return self._by_point.get(point.name, [])

    def _time(self, run: Run | None) -> float:
        if run is None or not run.is_ok:
            return math.nan
        value = run.values.get(self._study.by, 0.0)
        if value <= 0.0:
            return math.nan
        return 1.0 / value if self._study.larger_is_better else value

    def values_of(self, point: Point, name: str) -> list[float]:
        """Return what rounds measured under a name; of a snapshot's, what its run did."""
        runs = [run for run in self.runs_of(point) if run.is_ok]
        rounds = [run for run in runs if run.turn.phase == ROUND and name in run.values]
        return [run.values[name] for run in rounds or runs if name in run.values]

    def median(self, point: Point) -> Median | None:
        """Return the median of what points are compared by, in its own unit."""
        values = [time for time in self.of(point) if math.isfinite(time)]
        if not values:
            return None
        if self._study.larger_is_better:
            values = [1.0 / time for time in values]
        return median_interval(values, self._confidence)

    def noise(self, base: Point) -> Comparison:
        """Compare a base with itself, over first and later rounds."""
        first, again = self._pair_of(base)
        return compare(first, again, 1.0 - self._confidence)

    def floor(self, base: Point) -> float | None:
        """Return what a base differs from itself."""
        return noise_floor(*self._pair_of(base), self._confidence)

    def _pair_of(self, base: Point) -> tuple[Series, Series]:
        twin = base.twin()
        return (
            [*self.of(base, NOISE), *self.of(base)],
            [*self.of(twin, NOISE), *self.of(twin)],
        )

    def comparisons(self) -> dict[str, Comparison]:
        """Compare all points with the bases of their scales; all verdicts keep the error rate."""
        pairs, floors = {}, {}
        for point in self._study.points:
            if point.is_base or not self.values_of(point, self._study.by):
                continue
            base = self._study.base_of(point)
            pairs[point.name] = (self.of(base), self.of(point))
            floors[point.name] = self.floor(base) or 0.0
        return compare_pairs(pairs, 1.0 - self._confidence, floors)

    def speed_up(self, first: Point, point: Point) -> Comparison:
        """Compare a point with the same settings at the first scale."""
        return compare(self.of(first), self.of(point), 1.0 - self._confidence)
