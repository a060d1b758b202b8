# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""A job as it is now: the scheduler's word, the script's own notes and the run's progress."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from halocline.errors import ExitCode
from halocline.launch.process import table_exit_code
from halocline.submit.job_file import SubmittedJob
from halocline.submit.run_status import Progress, RunStatus, read_progress, read_status
from halocline.submit.schedulers.scheduler import Phase, QueueState, Scheduler

#: A busy scheduler may fail to answer for a while; a forgotten job stays forgotten.
PATIENCE_S = 60.0


@dataclass(frozen=True)
class JobView:
    """What is known about a job at one moment."""

    job_id: str
    phase: Phase
    reason: str
    hosts: str
    attempt: int
    exit_code: int | None
    progress: Progress | None

    def as_json(self) -> dict[str, Any]:
        """Plain data for `--json`."""
        done = self.progress
        return {
            "job_id": self.job_id,
            "state": str(self.phase),
            "reason": self.reason,
            "hosts": self.hosts,
            "attempt": self.attempt,
            "exit_code": self.exit_code,
            "cycles_done": done.done if done else None,
            "cycles_total": done.total if done else None,
        }

    @property
    def outcome(self) -> ExitCode:
        """Return the exit code that stands for the end of the job."""
        if self.phase is Phase.COMPLETED and self.exit_code in (0, None):
            return ExitCode.OK
        if self.phase is Phase.FAILED and self.exit_code is not None:
            return ExitCode(table_exit_code(self.exit_code) or ExitCode.RUN_FAILED)
        return ExitCode.RUN_FAILED


def look(job: SubmittedJob, scheduler: Scheduler) -> JobView:
    """Look at a job once."""
    job_id = read_status(Path(job.status)).job_id or job.job_id
    queue = scheduler.state(job_id)
    status = read_status(Path(job.status))  # again: a job may have ended between the two looks
    phase = queue.phase if queue.phase is not Phase.UNKNOWN else _phase_by_notes(status, scheduler)
    if queue.phase.over and status.state == "requeued" and status.job_id != job_id:
        phase = Phase.PENDING  # the script has submitted itself again
    return JobView(
        job_id=status.job_id or job_id,
        phase=phase,
        reason=queue.reason,
        hosts=queue.hosts or _host(status),
        attempt=status.attempt,
        exit_code=_exit_code(status, queue) if phase.over else None,
        progress=read_progress(Path(job.log)) if status.notes else None,
    )


def follow(job: SubmittedJob, scheduler: Scheduler, interval_s: float) -> Iterator[JobView]:
    """Look again and again until the job is over, or nobody knows of it for too long."""
    known_s = time.monotonic()
    while True:
        view = look(job, scheduler)
        yield view
        if view.phase is not Phase.UNKNOWN:
            known_s = time.monotonic()
        if view.phase.over or time.monotonic() - known_s > PATIENCE_S:
            return
        time.sleep(interval_s)


def _phase_by_notes(status: RunStatus, scheduler: Scheduler) -> Phase:
    """What the notes say when the scheduler says nothing."""
    code = status.exit_code
    if code is not None:
        return Phase.COMPLETED if code == 0 else _failed_phase(status)
    if scheduler.keeps_states:
        return Phase.UNKNOWN
    if scheduler.name == "local":  # the process is gone and has left no last note
        return Phase.FAILED
    return Phase.PENDING if status.state in ("", "requeued") else Phase.RUNNING


def _failed_phase(status: RunStatus) -> Phase:
    noted = {(note.state, note.detail) for note in status.notes}
    if any(state == "limit" for state, _ in noted):
        return Phase.TIMEOUT
    return Phase.CANCELLED if ("signal", "TERM") in noted else Phase.FAILED


def _exit_code(status: RunStatus, queue: QueueState) -> int | None:
    return status.exit_code if status.exit_code is not None else queue.exit_code


def _host(status: RunStatus) -> str:
    return next((note.detail for note in reversed(status.notes) if note.state == "started"), "")


def same_look(one: JobView, other: JobView | None) -> bool:
    """Whether a line of text would say the same about both, progress aside."""
    return other is not None and replace(one, progress=None) == replace(other, progress=None)
