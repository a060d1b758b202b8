# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What makes runs: this machine, or a scheduler."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from halocline.launch.limited_run import Stop
from halocline.study.checking import Checker
from halocline.study.journal import Journal, Run, Turn
from halocline.study.load import Study
from halocline.study.point import Point
from halocline.study.recording import Recorder


@dataclass(frozen=True)
class Context:
    """What all runs of a study share."""

    study: Study
    journal: Journal
    checker: Checker
    recorder: Recorder
    stop: Stop


class Runner(Protocol):
    """Makes runs."""

    def run(self, turns: Iterable[tuple[Turn, Point]]) -> Iterator[Run]:
        """Yield the runs of turns as they end; fewer once the user wants to stop.

        A turn is taken when it can start: whoever hands them out ends them with the budget.
        """
        ...
