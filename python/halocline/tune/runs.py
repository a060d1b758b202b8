# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""One run of the whole program under a setting: its time, its memory, its results."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from stat import S_ISREG
from typing import IO, Any

from halocline.errors import MissingEnvironmentError, UsageError
from halocline.launch.process import ending_with_us

LAST_LINES = 12
KIBIBYTE = 1024
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][-+]?\d+)?")
GRACE_S = 5.0


@dataclass(frozen=True)
class Reading:
    """What is read from a run: the time, and what must be the same in all runs."""

    time: re.Pattern[str] | None = None
    results: tuple[re.Pattern[str], ...] = ()
    tolerance: float = 0.0


@dataclass(frozen=True)
class Run:
    """A run that has ended. `time_s` is None where it failed or printed no time."""

    time_s: float | None
    wall_s: float
    peak_bytes: int  # largest resident memory of one process
    exit_code: int
    results: list[str] = field(default_factory=list)
    problem: str | None = None
    last_lines: list[str] = field(default_factory=list)

    def plain(self) -> dict[str, Any]:
        """Return JSON data."""
        return dict(self.__dict__)


def pattern(text: str, what: str) -> re.Pattern[str]:
    """Compile a regular expression of the user."""
    try:
        return re.compile(text, re.MULTILINE)
    except re.error as error:
        raise UsageError(
            f"{what} {text!r} is no regular expression ({error}). Correct it."
        ) from None


def run_program(
    command: Sequence[str], environment: Mapping[str, str], reading: Reading, limit_s: float | None
) -> Run:
    """Run a command to its end, or until `limit_s` is over; its output is kept from the screen.

    Standard input is given to every run anew where it is a file.
    """
    with tempfile.TemporaryFile() as output, _input() as given:
        start = time.perf_counter()
        process = _start(command, environment, output, given)
        timer = _Timer(process, limit_s)
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except KeyboardInterrupt:
            process.terminate()
            raise
        finally:
            timer.cancel()
        wall_s = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode(errors="replace")
    peak = usage.ru_maxrss * KIBIBYTE
    return _judged(Run(None, wall_s, peak, process.returncode), text, reading, timer.expired)


def _start(
    command: Sequence[str], environment: Mapping[str, str], output: IO[bytes], given: IO[bytes]
) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            command,
            env={**os.environ, **environment},
            stdin=given,
            stdout=output,
            stderr=subprocess.STDOUT,
            preexec_fn=ending_with_us(),  # noqa: PLW1509 - calls the kernel, touches nothing of Python's
        )
    except OSError as error:
        raise MissingEnvironmentError(
            f"cannot start {command[0]} ({error.strerror}). Check that it is installed."
        ) from None


class _Timer:
    """Ends a process that takes too long: SIGTERM lets a launcher take its ranks along."""

    def __init__(self, process: subprocess.Popen[bytes], limit_s: float | None) -> None:
        self.expired = False
        self._process = process
        self._timers: list[threading.Timer] = []
        if limit_s is not None:
            self._later(limit_s, signal.SIGTERM)
            self._later(limit_s + GRACE_S, signal.SIGKILL)

    def _later(self, after_s: float, number: int) -> None:
        timer = threading.Timer(after_s, self._end, (number,))
        timer.daemon = True
        timer.start()
        self._timers.append(timer)

    def _end(self, number: int) -> None:
        self.expired = True
        if self._process.returncode is None:
            os.kill(self._process.pid, number)

    def cancel(self) -> None:
        for timer in self._timers:
            timer.cancel()


def _input() -> IO[bytes]:
    """The file that the user redirected, from its start; or nothing."""
    try:
        if sys.stdin is not None and S_ISREG(os.fstat(sys.stdin.fileno()).st_mode):
            return Path(f"/proc/self/fd/{sys.stdin.fileno()}").open("rb")
    except (OSError, ValueError):
        pass
    return Path(os.devnull).open("rb")


def _judged(run: Run, text: str, reading: Reading, expired: bool) -> Run:
    values = dict(run.__dict__)
    values["last_lines"] = text.splitlines()[-LAST_LINES:]
    if expired:
        return Run(**{**values, "problem": "it took too long and was ended"})
    if run.exit_code != 0:
        return Run(**{**values, "problem": f"it ended with code {run.exit_code}"})
    for each in reading.results:
        found = [match[match.re.groups and 1] for match in each.finditer(text)]
        if not found:
            return Run(**{**values, "problem": f"its output has nothing like {each.pattern!r}"})
        values["results"] = [*values["results"], *found]
    if reading.time is None:
        return Run(**{**values, "time_s": run.wall_s})
    seconds = printed_time(text, reading.time)
    if seconds is None:
        return Run(**{**values, "problem": f"it printed no time like {reading.time.pattern!r}"})
    return Run(**{**values, "time_s": seconds})


def printed_time(text: str, wanted: re.Pattern[str]) -> float | None:
    """Return the seconds of the last match: its first group, or the first number in it."""
    last = None
    for match in wanted.finditer(text):
        last = match
    if last is None:
        return None
    number = NUMBER.search(last[1] if last.re.groups else last[0])
    seconds = float(number[0].replace("D", "e").replace("d", "e")) if number else 0.0
    return seconds if seconds > 0 else None


def same_results(first: Run, other: Run, tolerance: float) -> bool:
    """Say whether two runs printed the same: text alike, numbers within the tolerance."""
    if len(first.results) != len(other.results):
        return False
    pairs = zip(first.results, other.results, strict=True)
    return all(one == two or _near(one, two, tolerance) for one, two in pairs)


def _near(one: str, two: str, tolerance: float) -> bool:
    numbers, others = NUMBER.findall(one), NUMBER.findall(two)
    if tolerance <= 0 or len(numbers) != len(others) or NUMBER.sub("", one) != NUMBER.sub("", two):
        return False
    pairs = zip(map(_number, numbers), map(_number, others), strict=True)
    return all(abs(a - b) <= tolerance * max(abs(a), abs(b)) for a, b in pairs)


def _number(text: str) -> float:
    return float(text.replace("D", "e").replace("d", "e"))
