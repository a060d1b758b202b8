# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""One run of the whole program under a setting: its time, its memory, its results."""

from __future__ import annotations

import math
import os
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from stat import S_ISREG
from typing import IO

from halocline.errors import UsageError
from halocline.launch.limited_run import Command, StopCondition, run_limited
from halocline.printed import NUMBER, alike, number_of

LAST_LINES = 12


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
    peak_bytes: int  # largest resident memory of one process; 0: less than ours, not known
    exit_code: int
    results: list[str] = field(default_factory=list)
    problem: str | None = None
    last_lines: list[str] = field(default_factory=list)

    def last_words(self, most: int) -> str:
        """Return the end of what it printed, so many letters."""
        lines = " / ".join(line.strip() for line in self.last_lines if line.strip())
        return lines[-most:] or "none"


def pattern(text: str, what: str) -> re.Pattern[str]:
    """Compile a regular expression of the user."""
    try:
        return re.compile(text, re.MULTILINE)
    except re.error as error:
        raise UsageError(
            f"{what} {text!r} is not a regular expression ({error}). Correct it."
        ) from None


def run_program(
    command: Sequence[str], environment: Mapping[str, str], reading: Reading, limit_s: float | None
) -> Run:
    """Run a command to its end, or until `limit_s` is over; its output is kept from the screen.

    Standard input is given to every run anew where it is a file.
    """
    with tempfile.TemporaryFile(buffering=0) as output, _input() as given:
        limit = math.inf if limit_s is None else limit_s
        started = Command(command, environment, Path.cwd(), given)
        ended = run_limited(started, output, StopCondition(limit))
        output.seek(0)
        text = output.read().decode(errors="replace")
    run = Run(
        None,
        ended.wall_s,
        ended.peak_rss_bytes,
        ended.code,
        last_lines=text.splitlines()[-LAST_LINES:],
    )
    if ended.timed_out:
        return replace(run, problem="it took too long and was ended")
    return _judged(run, text, reading)


def _input() -> IO[bytes]:
    """The file that the user redirected, from its start; or nothing."""
    try:
        if sys.stdin is not None and S_ISREG(os.fstat(sys.stdin.fileno()).st_mode):
            return Path(f"/proc/self/fd/{sys.stdin.fileno()}").open("rb")
    except (OSError, ValueError):
        pass
    return Path(os.devnull).open("rb")


def _judged(run: Run, text: str, reading: Reading) -> Run:
    """Add what the output of a run says, or what is wrong with it."""
    if run.exit_code != 0:
        return replace(run, problem=f"it ended with code {run.exit_code}")
    results: list[str] = []
    for each in reading.results:
        found = [match[match.re.groups and 1] for match in each.finditer(text)]
        if not found:
            return replace(run, problem=f"its output has nothing like {each.pattern!r}")
        results += found
    run = replace(run, results=results)
    if reading.time is None:
        return replace(run, time_s=run.wall_s)
    seconds = printed_time(text, reading.time)
    if seconds is None:
        return replace(run, problem=f"it printed no time like {reading.time.pattern!r}")
    return replace(run, time_s=seconds)


def printed_time(text: str, wanted: re.Pattern[str]) -> float | None:
    """Return the seconds of the last match: its first group, or the first number in it."""
    last = None
    for match in wanted.finditer(text):
        last = match
    if last is None:
        return None
    number = NUMBER.search(last[1] if last.re.groups else last[0])
    seconds = number_of(number[0]) if number else 0.0
    return seconds if 0.0 < seconds < math.inf else None


def same_results(first: Run, other: Run, tolerance: float) -> bool:
    """Say whether two runs printed the same: text alike, numbers within the tolerance."""
    if len(first.results) != len(other.results):
        return False
    pairs = zip(first.results, other.results, strict=True)
    return all(alike(one, two, relative=tolerance) for one, two in pairs)
