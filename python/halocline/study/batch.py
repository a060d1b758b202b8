# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes runs of a study as batch jobs, one job a run, several at a time where that is asked for.

The job's script notes the time right before and after the launch line, on the first host: waiting
in a queue is no run time. A driver that is stopped or killed leaves its jobs where they are; the
next one waits for them. One that is killed right after a submission, before it could write the
job's number down, leaves a job that may have begun: then its notes tell the number. One that still
waits in a queue finds its folder removed later on, and ends before it runs anything.
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
from halocline.study.schedule import TRIAL, Turns
from halocline.submit.job import Program, Shape
from halocline.submit.job_file import KIND, SubmittedJob
from halocline.submit.plan import Plan, Subject, plan_job
from halocline.submit.render import header_of
from halocline.submit.schedulers.scheduler import Phase
from halocline.submit.submission import recalled, scheduler_for, submit, submit_array
from halocline.submit.view import JobView, look

JOBS, ARRAYS = "jobs", "arrays"
#: Of one array: what Slurm and LSF allow by default.
MOST_TASKS = 1000
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
        if self._study.file.run.arrays:
            self._refuse_lack_of_arrays()

    def run(self, turns: Iterable[tuple[Turn, Point]]) -> Iterator[Run]:
        """Yield the runs of turns as their jobs end; those under way stay when the user stops."""
        stop, run = self._context.stop, self._study.file.run
        waiting: dict[Turn, Point] = {}
        source = iter(turns)
        pause_s = SHORTEST_S
        while stop.asked is None:
            room = run.jobs - len(waiting)
            if run.arrays:  # the scheduler keeps to run.jobs itself
                room = MOST_TASKS if not waiting else 0
            taken = list(itertools.islice(source, room))
            self._submit([of for of in taken if not self._has_job(*of)])
            waiting |= dict(taken)
            if not waiting:
                return
            ended = [(turn, view) for turn in waiting if (view := self._over(turn)) is not None]
            for turn, view in ended:
                yield self._ended(turn, waiting.pop(turn), view)
            pause_s = SHORTEST_S if ended else min(2 * pause_s, LONGEST_S)
            if not ended:
                stop.sleep(pause_s)

    def _refuse_lack_of_arrays(self) -> None:
        """Before any run: plans of jobs cost nothing."""
        point = self._study.bases[0]
        turn = Turn(TRIAL, 0, point.name)
        scheduler = self._plan(turn, point, self._folder(turn)).scheduler
        if scheduler.task_variable is None:
            raise InvalidInputError(
                f"{self._study.source}: key 'run.arrays' is true, but halocline knows of no arrays "
                f"of jobs of '{scheduler.name}'. Leave it out: each run is a job then, run.jobs of "
                "them at a time."
            )

    def _submit(self, turns: Turns) -> None:
        """Submit runs, those on equal resources together where arrays are asked for."""
        plans = []
        for turn, point in turns:
            plan = self._plan(turn, point, self._prepare(turn, point))
            self._journal.begin(turn, 0, "", str(plan.job.files.record))
            if self._study.file.run.arrays:
                plans.append(plan)
            else:
                submit(plan)
        for number, alike in enumerate(_alike(plans)):
            if len(alike) == 1:
                submit(alike[0])
            else:
                name = f"{alike[0].job.name}-{number}"
                script = self._study.folder / JOBS / ARRAYS / f"{name}.array.sh"
                submit_array(alike, script, self._study.file.run.jobs)

    def _has_job(self, turn: Turn, point: Point) -> bool:
        """Whether an earlier driver has submitted this run."""
        if self._job(turn) is not None:
            return True
        begun = turn in self._journal.jobs
        return begun and recalled(self._plan(turn, point, self._folder(turn))) is not None

    def _prepare(self, turn: Turn, point: Point) -> Path:
        """Return the folder for a job's files, which no job had that was submitted and lost."""
        launch = self._study.launch(point)
        prepare_folder(replace(launch, mesh=None))  # the job makes a mesh that is missing
        folder = self._folder(turn)
        shutil.rmtree(folder, ignore_errors=True)
        if turn in self._journal.jobs:
            folder = folder.with_name(f"{folder.name}-again")
        folder.mkdir(parents=True)
        if self._records(turn) and find_program(RECORDER) is not None:
            ranks = snapshot_folder(self._study, turn.point) / "ranks"
            shutil.rmtree(ranks, ignore_errors=True)
            ranks.mkdir(parents=True)
        return folder

    def _plan(self, turn: Turn, point: Point, folder: Path) -> Plan:
        """Return the job of a run; looks, changes nothing."""
        subject, environment = self._subject(turn, self._study.launch(point), folder)
        return plan_job(subject, self._options(turn, point, environment), folder)

    def _subject(
        self, turn: Turn, launch: Launch, stamps: Path
    ) -> tuple[TimedSubject, dict[str, str]]:
        """Return what the job runs, and its environment, with the recorder where one is wanted."""
        environment = dict(launch.command.environment)
        recorder = find_program(RECORDER) if self._records(turn) else None
        if recorder is not None:
            ranks = snapshot_folder(self._study, turn.point) / "ranks"
            environment["HALOCLINE_SNAPSHOT_DIR"] = str(ranks)
        subject = TimedSubject(
            launch.command.folder,
            stamps=stamps,
            recorder=str(recorder) if recorder else None,
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

    def _options(self, turn: Turn, point: Point, environment: dict[str, str]) -> SubmitSection:
        given = self._study.file.submit or SubmitSection()
        hosts, ranks = point.number("hosts"), point.number("ranks")
        if ranks % hosts:
            raise InvalidInputError(
                f"{self._study.source}: {point.title}: {ranks} ranks cannot be shared evenly by "
                f"{hosts} hosts. Exclude the point."
            )
        # Tasks of an array have one name.
        name = f"{turn.phase}-{turn.number:03d}" if self._study.file.run.arrays else point.name
        return given.model_copy(
            update={
                "nodes": hosts,
                "ranks_per_node": ranks // hosts,
                "threads": point.number("threads"),
                "time": given.time or self._study.file.run.time_limit,
                "name": f"study-{name}",
                "environment": {**given.environment, **environment},
            }
        )

    def _folder(self, turn: Turn) -> Path:
        """Return where the files of a run's job are, or where those of its first one will be."""
        begun = self._journal.jobs.get(turn)
        if begun is not None:
            return Path(begun.job).parent
        return self._study.folder / JOBS / f"{turn.phase}-{turn.number:03d}-{turn.point}"

    def _over(self, turn: Turn) -> JobView | None:
        """Return the last look at a job that is over."""
        job = self._job(turn)
        if job is None:
            return None
        view = look(job, scheduler_for(job))
        return view if view.phase.over else None

    def _job(self, turn: Turn) -> SubmittedJob | None:
        """Return the job of a run, or None where there is none yet."""
        begun = self._journal.jobs.get(turn)
        if begun is None or not Path(begun.job).is_file():
            return None
        return KIND.read(Path(begun.job))

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


def _alike(plans: Iterable[Plan]) -> list[list[Plan]]:
    """Return plans in groups whose scripts ask for the same."""
    groups: dict[tuple[str, ...], list[Plan]] = {}
    for plan in plans:
        groups.setdefault(header_of(plan.script, plan.scheduler), []).append(plan)
    return list(groups.values())


def _time_of(stamp: Path) -> float:
    try:
        return float(stamp.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return 0.0
