# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Proves a setting on the whole program: interleaved runs of the base, the base again, and it.

After so many rounds the verdict is looked for; where a gain shows but is not significant, as many
rounds again are run and looked at once more. Each look has half of the error rate, so that both
together keep it.

A gain counts where the setting beats both bases at the stated error rate, by more than the two
bases differ from each other, and gives the same results in every run.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from halocline.statistics import (
    Comparison,
    Median,
    Verdict,
    compare,
    median_interval,
    minimal_repetitions,
    noise_floor,
)
from halocline.tune.program import BASE, Program
from halocline.tune.settings import Setting

AGAIN, TUNED = "again", "tuned"
LOOKS = 2


@dataclass(frozen=True)
class Proof:
    """What the whole program said; times (rounds) by name, NaN where a run failed."""

    times_s: dict[str, list[float]]
    peak_bytes: dict[str, list[int]]
    comparison: Comparison
    against_again: Comparison
    floor: float | None
    problem: str | None
    error_rate: float
    compared_results: bool = False

    @property
    def holds(self) -> bool:
        """Whether the setting is better."""
        return self.reason is None

    @property
    def reason(self) -> str | None:
        """Why there is no decision; None: there is one."""
        if self.problem:
            return self.problem
        if self.floor is None:
            return "too few pairs of runs for a verdict at this error rate"
        if Verdict.SLOWER in (self.comparison.verdict, self.against_again.verdict):
            return "the settings that looked best make the program slower"
        if self.comparison.gain <= 0:
            return "the settings that looked best are not faster when they are measured again"
        if self.comparison.verdict is not Verdict.FASTER:
            return (
                f"the gain of {100 * self.comparison.gain:.1f} % is not distinguishable from what "
                f"the program differs from itself ({100 * self.floor:.1f} %)"
            )
        if self.against_again.verdict is not Verdict.FASTER:
            return "the gain holds against one set of unchanged runs, not against the other"
        return None

    def median(self, name: str) -> Median | None:
        """Return the median time of a setting; None where no run has one."""
        known = [time for time in self.times_s[name] if math.isfinite(time)]
        return median_interval(known) if known else None


def least_pairs(error_rate: float) -> int:
    """Return the fewest rounds that can prove anything."""
    return minimal_repetitions(1.0 - error_rate / LOOKS)


@dataclass(frozen=True)
class Plan:
    """How much is run: rounds up to the first look, and how many looks at most."""

    pairs: int
    error_rate: float
    seed: int
    looks: int = LOOKS


def prove(
    program: Program, setting: Setting, plan: Plan, progress: Callable[[float], None]
) -> Proof:
    """Run rounds of base, base and setting, in random order each."""
    rounds = _Rounds(program, setting, plan)
    for look in range(plan.looks):
        total = (look + 1) * plan.pairs
        for place in range(look * plan.pairs, total):
            progress(place / total)
            if rounds.run(place):
                return rounds.proof()
        found = rounds.proof()
        if found.holds or found.comparison.ratio >= 1.0:
            break
    return found


class _Rounds:
    """Rounds that were run, and what they say."""

    def __init__(self, program: Program, setting: Setting, plan: Plan) -> None:
        self._program = program
        self._plan = plan
        self._settings = {BASE: Setting(), AGAIN: Setting(), TUNED: setting}
        self._times: dict[str, list[float]] = {name: [] for name in self._settings}
        self._peaks: dict[str, list[int]] = {name: [] for name in self._settings}
        self._problem: str | None = None

    def run(self, place: int) -> str | None:
        """Run a round; return what is wrong with it."""
        runs = self._program.round(f"proof {place}", self._settings, str(self._plan.seed))
        for name, run in runs.items():
            matches = self._program.matches(run)
            self._times[name].append(run.time_s if matches and run.time_s else math.nan)
            self._peaks[name].append(run.peak_bytes)
            if not matches:
                self._problem = self._problem or _problem(name, run.problem)
        return self._problem

    def proof(self) -> Proof:
        """Return what the rounds so far say."""
        times, rate = self._times, self._plan.error_rate / LOOKS
        floor = noise_floor(times[BASE], times[AGAIN])
        return Proof(
            times_s=times,
            peak_bytes=self._peaks,
            comparison=compare(times[BASE], times[TUNED], rate, floor or 0.0),
            against_again=compare(times[AGAIN], times[TUNED], rate, floor or 0.0),
            floor=floor,
            problem=self._problem,
            error_rate=self._plan.error_rate,
            compared_results=self._program.compares,
        )


def _problem(name: str, problem: str | None) -> str:
    which = "with the settings that looked best" if name == TUNED else "without any change"
    if problem:
        return f"a run {which} failed: {problem}"
    if name == TUNED:
        return f"a run {which} gave other results than the first run"
    return (
        "runs without any change give different results (nothing can be compared with them); give "
        "a tolerance, or a pattern of what must be the same"
    )
