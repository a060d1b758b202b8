# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a job's files and hands its script to the scheduler."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from halocline import __version__
from halocline.errors import HaloclineError, InvalidInputError, RunFailedError, UsageError
from halocline.files.lock import Place, locked
from halocline.files.output_file import write_text
from halocline.submit.job import JobFiles
from halocline.submit.job_file import KIND, SubmittedJob
from halocline.submit.plan import Plan
from halocline.submit.program import write_resolved_case
from halocline.submit.render import header_of, render_array
from halocline.submit.run_status import read_status
from halocline.submit.schedulers.registry import scheduler_of
from halocline.submit.schedulers.scheduler import Phase, Scheduler
from halocline.submit.site_files import read_site
from halocline.submit.view import look
from halocline.terminal import note

ACTIVE = (Phase.PENDING, Phase.RUNNING)
#: Slurm gives a job half a minute (KillWait) to end by itself; some sites more.
CANCEL_PATIENCE_S = 180.0
CANCEL_INTERVAL_S = 0.5


def submit(plan: Plan) -> SubmittedJob:
    """Write the script and submit it; the job file is left beside it."""
    files = plan.job.files
    with _only_writer(files):
        return _submit(plan)


def submit_array(plans: Sequence[Plan], script: Path, at_once: int) -> list[SubmittedJob]:
    """Submit jobs with the same directives as one array, and return them.

    Each has the files of a job of its own: it is looked at, cancelled and submitted again alone.

    Args:
        plans: two at least.
        script: of the array, to be written.
        at_once: how many may run at a time.
    """
    first = plans[0]
    own = header_of(first.script, first.scheduler)
    header = first.scheduler.array_header(own, len(plans), at_once)
    with ExitStack() as held:
        for plan in plans:
            held.enter_context(_only_writer(plan.job.files))
            _write_files(plan)
        scripts = [plan.job.files.script for plan in plans]
        _make_folder(script.parent)
        write_text(script, render_array(header, scripts, first.scheduler, first.site), mode=0o755)
        array_id = first.scheduler.submit(script)
        return [
            _remember(plan, first.scheduler.task_id(array_id, task))
            for task, plan in enumerate(plans, start=1)
        ]


def recalled(plan: Plan) -> SubmittedJob | None:
    """Return a job that has begun but has no job file, which is written now.

    Whoever submitted it was killed before he could; its script notes its number when it begins.
    """
    job_id = read_status(plan.job.files.status).job_id
    return _remember(plan, job_id) if job_id is not None else None


def _submit(plan: Plan) -> SubmittedJob:
    _write_files(plan)
    return _remember(plan, plan.scheduler.submit(plan.job.files.script))


def _write_files(plan: Plan) -> None:
    """Write all that a job reads, and remove what an earlier one has left."""
    files = plan.job.files
    _refuse_active(files.record)
    subject = plan.subject
    if subject.case is not None and subject.case_file is not None:
        _make_folder(plan.job.program.stale[0].parent)
        write_resolved_case(subject.case, subject.case_file, plan.job.shape)
    for old in (files.record, files.status, files.log):
        old.unlink(missing_ok=True)
    for script, text in plan.job.scripts:
        _make_folder(script.parent)
        write_text(script, text, mode=0o755)
    write_text(files.script, plan.script, mode=0o755)  # dsub asks for an executable script


def _remember(plan: Plan, job_id: str) -> SubmittedJob:
    submitted = _describe(plan, job_id)
    KIND.write(submitted, plan.job.files.record)
    return submitted


def scheduler_for(job: SubmittedJob) -> Scheduler:
    """Return the scheduler that a job was given to."""
    return scheduler_of(read_site(Path(job.site_file)).site)


def submit_again(job: SubmittedJob, file: Path) -> SubmittedJob:
    """Hand a job's script over once more; a job that waits or runs is cancelled first.

    Schedulers have commands that put a job back under its number, but refuse them for most jobs:
    Slurm and PBS for those that were not submitted as such, PBS for all users but operators.
    """
    scheduler = scheduler_for(job)
    with locked(Place(file.parent, "submit", job.name, f"the job files of {file}")):
        return _submit_again(job, file, scheduler)


def _submit_again(job: SubmittedJob, file: Path, scheduler: Scheduler) -> SubmittedJob:
    script = Path(job.script)
    if not script.is_file():
        raise InvalidInputError(f"{file}: key 'script': {script} is missing. Submit anew.")
    _end_active(job, scheduler)
    Path(job.status).unlink(missing_ok=True)
    job_id = scheduler.submit(script)
    again = job.changed(job_id=job_id, submitted=_now())
    KIND.write(again, file)
    return again


def _end_active(job: SubmittedJob, scheduler: Scheduler) -> None:
    """Cancel a job that waits or runs, and wait until its files are free."""
    view = look(job, scheduler)
    if view.phase not in ACTIVE:
        return
    note(f"job {view.job_id} is {view.phase}: it is cancelled first")
    scheduler.cancel(view.job_id)
    patience_ends = time.monotonic() + CANCEL_PATIENCE_S
    while view.phase in ACTIVE:
        if time.monotonic() > patience_ends:
            raise RunFailedError(
                f"job {view.job_id} is still {view.phase} {CANCEL_PATIENCE_S:.0f} s after it was "
                "cancelled (two jobs would write the same files). Try again when it is over."
            )
        time.sleep(CANCEL_INTERVAL_S)
        view = look(job, scheduler)


def _make_folder(folder: Path) -> None:
    with _folder_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)


@contextmanager
def _only_writer(files: JobFiles) -> Iterator[None]:
    """Keep others from submitting the same job at the same time."""
    with ExitStack() as held:
        with _folder_errors(files.folder):
            place = Place(files.folder, "submit", files.name, f"the job files of {files.record}")
            held.enter_context(locked(place))
        yield


@contextmanager
def _folder_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InvalidInputError(
            f"cannot write to {folder} ({error.strerror}). Choose another folder: --output."
        ) from None


def _refuse_active(record: Path) -> None:
    """Two jobs that write the same files would spoil each other's results."""
    if not record.is_file():
        return
    try:
        job = KIND.read(record)
        phase = look(job, scheduler_for(job)).phase
    except HaloclineError:  # of another machine or version: nothing we could ask
        return
    if phase in ACTIVE:
        raise UsageError(
            f"halocline submit: job {job.job_id} of {record} is {phase} and writes the same files. "
            f"Wait, cancel it (halocline submit --cancel {record}), or choose another --name."
        )


def _describe(plan: Plan, job_id: str) -> SubmittedJob:
    job = plan.job
    stale = job.program.stale
    return SubmittedJob(
        schema_name="halocline.job",
        schema_version=1,
        code_version=__version__,
        submitted=_now(),
        scheduler=plan.scheduler.name,
        site_file=str(plan.site.path.absolute()),
        job_id=job_id,
        name=job.name,
        script=str(job.files.script),
        log=str(job.files.log),
        status=str(job.files.status),
        record=str(stale[0]) if stale else None,
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
