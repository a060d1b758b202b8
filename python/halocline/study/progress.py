# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The progress line of a study: what runs, how many are done, how long it may still take."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from halocline.study.journal import Run
from halocline.study.point import Point
from halocline.study.schedule import Schedule
from halocline.terminal import StatusLine, note
from halocline.wording import clock_words, counted

QUIET_S = 30.0


class Progress:
    """One line that changes on a terminal; a line now and then elsewhere."""

    def __init__(self, schedule: Schedule, budget_left_s: Callable[[], float]) -> None:
        self._budget_left_s = budget_left_s
        self._schedule = schedule
        self._walls: list[float] = []
        self._reported_s = -QUIET_S
        self._line = StatusLine()

    def ended(self, run: Run, point: Point, done: int) -> None:
        """Tell that a run has ended; one that went wrong gets a line of its own."""
        self._walls.append(run.wall_s)
        if not run.is_ok:
            self._line.clear()
            note(f"{point.title} ({run.turn.phase} {run.turn.number + 1}) {run.state}: {run.why}")
        now_s = time.monotonic()
        if not self._line.is_live and now_s - self._reported_s < QUIET_S:
            return
        self._reported_s = now_s
        tell = self._line.show if self._line.is_live else note
        tell(f"{_phase(run)}, {counted(done, 'run')} done, {self.left_words(run)} left")

    def left_words(self, run: Run) -> str:
        """Return how long it may still take, least and most."""
        each_s = statistics.median(self._walls)
        number = run.turn.number if run.turn.phase == "round" else 0
        least, most = self._schedule.runs_left(number)
        most_s = self._budget_left_s()
        low, high = (clock_words(min(runs * each_s, most_s)) for runs in (least, most))
        return f"about {low}" if low == high else f"about {low} to {high}"

    def clear(self) -> None:
        """Remove the line."""
        self._line.clear()


def _phase(run: Run) -> str:
    names = {"trial": "trial", "noise": "base against itself", "round": "round"}
    name = names[run.turn.phase]
    return name if run.turn.phase == "trial" else f"{name} {run.turn.number + 1}"
