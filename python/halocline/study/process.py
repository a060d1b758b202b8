# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs one command to its end or its time limit, and leaves no process of it behind.

A command gets a session of its own. Launchers put ranks into process groups of theirs, but none
leaves the session; so what belongs to a run is known, even after its parent has died, and all of
it is ended with the run. The kernel tells how much memory the largest process of it had.
"""

from __future__ import annotations

import contextlib
import os
import resource
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from halocline.errors import MissingEnvironmentError
from halocline.files.output_file import open_log
from halocline.launch.process import ending_with_us

GRACE_S = 3.0
LOOK_S = 1.0
MARK = "HALOCLINE_STUDY_RUN"
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
            _signal_session(session, signal.SIGTERM)

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self.asked = number
        if self._session is not None:
            _signal_session(self._session, signal.SIGTERM)


@dataclass(frozen=True)
class Command:
    """What to run: words, environment beside ours, folder, log, limit."""

    words: Sequence[str]
    environment: Mapping[str, str]
    folder: Path
    log: Path
    limit_s: float


def run_limited(command: Command, stop: Stop, started: Callable[[int], None]) -> Ended:
    """Run a command; `started` is told its process number, which is that of its session.

    Raises:
        MissingEnvironmentError: it cannot be started.
    """
    ending = ending_with_us()
    environment = {**os.environ, **command.environment}
    own_rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    with open_log(command.log) as log:
        try:
            process = subprocess.Popen(
                command.words,
                env=environment,
                cwd=command.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=ending,  # noqa: PLW1509 - calls the kernel, touches nothing of Python's
            )
        except OSError as error:
            raise MissingEnvironmentError(
                f"cannot start {command.words[0]} ({error.strerror}). Check that it is installed."
            ) from None
    started(process.pid)
    stop.watch(process.pid)
    try:
        timed_out = _wait(process.pid, start + command.limit_s, stop)
        _, status, usage = os.wait4(process.pid, 0)
    finally:
        wall_s = time.perf_counter() - start
        stop.watch(None)
        end_session(process.pid)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Ended(
        process.returncode,
        wall_s,
        usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss * 1024 if usage.ru_maxrss > own_rss else 0,
        timed_out,
        stop.asked is not None,
    )


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
        _signal_session(pid, signal.SIGTERM)
        while not poll.poll(1000 * GRACE_S):
            _signal_session(pid, signal.SIGKILL)
        return timed_out
    finally:
        os.close(file)


def end_session(session: int) -> None:
    """End what a run has left: ranks whose launcher died, background processes."""
    left = session_members(session)
    if not left:
        return
    deadline = time.perf_counter() + GRACE_S
    _signal_session(session, signal.SIGTERM)
    while left and time.perf_counter() < deadline:
        time.sleep(0.01)
        left = session_members(session)
    if left:
        _signal_session(session, signal.SIGKILL)


def end_orphans(session: int, mark: str) -> int:
    """End what a run of a killed driver has left; return how many processes that were.

    A session's number is given to another once the session is empty: the mark tells them apart.
    """
    ours = [pid for pid in session_members(session) if _is_marked(pid, mark)]
    if ours:
        end_session(session)
    return len(ours)


def _is_marked(pid: int, mark: str) -> bool:
    try:
        return f"{MARK}={mark}".encode() in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return False


def session_members(session: int) -> list[int]:
    """Return the processes of a session that are not dead."""
    found = []
    for entry in os.scandir("/proc"):
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError, ValueError, IndexError):
            stat = Path(entry.path, "stat").read_bytes().rpartition(b")")[2].split()
            if int(stat[3]) == session and stat[0] not in (b"Z", b"X"):
                found.append(int(entry.name))
    return found


def _signal_session(session: int, number: int) -> None:
    for pid in session_members(session):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)
