# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the runs of a study until all is known, the budget ends, or the user stops it."""

from __future__ import annotations

import math
import shlex
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from halocline.errors import ExitCode, RunFailedError
from halocline.files.lock import Place, locked
from halocline.files.output_file import explained
from halocline.launch.limited_run import Stop
from halocline.launch.session import end_orphans
from halocline.study.checking import REFERENCE, Checker
from halocline.study.journal import Journal, Run, Turn
from halocline.study.load import Study, default_folder
from halocline.study.local import LocalRunner
from halocline.study.point import Point
from halocline.study.progress import Progress
from halocline.study.recording import Recorder
from halocline.study.runner import Context, Runner
from halocline.study.schedule import TRIAL, Schedule, Turns
from halocline.terminal import note
from halocline.units import duration_s
from halocline.wording import counted


@dataclass(frozen=True)
class Finished:
    """What a driver leaves: all runs, and why it ended."""

    runs: dict[Turn, Run]
    ending: str


class BudgetEnd(Exception):  # noqa: N818 - no error
    """The budget is spent; the text says which."""


class StoppedByUserError(RunFailedError):
    """A signal stopped the study; it can go on."""

    def __init__(self, study: Study) -> None:
        words = ["halocline", "study", study.source]
        if study.folder != default_folder(Path(study.source)):
            words += ["-o", str(study.folder)]
        super().__init__(
            f"stopped; nothing that ended is lost. Go on with: {shlex.join(words)}",
            ExitCode.STOPPED_EARLY,
        )


@contextmanager
def opened(study: Study) -> Iterator[Journal]:
    """Lock the study's folder and open its journal; end what a killed driver has left running."""
    with explained(study.folder):
        study.folder.mkdir(parents=True, exist_ok=True)
    with locked(Place(study.folder, "study", what=f"the study {study.folder}")):
        journal = Journal(study.folder, study.place.key, study.by_name)
        try:
            _clean_up(study, journal)
            yield journal
        finally:
            journal.close()


def _clean_up(study: Study, journal: Journal) -> None:
    left = journal.unfinished
    if left is not None and left.session and end_orphans(left.session, left.mark):
        note("a run of the driver before was still going on; it is ended and made again")
    for draft in (study.folder / REFERENCE).glob(".*.partial"):
        shutil.rmtree(draft, ignore_errors=True)
    if journal.runs:
        note(f"going on: {counted(len(journal.runs), 'run')} made already")


class Driver:
    """One driver of a study; its journal says what others did before."""

    def __init__(self, study: Study, journal: Journal, stop: Stop) -> None:
        self._study = study
        self._journal = journal
        self._stop = stop
        self._schedule = Schedule(study, journal.runs)
        self._progress = Progress(self._schedule, self._budget_left_s)
        checker = Checker(study, self._answer_of_base)
        self._runner = self._make_runner(Context(study, journal, checker, Recorder(study), stop))
        self._begun_s = time.monotonic()
        self._spent_before_s = sum(run.wall_s for run in journal.runs.values())

    def _make_runner(self, context: Context) -> Runner:
        if self._study.place.submits:
            from halocline.study.batch import BatchRunner

            return BatchRunner(context)
        return LocalRunner(context)

    def drive(self) -> Finished:
        """Make all runs.

        Raises:
            RunFailedError: a base fails: there is nothing to compare with.
            StoppedByUserError: a signal came.
        """
        try:
            ending = self._phases()
        except BudgetEnd as end:
            ending = str(end)
        finally:
            self._progress.clear()
        return Finished(self._journal.runs, ending)

    def _phases(self) -> str:
        for turn, point in self._schedule.bases():
            if turn in self._journal.runs and not self._journal.runs[turn].is_ok:
                del self._journal.runs[turn]  # it ended the study; by now it may be corrected
            self._batch([(turn, point)])
            self._refuse_failing_base(turn, point)
        for turns in self._schedule.noise():
            self._batch(turns)
        self._batch(self._schedule.trials())
        number = 0
        while turns := self._schedule.round(number):
            self._batch(turns)
            number += 1
        most = self._study.most
        if number >= most and self._schedule.open_points(number):
            if most > self._study.file.run.most:
                verdicts = counted(self._study.comparisons, "verdict")
                return f"{most} rounds are made, which {verdicts} need at least"
            return f"run.most = {most} rounds are made"
        return "medians are known as well as asked for"

    def _batch(self, turns: Turns) -> None:
        missing = [(turn, point) for turn, point in turns if turn not in self._journal.runs]
        if not missing:
            return
        points = dict(missing)
        for run in self._runner.run(self._within_budget(missing)):
            self._journal.end(run)
            self._progress.ended(run, points[run.turn], len(self._journal.runs))
        if self._stop.asked is not None:
            raise StoppedByUserError(self._study)
        if any(turn not in self._journal.runs for turn in points):
            raise BudgetEnd(self._budget_words(len(self._journal.runs)))

    def _within_budget(self, turns: Turns) -> Iterator[tuple[Turn, Point]]:
        """Yield turns as long as the budget lasts; the runner takes one when it is ready."""
        made = len(self._journal.runs)
        for under_way, (turn, point) in enumerate(turns):
            if self._budget_words(made + under_way):
                return
            yield turn, point

    def _budget_words(self, runs: int) -> str:
        run = self._study.file.run
        if run.budget_runs is not None and runs >= run.budget_runs:
            return f"run.budget_runs = {run.budget_runs} are made"
        if self._budget_left_s() <= 0.0:
            return f"run.budget_time = {run.budget_time} is over"
        return ""

    def _budget_left_s(self) -> float:
        given = self._study.file.run.budget_time
        spent_s = self._spent_before_s + time.monotonic() - self._begun_s
        return max(0.0, duration_s(given) - spent_s) if given is not None else math.inf

    def _answer_of_base(self, name: str) -> str:
        run = self._journal.runs.get(Turn(TRIAL, 0, name))
        return run.answer if run is not None else ""

    def _refuse_failing_base(self, turn: Turn, point: Point) -> None:
        run = self._journal.runs[turn]
        if run.is_ok:
            return
        shown = " | ".join(line.strip() for line in run.last_lines[-4:]) or "none"
        raise RunFailedError(
            f"{self._study.source}: the base fails ({point.title}: {run.why}), so there is nothing "
            "to compare with. Correct it, and start the study again. The base was started by: "
            f"{self._study.launch(point).command.line}; its last words: {shown}"
        )
