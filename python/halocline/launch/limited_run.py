# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs one command to its end or its time limit, and leaves no process of it behind.

A command gets a session of its own: so what belongs to a run is known, even after its parent has
died, and all of it is ended with the run. The kernel tells how much memory the largest process of
it had.
"""

from __future__ import annotations

import contextlib
import math
import os
import resource
import select
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import IO

from halocline.errors import MissingEnvironmentError
from halocline.launch.process import ending_with_us
from halocline.launch.session import GRACE_S, end_session, signal_session

LOOK_S = 1.0
STOPPING = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)


@dataclass(frozen=True)
class Ended:
    """How a command ended; `code` is negative where a signal ended it.

    `peak_rss_bytes` is that of its largest process; 0 where it was smaller than this process: the
    kernel counts what a process was before it became the command, and cannot tell.
    """

    code: int
    wall_s: float
    cpu_s: float
    peak_rss_bytes: int
    timed_out: bool
    stopped: bool


class Stop:
    """Remembers that the user wants to stop, and ends what runs then."""

    def __init__(self) -> None:
        self.asked: int | None = None
        self._session: int | None = None

    @contextlib.contextmanager
    def heeded(self) -> Iterator[Stop]:
        """Take signals that end us; what we were told to ignore stays ignored."""
        heeded = [number for number in STOPPING if signal.getsignal(number) != signal.SIG_IGN]
        previous = {number: signal.signal(number, self._note) for number in heeded}
        try:
            yield self
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler)

    def watch(self, session: int | None) -> None:
        """Say which session is to be ended, or that none runs."""
        self._session = session
        if session is not None and self.asked is not None:
            signal_session(session, signal.SIGTERM)

    def sleep(self, seconds: float) -> None:
        """Sleep so long, or until the user wants to stop."""
        deadline = time.monotonic() + seconds
        while self.asked is None and (left := deadline - time.monotonic()) > 0.0:
            time.sleep(min(left, LOOK_S))

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self.asked = number
        if self._session is not None:
            signal_session(self._session, signal.SIGTERM)


@dataclass(frozen=True)
class Command:
    """What to run: words, environment beside ours, folder, standard input."""

    words: Sequence[str]
    environment: Mapping[str, str]
    folder: Path
    input: IO[bytes] | int = subprocess.DEVNULL

    @property
    def line(self) -> str:
        """The command as one could type it."""
        variables = [f"{name}={shlex.quote(value)}" for name, value in self.environment.items()]
        return " ".join([*variables, shlex.join(self.words)])


@dataclass(frozen=True)
class StopCondition:
    """What ends a command early: a time limit (s), a user who wants to stop."""

    limit_s: float = math.inf
    stop: Stop = field(default_factory=Stop)


def run_limited(
    command: Command,
    output: IO[bytes],
    until: StopCondition,
    started: Callable[[int], None] = lambda _pid: None,
) -> Ended:
    """Run a command to its end.

    Args:
        command: what to run.
        output: where all that it prints goes.
        until: what ends it early.
        started: called with its process number, which is that of its session.

    Raises:
        MissingEnvironmentError: it cannot be started.
    """
    stop = until.stop
    own_rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    process = _start(command, output)
    try:
        started(process.pid)
        stop.watch(process.pid)
        timed_out = _wait(process.pid, start + until.limit_s, stop)
    finally:
        wall_s = time.perf_counter() - start
        stop.watch(None)
        end_session(process.pid)  # before it is waited for: nobody else can have its number yet
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Ended(
        process.returncode,
        wall_s,
        usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss * 1024 if usage.ru_maxrss > own_rss else 0,
        timed_out,
        stop.asked is not None,
    )


def _start(command: Command, output: IO[bytes]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            command.words,
            env={**os.environ, **command.environment},
            cwd=command.folder,
            stdin=command.input,
            stdout=output,
            stderr=output,
            start_new_session=True,
            preexec_fn=ending_with_us(),  # noqa: PLW1509 - calls the kernel, touches nothing of Python's
        )
    except OSError as error:
        raise MissingEnvironmentError(
            f"cannot start {command.words[0]} ({error.strerror}). Check that it is installed."
        ) from None


def _wait(pid: int, deadline: float, stop: Stop) -> bool:
    """Wait for the end of a process, however it comes; return whether the limit ended it."""
    file = os.pidfd_open(pid)
    try:
        poll = select.poll()
        poll.register(file, select.POLLIN)
        while stop.asked is None:
            left_s = deadline - time.perf_counter()
            if poll.poll(1000 * max(0.0, min(left_s, LOOK_S))):
                return False
            if left_s <= 0.0:
                break
        timed_out = stop.asked is None
        signal_session(pid, signal.SIGTERM)
        while not poll.poll(1000 * GRACE_S):
            signal_session(pid, signal.SIGKILL)
        return timed_out
    finally:
        os.close(file)
