# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""This host as a scheduler: the script runs at once, in the background."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from pathlib import Path

from halocline.errors import RunFailedError
from halocline.files.output_file import open_log
from halocline.submit.job import Job, scheduler_log
from halocline.submit.schedulers.scheduler import Phase, QueueState, Scheduler


class Local(Scheduler):
    """A job's number is the process number of its script, in a session of its own."""

    name = "local"
    mark = "#"
    job_variable = "BASHPID"
    keeps_states = False
    keeps_limit = False

    def directives(self, job: Job) -> list[str]:  # noqa: ARG002 - nobody reads any
        """Return none."""
        return []

    def submit(self, script: Path) -> str:
        """Start the script, detached from this terminal."""
        with open_log(scheduler_log(script)) as log:
            process = subprocess.Popen(
                ["/bin/bash", f"./{script.name}"],
                cwd=script.parent,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        return str(process.pid)

    def state(self, job_id: str) -> QueueState:
        """Say whether the process lives; how it ended stands in its notes."""
        alive = _is_script(_process(job_id))
        host = os.uname().nodename
        return QueueState(Phase.RUNNING, hosts=host) if alive else QueueState(Phase.UNKNOWN)

    def cancel(self, job_id: str) -> None:
        """Ask the script to end; it passes that on to the run."""
        if not _is_script(_process(job_id)):
            raise RunFailedError(f"local job {job_id} does not run (any more).")
        os.kill(_process(job_id), signal.SIGTERM)


def _process(job_id: str) -> int:
    """Return the number of a process; 0, which is none, for what a job file cannot have."""
    return int(job_id) if re.fullmatch(r"[0-9]{1,9}", job_id) else 0


def _is_script(pid: int) -> bool:
    """Whether the process is a job script of ours, and not an ended one nobody waited for."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    if state.rpartition(")")[2].split()[:1] == ["Z"]:
        return False
    just_starting = words == [b""]
    return just_starting or any(word.endswith(b".job.sh") for word in words)
