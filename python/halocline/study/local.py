# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes runs of a study on this machine, one after the other."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from halocline.errors import HaloclineError, InvalidInputError
from halocline.files.output_file import explained
from halocline.study.checking import Checker
from halocline.study.journal import Journal, Run, Turn
from halocline.study.launch import Launch
from halocline.study.load import Study
from halocline.study.measurements import (
    MissingValueError,
    found_answer,
    last_lines,
    output_text,
    pattern_values,
    record_extras,
    record_values,
)
from halocline.study.point import Point
from halocline.study.process import MARK, Command, Ended, Stop, run_limited
from halocline.study.recording import Recorder
from halocline.units import duration_s

LOGS = "logs"
#: A ratio of anything above has a logarithm.
SMALLEST = 1e-100


class LocalRunner:
    """Starts points here; each run ends before the next begins."""

    def __init__(self, study: Study, journal: Journal, checker: Checker, stop: Stop) -> None:
        self._study = study
        self._journal = journal
        self._checker = checker
        self._stop = stop
        self._recorder = Recorder(study)

    def run(self, turns: Iterable[tuple[Turn, Point]]) -> Iterator[Run]:
        """Yield the runs of turns as they end; none once the user wants to stop."""
        for turn, point in turns:
            if self._stop.asked is not None:
                return
            run = self._one(turn, point)
            if run is not None:
                yield run

    def _one(self, turn: Turn, point: Point) -> Run | None:
        launch = self._study.launch(point)
        prepare_folder(launch)
        log = log_file(self._study, turn)
        words, snapshot = self._recorder.words(turn, launch)
        mark = f"{self._study.place.key}.{turn.phase}.{turn.number}.{turn.point}"
        command = Command(
            words,
            {**launch.environment, MARK: mark},
            launch.folder,
            log,
            duration_s(self._study.file.run.time_limit),
        )
        started = datetime.now(UTC).isoformat(timespec="milliseconds")
        ended = run_limited(command, self._stop, lambda pid: self._journal.begin(turn, pid, mark))
        if ended.stopped:
            return None
        run = judged(self._study, self._checker, turn, point, Outcome(launch, log, ended, started))
        if snapshot is not None:
            self._recorder.finish(snapshot, launch, ended, run)
        tidy(self._study, run, launch, log)
        return run


class Outcome:
    """What there is of a run that has ended."""

    def __init__(self, launch: Launch, log: Path, ended: Ended, started: str) -> None:
        self.launch = launch
        self.log = log
        self.ended = ended
        self.started = started


def log_file(study: Study, turn: Turn) -> Path:
    """Return the file for what a run prints; an older one goes."""
    log = study.folder / LOGS / f"{turn.phase}-{turn.number:03d}-{turn.point}.log"
    with explained(log):
        log.parent.mkdir(parents=True, exist_ok=True)
        log.unlink(missing_ok=True)
    return log


def prepare_folder(launch: Launch) -> None:
    """Empty the folder of a run that has one of its own, and put its files there."""
    if launch.mesh is not None and not launch.mesh.is_made():
        from halocline.launch.case_run import make_mesh

        make_mesh(launch.mesh, output_to_stderr=True)
    if not launch.owns_folder:
        return
    with explained(launch.folder):
        shutil.rmtree(launch.folder, ignore_errors=True)
        launch.folder.mkdir(parents=True)
    for file in launch.files:
        try:
            if file.is_dir():
                shutil.copytree(file, launch.folder / file.name)
            else:
                shutil.copy2(file, launch.folder / file.name)
        except OSError as error:
            raise InvalidInputError(
                f"key 'program.files': {file} cannot be copied ({error.strerror}). Check the path."
            ) from None


def judged(study: Study, checker: Checker, turn: Turn, point: Point, outcome: Outcome) -> Run:
    """Return what a run came to: its numbers, or why it does not count."""
    ended = outcome.ended
    text = output_text(outcome.log)
    values = {"wall": ended.wall_s}
    if ended.cpu_s:
        values["cpu"] = ended.cpu_s
    if ended.peak_rss_bytes:
        values["memory_bytes"] = float(ended.peak_rss_bytes)
    run = Run(turn, "ok", outcome.started, ended.wall_s, values, ended.code)
    run.state, run.why = _state(study, ended)
    if run.is_ok:
        _measure(study, run, text, outcome.launch.record)
    if run.is_ok:
        try:
            run.why = checker.difference(point, outcome.launch, run.answer)
        except HaloclineError as error:
            run.state, run.why = "failed", str(error)
        else:
            run.state = "wrong" if run.why else "ok"
    if not run.is_ok:
        run.last_lines = last_lines(text)
    return run


def _state(study: Study, ended: Ended) -> tuple[str, str]:
    if ended.timed_out:
        return "timeout", f"it took longer than run.time_limit = {study.file.run.time_limit}"
    if ended.code < 0:
        return "failed", f"signal {-ended.code} ended it"
    return ("failed", f"it ended with code {ended.code}") if ended.code else ("ok", "")


def _measure(study: Study, run: Run, text: str, record: Path | None) -> None:
    """Add what is measured; a run that lacks it has failed."""
    try:
        run.values |= pattern_values(study.file.measure.patterns, text)
        if record is not None:
            run.values |= record_extras(record)
            run.values |= record_values(record, study.records)
        check = study.file.check
        if check is not None and check.pattern is not None:
            run.answer = found_answer(check.pattern, text)
        found = run.values.get(study.by, 0.0)
        if not found > SMALLEST:
            raise MissingValueError(f"'{study.by}' is {found:g}, not above 0")
    except MissingValueError as missing:
        run.state, run.why = "failed", str(missing)


def tidy(study: Study, run: Run, launch: Launch, log: Path) -> None:
    """Remove what nobody will look at; what went wrong stays to be seen."""
    if study.file.run.keep or not run.is_ok:
        return
    if launch.owns_folder:
        shutil.rmtree(launch.folder, ignore_errors=True)
    if run.turn.phase != "trial":
        log.unlink(missing_ok=True)
