# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Which algorithm is better than the default, point by point, and what that may save."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from halocline.statistics import Comparison, Verdict, compare_all, median_interval, noise_floor
from halocline.tune.bench import AGAIN, BASE
from halocline.tune.candidates import Algorithm
from halocline.tune.measuring import Field

LEAST_GAIN = 0.03
"""A smaller one in the bench will not be seen in a program."""


@dataclass(frozen=True)
class Contest:
    """A point that was measured: comparisons of all algorithms with the default, and the winner."""

    field: Field
    comparisons: dict[str, Comparison]  # by name of the algorithm
    floor: float | None  # what the default differs from itself; None: unknown
    winner: Algorithm | None

    def median_s(self, name: str) -> float | None:
        """Median time of a call by an algorithm, or by the default."""
        return median_s(self.field.times_s.get(name, []))

    @property
    def saving_s(self) -> float:
        """What the winner saves in a run if calls cost there what they cost in the bench."""
        if self.winner is None:
            return 0.0
        base, best = self.median_s(BASE), self.median_s(self.winner.name)
        return (base - best) * self.field.point.calls if base and best else 0.0


def median_s(times: Sequence[float]) -> float | None:
    """Return the median of the finite times; None where there are none."""
    known = [time for time in times if math.isfinite(time)]
    return median_interval(known).value if known else None


def judge(field: Field, error_rate: float) -> Contest:
    """Compare all algorithms of a point with its default; a winner is faster beyond the noise."""
    base = field.times_s.get(BASE, [])
    others = {
        each.name: field.times_s[each.name]
        for each in field.algorithms
        if field.states.get(each.name) == "ok" and each.name in field.times_s
    }
    if not base or not others:
        return Contest(field, {}, None, None)
    floor = noise_floor(base, field.times_s.get(AGAIN, [math.nan] * len(base)))
    comparisons = compare_all(base, others, error_rate, floor or 0.0)
    best = [
        name
        for name, found in comparisons.items()
        if found.verdict is Verdict.FASTER and found.gain >= LEAST_GAIN
    ]
    winner = None
    if best and floor is not None:
        least = min(comparisons[name].ratio for name in best)
        known = {each.name: each for each in field.algorithms}
        # The library's own choice wins over what is not significantly faster.
        near = [known[name] for name in best if comparisons[name].ratio <= least * (1 + floor)]
        own = [each for each in near if each.value == 0]
        winner = (own or [min(near, key=lambda each: comparisons[each.name].ratio)])[0]
    return Contest(field, comparisons, floor, winner)


def common_winner(contests: Sequence[Contest]) -> Algorithm | None:
    """Return one algorithm for all points of a function, for libraries that do not ask the size.

    It saves most over the points together, is faster at one at least and slower at none.
    """
    known = {each.name: each for contest in contests for each in contest.field.algorithms}
    savings = {name: _saving(contests, name) for name in known}
    fit = [name for name, saving in savings.items() if saving is not None and saving > 0]
    return known[max(fit, key=lambda name: savings[name] or 0.0)] if fit else None


def _saving(contests: Sequence[Contest], name: str) -> float | None:
    """Seconds saved by an algorithm over all points; None where it must not be taken."""
    total, faster = 0.0, False
    for contest in contests:
        found = contest.comparisons.get(name)
        base, own = contest.median_s(BASE), contest.median_s(name)
        if found is None or base is None or own is None or found.verdict is Verdict.SLOWER:
            return None
        faster = faster or (found.verdict is Verdict.FASTER and found.gain >= LEAST_GAIN)
        total += (base - own) * contest.field.point.calls
    return total if faster else None
