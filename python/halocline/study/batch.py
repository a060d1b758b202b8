# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes runs of a study as batch jobs, one job a run, several at a time where that is asked for.

The job's script notes the time right before and after the launch line, on the first host: waiting
in a queue is no run time. A driver that is stopped or killed leaves its jobs where they are; the
next one waits for them.
"""

from __future__ import annotations

import itertools
import shutil
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from halocline.case.load import load_case
from halocline.case.submit_section import SubmitSection
from halocline.errors import InvalidInputError
from halocline.launch.limited_run import Ended
from halocline.launch.programs import find_program
from halocline.study.journal import Run, Turn
from halocline.study.judging import Outcome, judged
from halocline.study.launch import Launch
from halocline.study.local import prepare_folder, tidy
from halocline.study.point import Point
from halocline.study.recording import snapshot_folder
from halocline.study.runner import Context
from halocline.study.schedule import TRIAL
from halocline.submit.job import Program, Shape
from halocline.submit.job_file import KIND, SubmittedJob
from halocline.submit.plan import Subject, plan_job
from halocline.submit.schedulers.scheduler import Phase
from halocline.submit.submission import scheduler_for, submit
from halocline.submit.view import JobView, look

JOBS = "jobs"
#: Between two looks at jobs; schedulers are asked less often the longer jobs take.
SHORTEST_S, LONGEST_S = 0.1, 10.0
RECORDER = "halocline-snapshot"


@dataclass(frozen=True)
class TimedSubject(Subject):
    """A case or command whose job notes when it runs; recorded, where a folder is given."""

    stamps: Path = Path()
    recorder: str | None = None

    def program(self, shape: Shape) -> Program:
        """Return the program of the job."""
        found = super().program(shape)
        if self.recorder is not None:
            found = replace(found, words=(self.recorder, *found.words))
        return replace(
            found,
            prepare=(*found.prepare, _stamp(self.stamps / "begin")),
            complete=(_stamp(self.stamps / "end"), *found.complete),
        )


def _stamp(file: Path) -> tuple[str, ...]:
    return ("/bin/sh", "-c", 'date +%s.%N > "$0"', str(file))


class BatchRunner:
    """Submits points; a job whose file is in the journal is waited for, not submitted again."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._study = context.study
        self._journal = context.journal

    def run(self, turns: Iterable[tuple[Turn, Point]]) -> Iterator[Run]:
        """Yield the runs of turns as their jobs end; those under way stay when the user stops."""
        stop, most = self._context.stop, self._study.file.run.jobs
        waiting: dict[Turn, Point] = {}
        source = iter(turns)
        pause_s = SHORTEST_S
        while stop.asked is None:
            for turn, point in itertools.islice(source, most - len(waiting)):
                if turn not in self._journal.jobs or self._job(turn) is None:
                    self._submit(turn, point)
                waiting[turn] = point
            if not waiting:
                return
            ended = [(turn, view) for turn in waiting if (view := self._over(turn)) is not None]
            for turn, view in ended:
                yield self._ended(turn, waiting.pop(turn), view)
            pause_s = SHORTEST_S if ended else min(2 * pause_s, LONGEST_S)
            if not ended:
                stop.sleep(pause_s)

    def _submit(self, turn: Turn, point: Point) -> None:
        launch = self._study.launch(point)
        prepare_folder(replace(launch, mesh=None))  # the job makes a mesh that is missing
        folder = self._folder(turn)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        subject, environment = self._subject(turn, launch, folder)
        plan = plan_job(subject, self._options(point, environment), folder)
        self._journal.begin(turn, 0, "", str(plan.job.files.record))
        submit(plan)

    def _subject(
        self, turn: Turn, launch: Launch, folder: Path
    ) -> tuple[TimedSubject, dict[str, str]]:
        """Return what the job runs, and its environment, with the recorder where one is wanted."""
        environment = dict(launch.command.environment)
        recorder = find_program(RECORDER) if self._records(turn) else None
        if recorder is not None:
            ranks = snapshot_folder(self._study, turn.point) / "ranks"
            shutil.rmtree(ranks, ignore_errors=True)
            ranks.mkdir(parents=True)
            environment["HALOCLINE_SNAPSHOT_DIR"] = str(ranks)
        subject = TimedSubject(
            launch.command.folder, stamps=folder, recorder=str(recorder) if recorder else None
        )
        if self._study.file.program.case is None:
            return replace(subject, command=launch.program), environment
        case_file = Path(launch.program[0])
        case = load_case(case_file, launch.settings)
        subject = replace(subject, case=case, case_file=case_file, settings=launch.settings)
        return subject, environment

    def _records(self, turn: Turn) -> bool:
        wanted = self._study.file.measure.snapshot
        return wanted == "every" or (wanted == "once" and turn.phase == TRIAL)

    def _options(self, point: Point, environment: dict[str, str]) -> SubmitSection:
        given = self._study.file.submit or SubmitSection()
        hosts, ranks = point.number("hosts"), point.number("ranks")
        if ranks % hosts:
            raise InvalidInputError(
                f"{self._study.source}: {point.title}: {ranks} ranks cannot be shared evenly by "
                f"{hosts} hosts. Exclude the point."
            )
        return given.model_copy(
            update={
                "nodes": hosts,
                "ranks_per_node": ranks // hosts,
                "threads": point.number("threads"),
                "time": given.time or self._study.file.run.time_limit,
                "name": f"study-{point.name}",
                "environment": {**given.environment, **environment},
            }
        )

    def _folder(self, turn: Turn) -> Path:
        return self._study.folder / JOBS / f"{turn.phase}-{turn.number:03d}-{turn.point}"

    def _over(self, turn: Turn) -> JobView | None:
        """Return the last look at a job that is over."""
        job = self._job(turn)
        if job is None:
            return None
        view = look(job, scheduler_for(job))
        return view if view.phase.over else None

    def _job(self, turn: Turn) -> SubmittedJob | None:
        file = Path(self._journal.jobs[turn].job)
        return KIND.read(file) if file.is_file() else None

    def _ended(self, turn: Turn, point: Point, view: JobView) -> Run:
        job = self._job(turn)
        launch = self._study.launch(point)
        folder = self._folder(turn)
        begin_s, end_s = (_time_of(folder / name) for name in ("begin", "end"))
        code = view.exit_code if view.exit_code is not None else int(view.outcome)
        # Clocks may be set back while a job runs; one that never began has no times.
        wall_s = max(0.0, end_s - begin_s) if begin_s and end_s else 0.0
        ended = Ended(code, wall_s, 0.0, 0, view.phase is Phase.TIMEOUT, stopped=False)
        began = datetime.fromtimestamp(begin_s or time.time(), UTC)
        log = Path(job.log) if job else folder / "none"
        log.touch()
        outcome = Outcome(launch, log, ended, began.isoformat(timespec="milliseconds"))
        run = judged(self._context, turn, point, outcome)
        snapshot = snapshot_folder(self._study, turn.point)
        if run.is_ok and self._records(turn) and snapshot.is_dir():
            self._context.recorder.finish(snapshot, launch, ended, run)
        tidy(self._study, run, launch, folder / "none")
        return run


def _time_of(stamp: Path) -> float:
    try:
        return float(stamp.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return 0.0
