# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What every scheduler back end offers, and the states of a job."""

from __future__ import annotations

import json
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar

from markupsafe import Markup

from halocline.errors import MissingEnvironmentError, RunFailedError
from halocline.submit.job import Job
from halocline.submit.site import Site

COMMAND_TIMEOUT_S = 120.0


class Phase(StrEnum):
    """Where a job is; `unknown` means that the scheduler has no word on it."""

    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    TIMEOUT = "timeout"
    UNKNOWN = "unknown"

    @property
    def over(self) -> bool:
        """Whether the job will not run any more."""
        return self not in (Phase.PENDING, Phase.RUNNING, Phase.UNKNOWN)


@dataclass(frozen=True)
class QueueState:
    """What the scheduler says about a job."""

    phase: Phase
    raw: str = ""
    reason: str = ""
    hosts: str = ""
    exit_code: int | None = None
    restarts: int = 0


class Scheduler(ABC):
    """One scheduler: directives of scripts, and the commands around them."""

    name: ClassVar[str]
    #: Start of a directive line, e.g. `#SBATCH`.
    mark: ClassVar[str]
    #: Shell variable with the job's number inside the script.
    job_variable: ClassVar[str]
    #: The scheduler itself sends the signal before the time limit.
    sends_notice: ClassVar[bool] = False
    #: The scheduler itself ends a job at its time limit.
    keeps_limit: ClassVar[bool] = True
    #: It can be asked for the state of a job; else the job's own notes must do.
    keeps_states: ClassVar[bool] = True
    #: File with the hosts of the job that mpirun must be given, as shell code.
    hostfile: ClassVar[Markup | None] = None
    #: Program that starts Open MPI on other hosts.
    agent: ClassVar[str | None] = None
    #: Shell variable with the number of a task of an array, from 1; None: it has no arrays.
    task_variable: ClassVar[str | None] = None

    def __init__(self, site: Site) -> None:
        self.site = site

    @property
    def template(self) -> str:
        """Name of the script template."""
        return f"{self.name}.sh.j2"

    def ranks_word(self, job: Job) -> str | Markup:
        """Return the number of ranks as the launch line has it."""
        return str(job.shape.ranks)

    @abstractmethod
    def directives(self, job: Job) -> list[str]:
        """Return the words of every directive, without the mark."""

    @abstractmethod
    def submit(self, script: Path) -> str:
        """Hand a script over; return the job's number. The folder of the script is the job's."""

    def array_header(
        self,
        header: Sequence[str],  # noqa: ARG002 - for those that have arrays
        tasks: int,  # noqa: ARG002
        at_once: int,  # noqa: ARG002
    ) -> list[str]:
        """Return the directives of one job as those of an array of such jobs.

        Args:
            header: lines of the script, with the mark.
            tasks: two at least.
            at_once: of these may run at a time.

        Raises:
            MissingEnvironmentError: the scheduler has no arrays.
        """
        raise self._no_arrays()

    def task_id(self, array_id: str, task: int) -> str:  # noqa: ARG002 - as above
        """Return the number of a task as the scheduler's commands take it.

        Raises:
            MissingEnvironmentError: the scheduler has no arrays.
        """
        raise self._no_arrays()

    def _no_arrays(self) -> MissingEnvironmentError:
        return MissingEnvironmentError(
            f"site {self.site.name}: '{self.name}' has no arrays of jobs that halocline knows of. "
            "Submit them one by one."
        )

    @abstractmethod
    def state(self, job_id: str) -> QueueState:
        """Ask for the state of a job."""

    @abstractmethod
    def cancel(self, job_id: str) -> None:
        """Cancel a job."""


def task_range(tasks: int, at_once: int) -> tuple[str, str]:
    """Return the numbers of tasks, and how many of them run at a time where that is fewer."""
    return f"1-{tasks}", f"%{at_once}" if at_once < tasks else ""


def json_answer(text: str) -> dict[str, Any]:
    """Return a scheduler's answer in JSON; raises ValueError for anything but an object."""
    answer = json.loads(text)
    if not isinstance(answer, dict):
        raise ValueError("no JSON object")
    return answer


def call(
    words: Sequence[str],
    folder: Path | None = None,
    stdin: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> str:
    """Run a scheduler's command and return what it prints; a failure is one sentence."""
    try:
        with (stdin or Path("/dev/null")).open("rb") as source:
            done = subprocess.run(
                words,
                cwd=folder,
                stdin=source,
                env=environment,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=COMMAND_TIMEOUT_S,
                check=False,
            )
    except FileNotFoundError:
        raise MissingEnvironmentError(
            f"'{words[0]}' was not found (this host cannot submit there). "
            "Run this on a login host, or see the script with --dry-run."
        ) from None
    except subprocess.TimeoutExpired:
        raise RunFailedError(
            f"'{words[0]}' gave no answer within {COMMAND_TIMEOUT_S:.0f} s. Try again later."
        ) from None
    if done.returncode != 0:
        said = " ".join(done.stderr.split()) or " ".join(done.stdout.split())
        raise RunFailedError(f"'{words[0]}' refused (code {done.returncode}): {said}")
    return done.stdout
