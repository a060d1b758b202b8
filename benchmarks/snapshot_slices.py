# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs two MPI jobs on the same cores in short slices, one at a time, and counts their CPU time.

Neighbours of a virtual machine speed its cores up and down by tens of percent within seconds, which
no order of whole runs evens out. Here the ranks of one job are stopped while those of the other run
for a twentieth of a second, so both meet the same weather. A rank that computes or polls uses its
core all the time, so the CPU time of a job is the time that it would have taken by itself.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from halocline.errors import RunFailedError

SLICE_S = 0.05
START_LIMIT_S = 120.0


@dataclass(frozen=True)
class LaunchLine:
    """How a job is started, in a folder of its own: programs write files of fixed names."""

    words: Sequence[str]
    folder: Path
    more: Mapping[str, str] = field(default_factory=dict)  # beside our environment

    @property
    def environment(self) -> dict[str, str]:
        """All variables of the job."""
        return {**os.environ, **self.more}


@dataclass
class Job:
    """A launcher that was started, and its ranks."""

    launcher: int
    output: IO[str]
    ranks: list[int]
    cpu_s: float | None = None  # known when it has ended

    def send(self, what: signal.Signals) -> None:
        """To all ranks that are still there."""
        for rank in self.ranks:
            try:
                os.kill(rank, what)
            except ProcessLookupError:
                continue

    def look(self, wait: bool = False) -> None:
        """Note the CPU time of launcher and ranks when they have ended."""
        pid, status, used = os.wait4(self.launcher, 0 if wait else os.WNOHANG)
        if pid == 0:
            return
        self.cpu_s = used.ru_utime + used.ru_stime
        code = os.waitstatus_to_exitcode(status)
        if code != 0:
            raise RunFailedError(f"a job ended with code {code}: {self.said()[-600:]}")

    def said(self) -> str:
        """Return what it has printed."""
        self.output.seek(0)
        return self.output.read()


def run_in_slices(lines: Sequence[LaunchLine], ranks: int) -> list[tuple[float, str]]:
    """Run launch lines of `ranks` ranks each; return the CPU time and the output of each."""
    jobs: list[Job] = []
    try:
        for line in lines:
            jobs.append(_start(line, ranks))
            jobs[-1].send(signal.SIGSTOP)
        while any(job.cpu_s is None for job in jobs):
            for job in jobs:
                if job.cpu_s is None:
                    job.send(signal.SIGCONT)
                    time.sleep(SLICE_S)
                    job.send(signal.SIGSTOP)
                    job.look()
        return [(job.cpu_s or 0.0, job.said()) for job in jobs]
    finally:
        for job in jobs:
            if job.cpu_s is None:
                job.send(signal.SIGKILL)
            job.output.close()


def _start(line: LaunchLine, ranks: int) -> Job:
    """Start a launch line and wait for its ranks, which have hardly begun then."""
    output = tempfile.TemporaryFile("w+")  # noqa: SIM115 (closed by run_in_slices)
    process = subprocess.Popen(
        list(line.words),
        cwd=line.folder,
        env=line.environment,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
    )
    job = Job(process.pid, output, [])
    limit = time.monotonic() + START_LIMIT_S
    while len(job.ranks) < ranks:
        job.look()
        if job.cpu_s is not None or time.monotonic() > limit:
            raise RunFailedError(
                f"{line.words[0]} has started no {ranks} ranks: {job.said()[-600:]}"
            )
        time.sleep(0.001)
        job.ranks = _children(process.pid)
    process.returncode = 0  # waited for by look()
    return job


def _children(parent: int) -> list[int]:
    found = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = file.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended in between
        if int(after_name[1]) == parent:
            found.append(int(file.parent.name))
    return found
