# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads what a job script notes about itself, and how far its run has come."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

TAIL_BYTES = 8192
CYCLE = re.compile(r"cycle\s+(\d+)\s*/\s*(\d+)")
#: The line by which the script opens an attempt; it ends in a title, which may be a whole command.
OPENING = re.compile(r"^halocline: job .*$", re.MULTILINE)


@dataclass(frozen=True)
class Note:
    """One line of the status file."""

    time_s: int
    job_id: str
    state: str
    detail: str


@dataclass(frozen=True)
class Progress:
    """Cycles done, of how many."""

    done: int
    total: int


@dataclass(frozen=True)
class RunStatus:
    """What the script has noted so far."""

    notes: tuple[Note, ...] = ()

    @property
    def _last(self) -> Note | None:
        """The last note on how a run goes; a new job's number may come after that job's notes."""
        return next((note for note in reversed(self.notes) if note.state != "resubmitted"), None)

    @property
    def state(self) -> str:
        """The last thing noted; empty before the script has started."""
        return self._last.state if self._last is not None else ""

    @property
    def attempt(self) -> int:
        """Which attempt runs or has run."""
        return max(1, sum(note.state == "started" for note in self.notes))

    @property
    def exit_code(self) -> int | None:
        """Exit code of the script, when it has ended for good."""
        last = self._last
        if last is None or last.state != "finished" or not last.detail.isdigit():
            return None
        return int(last.detail)

    @property
    def job_id(self) -> str | None:
        """Number of the job that goes on, when the script submitted itself again."""
        newest = self.notes[-1] if self.notes else None
        if newest is not None and newest.state == "resubmitted" and self.state == "requeued":
            return newest.detail
        return self._last.job_id if self._last is not None else None


def read_status(path: Path) -> RunStatus:
    """Read a status file; a line that is being written just now is left for later."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return RunStatus()
    complete = text[: text.rfind("\n") + 1]
    notes = (_read_note(line) for line in complete.splitlines())
    return RunStatus(tuple(note for note in notes if note is not None))


def _read_note(line: str) -> Note | None:
    fields = line.split(" ", 3)
    if len(fields) < 3 or not fields[0].isdigit():
        return None
    return Note(int(fields[0]), fields[1], fields[2], fields[3] if len(fields) > 3 else "")


def tail(path: Path) -> str:
    """Return the end of a log."""
    try:
        with path.open("rb") as log:
            log.seek(0, 2)
            log.seek(max(0, log.tell() - TAIL_BYTES))
            return log.read().decode("utf-8", errors="replace")
    except OSError:
        return ""


def read_progress(path: Path) -> Progress | None:
    """Return how far the run has come by the last line of this attempt's log that tells."""
    found = CYCLE.findall(OPENING.split(tail(path))[-1])
    return Progress(int(found[-1][0]), int(found[-1][1])) if found else None
