# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes runs of a study on this machine, one after the other."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from halocline.errors import InvalidInputError
from halocline.files.output_file import explained, open_log
from halocline.launch.limited_run import StopCondition, run_limited
from halocline.launch.session import MARK
from halocline.study.journal import Run, Turn
from halocline.study.judging import Outcome, judged
from halocline.study.launch import Launch
from halocline.study.load import Study
from halocline.study.point import Point
from halocline.study.runner import Context
from halocline.units import duration_s

LOGS = "logs"


class LocalRunner:
    """Starts points here; each run ends before the next begins."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def run(self, turns: Iterable[tuple[Turn, Point]]) -> Iterator[Run]:
        """Yield the runs of turns as they end; none once the user wants to stop."""
        for turn, point in turns:
            if self._context.stop.asked is not None:
                return
            run = self._one(turn, point)
            if run is not None:
                yield run

    def _one(self, turn: Turn, point: Point) -> Run | None:
        context, study = self._context, self._context.study
        launch = study.launch(point)
        prepare_folder(launch)
        log = log_file(study, turn)
        words, snapshot = context.recorder.words(turn, launch)
        mark = f"{study.place.key}.{turn.phase}.{turn.number}.{turn.point}"
        environment = {**launch.command.environment, MARK: mark}
        limit_s = duration_s(study.file.run.time_limit)
        started = datetime.now(UTC).isoformat(timespec="milliseconds")
        with open_log(log) as output:
            ended = run_limited(
                replace(launch.command, words=words, environment=environment),
                output,
                StopCondition(limit_s, context.stop),
                lambda pid: context.journal.begin(turn, pid, mark),
            )
        if ended.stopped:
            return None
        run = judged(context, turn, point, Outcome(launch, log, ended, started))
        if snapshot is not None:
            context.recorder.finish(snapshot, launch, ended, run)
        tidy(study, run, launch, log)
        return run


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
    with explained(launch.command.folder):
        shutil.rmtree(launch.command.folder, ignore_errors=True)
        launch.command.folder.mkdir(parents=True)
    for file in launch.files:
        try:
            if file.is_dir():
                shutil.copytree(file, launch.command.folder / file.name)
            else:
                shutil.copy2(file, launch.command.folder / file.name)
        except OSError as error:
            raise InvalidInputError(
                f"key 'program.files': {file} cannot be copied ({error.strerror}). Check the path."
            ) from None


def tidy(study: Study, run: Run, launch: Launch, log: Path) -> None:
    """Remove what nobody will look at; what went wrong stays to be seen."""
    if study.file.run.keep or not run.is_ok:
        return
    if launch.owns_folder:
        shutil.rmtree(launch.command.folder, ignore_errors=True)
        with contextlib.suppress(OSError):
            # The study's own, unless it holds something else yet.
            launch.command.folder.parent.rmdir()
    if run.turn.phase != "trial":
        log.unlink(missing_ok=True)
