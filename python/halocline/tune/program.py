# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The program that is tuned: runs it under settings, keeps every run in the journal."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from halocline.errors import RunFailedError
from halocline.preload.family import Family
from halocline.tune.journal import Journal
from halocline.tune.runs import Reading, Run, run_program, same_results
from halocline.tune.settings import Setting

LIMIT_FACTOR = 10.0
LEAST_LIMIT_S = 30.0
BASE = "base"


class Program:
    """A launch line, how its runs are read, and its first run, which all others must match."""

    def __init__(
        self,
        words: Sequence[str],
        family: Family,
        reading: Reading,
        journal: Journal,
        limit_s: float | None = None,
    ) -> None:
        """Nothing runs yet. `limit_s` bounds a run; by default ten times the first one."""
        self._words = list(words)
        self._family = family
        self._reading = reading
        self._journal = journal
        self._limit_s = limit_s
        self.first: Run | None = None

    def run_first(self) -> Run:
        """Run as it is; raise RunFailedError where that does not do."""
        run = self._run("first run", Setting())
        if run.problem:
            raise RunFailedError(
                f"the command does not run as it is: {run.problem} (tuning compares with such "
                f"runs). Its last words: {run.last_words(400)}."
            )
        self.first = run
        return run

    def round(self, name: str, settings: Mapping[str, Setting], seed: str) -> dict[str, Run]:
        """Run each setting once, next to each other in random order."""
        order = sorted(settings)
        random.Random(f"{seed} {name}").shuffle(order)  # noqa: S311 - no secret
        return {each: self._run(f"{name} {each}", settings[each]) for each in order}

    def matches(self, run: Run) -> bool:
        """Say whether a run ended well with the results of the first."""
        if run.problem or run.time_s is None or self.first is None:
            return False
        return same_results(self.first, run, self._reading.tolerance)

    @property
    def compares(self) -> bool:
        """Whether results are compared, and not only exit codes."""
        return bool(self._reading.results)

    def shell_line(self, setting: Setting) -> str:
        """Return the launch line under a setting as one could type it."""
        return setting.shell_line(self._words, self._family)

    def _run(self, name: str, setting: Setting) -> Run:
        if name not in self._journal:
            command = setting.command(self._words, self._family)
            run = run_program(command, setting.environment, self._reading, self._limit())
            if self.first is None and run.problem:
                return run  # it ends the tuning; the next call runs it again
            self._journal.put(name, asdict(run))
        held: Any = self._journal[name]
        if type(held) is not dict or held.keys() != Run.__dataclass_fields__.keys():
            raise self._journal.damaged(name)
        return Run(**held)

    def _limit(self) -> float | None:
        if self._limit_s is not None or self.first is None:
            return self._limit_s
        return max(LEAST_LIMIT_S, LIMIT_FACTOR * self.first.wall_s)
