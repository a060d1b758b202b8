# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""A job with everything decided: what runs, on what, for how long, in which folders."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from halocline.submit.site import Site


@dataclass(frozen=True)
class Program:
    """What a job runs."""

    title: str  # one line
    words: tuple[str, ...]
    work_folder: Path
    mpi_family: str | None = None
    #: Steps on the first host before and after the run; a failing `prepare` stops the job.
    prepare: tuple[tuple[str, ...], ...] = ()
    complete: tuple[tuple[str, ...], ...] = ()
    #: Draws the pictures of a run that is complete; empty: there are none, or hosts would wait.
    draw: tuple[str, ...] = ()
    #: Removed before the run, so that results of an earlier one do not pass for this one's.
    stale: tuple[Path, ...] = ()
    #: It is known to save and stop on a signal, and to say so with exit code 75.
    stops_on_signal: bool = False
    #: Words with which another attempt goes on from what the one before has saved.
    resume_words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Shape:
    """Hosts, ranks, threads and GPUs."""

    nodes: int
    ranks_per_node: int
    threads: int
    gpus_per_node: int

    @property
    def ranks(self) -> int:
        """Ranks on all hosts."""
        return self.nodes * self.ranks_per_node

    @property
    def cores_per_node(self) -> int:
        """Cores taken on each host."""
        return self.ranks_per_node * self.threads


@dataclass(frozen=True)
class Timing:
    """Time limit and the signal before it."""

    limit_s: int | None = None
    notice_s: int | None = None
    signal: str = "USR1"
    requeue: int = 0


@dataclass(frozen=True)
class Surroundings:
    """Modules, variables and the user's own shell lines."""

    module_paths: tuple[str, ...] = ()
    module_purge: bool = False
    modules: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


@dataclass(frozen=True)
class JobFiles:
    """Files of a job; they lie together in one folder."""

    folder: Path
    name: str

    @property
    def script(self) -> Path:
        """The script that the scheduler runs."""
        return self.folder / f"{self.name}.job.sh"

    @property
    def log(self) -> Path:
        """What the run prints."""
        return self.folder / f"{self.name}.job.log"

    @property
    def status(self) -> Path:
        """What the script notes about itself."""
        return self.folder / f"{self.name}.job.status"

    @property
    def record(self) -> Path:
        """What was submitted, for later questions."""
        return self.folder / f"{self.name}.job.json"


def scheduler_log(script: Path) -> Path:
    """Return the file for what the scheduler itself prints about a script."""
    return script.with_suffix(".scheduler.log")


@dataclass(frozen=True)
class Job:
    """A job that can be written and submitted."""

    name: str
    site: Site
    program: Program
    shape: Shape
    timing: Timing
    surroundings: Surroundings
    files: JobFiles
    launcher: str
    launcher_args: tuple[str, ...] = ()
    memory_mib: int | None = None
    account: str | None = None
    queue: str | None = None
    exclusive: bool = False
    #: Further scripts that the job runs, written when it is submitted.
    scripts: tuple[tuple[Path, str], ...] = ()
    directives: tuple[str, ...] = ()
