# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The journal of a study: a line a run, on the disk before the next run starts.

Lines are only ever added. A driver that is killed while it adds one leaves a line without an end,
which the next driver cuts off; a run whose end is not in the journal was not made.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from halocline.documents.check import Problem, checked
from halocline.documents.part import Bounds, DocumentPart, key
from halocline.documents.store import LARGEST
from halocline.errors import InvalidInputError
from halocline.files.output_file import explained

JOURNAL_NAME = "journal.jsonl"
VERSION = 1


@dataclass(frozen=True)
class Turn:
    """Which run: `trial`, `noise` or `round`, its number, and the point."""

    phase: str
    number: int
    point: str


@dataclass
class Run:
    """One run that has ended."""

    turn: Turn
    state: str  # ok, failed, timeout, wrong
    started: str
    wall_s: float
    values: dict[str, float] = field(default_factory=dict)
    code: int = 0
    why: str = ""
    last_lines: list[str] = field(default_factory=list)
    #: What [check] found in the output, or "" where it looks at files.
    answer: str = ""

    @property
    def is_ok(self) -> bool:
        """Whether it counts."""
        return self.state == "ok"


@dataclass
class Started:
    """A run that was started and whose end is not known."""

    turn: Turn
    session: int
    mark: str
    job: str = ""


class StudyLine(DocumentPart):
    """The first line: whose runs these are."""

    kind: Literal["study"]
    version: int
    key: str


class StartLine(DocumentPart):
    """A run begins."""

    kind: Literal["start"]
    phase: Literal["trial", "noise", "round"]
    number: Annotated[int, Bounds(ge=0, le=1_000_000)]
    point: str
    session: Annotated[int, Bounds(ge=0)]
    mark: str
    job: str


class EndLine(DocumentPart):
    """A run has ended."""

    kind: Literal["end"]
    phase: Literal["trial", "noise", "round"]
    number: Annotated[int, Bounds(ge=0, le=1_000_000)]
    point: str
    state: Literal["ok", "failed", "timeout", "wrong"]
    started: str
    wall_s: Annotated[float, Bounds(ge=0.0)]
    values: dict[str, Annotated[float, Bounds(ge=-LARGEST, le=LARGEST)]]
    code: int
    why: str
    last_lines: list[str] = key(default_factory=list)
    answer: str


LINES: dict[str, type[DocumentPart]] = {"study": StudyLine, "start": StartLine, "end": EndLine}


class Journal:
    """Reads what earlier drivers did, and adds to it."""

    def __init__(self, folder: Path, key: str, points: Collection[str]) -> None:
        """Open or begin the journal of a study in `folder`.

        Args:
            key: what identifies its points and how they run.
            points: names of its points and twins.

        Raises:
            InvalidInputError: the folder has another study.
        """
        self.path = folder / JOURNAL_NAME
        self.runs: dict[Turn, Run] = {}
        self.unfinished: Started | None = None
        self.jobs: dict[Turn, Started] = {}
        self.is_new = True
        self._points = points
        with explained(self.path):
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            self._replay(key)
            if self.is_new:
                self._add({"kind": "study", "version": VERSION, "key": key})

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def begin(self, turn: Turn, session: int, mark: str, job: str = "") -> None:
        """Note that a run starts."""
        self._add({"kind": "start", **_of(turn), "session": session, "mark": mark, "job": job})

    def end(self, run: Run) -> None:
        """Note that a run has ended; from here on it is not made again."""
        plain = {name: value for name, value in run.__dict__.items() if name != "turn"}
        self._add({"kind": "end", **_of(run.turn), **plain})
        self.runs[run.turn] = run
        self.jobs.pop(run.turn, None)

    def _add(self, entry: dict[str, Any]) -> None:
        line = json.dumps(entry, ensure_ascii=False).encode(errors="surrogateescape") + b"\n"
        with explained(self.path):
            start = os.lseek(self._file, 0, os.SEEK_END)
            try:
                while line:
                    line = line[os.write(self._file, line) :]
                os.fsync(self._file)
            except OSError:
                os.ftruncate(self._file, start)  # a full disk leaves no half line
                raise

    def _replay(self, key: str) -> None:
        data = self.path.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            os.ftruncate(self._file, whole)
        for number, line in enumerate(data[:whole].splitlines(), start=1):
            try:
                self._take(json.loads(line.decode(errors="surrogateescape")), key)
            except (
                ValueError,
                KeyError,
                TypeError,
                OverflowError,
                RecursionError,
                Problem,
            ):
                raise InvalidInputError(
                    f"{self.path}: line {number} is damaged (runs would be lost). Restore the "
                    "file, or choose another folder: -o."
                ) from None

    def _take(self, entry: dict[str, Any], key: str) -> None:
        checked(LINES[entry["kind"]], entry)
        kind = entry.pop("kind")
        if kind == "study":
            self.is_new = False
            if entry["version"] != VERSION or entry["key"] != key:
                raise _OtherStudyError(
                    f"{self.path.parent} has the runs of another study (its points, program or "
                    "checks differ). Choose another folder with -o, or remove it."
                )
            return
        turn = Turn(entry.pop("phase"), entry.pop("number"), entry.pop("point"))
        if turn.point not in self._points:
            raise KeyError(turn.point)
        if kind == "start":
            self.unfinished = Started(turn, entry["session"], entry["mark"], entry["job"])
            if entry["job"]:
                self.jobs[turn] = self.unfinished
        else:
            self.runs[turn] = Run(turn, **entry)
            self.jobs.pop(turn, None)
            if self.unfinished is not None and self.unfinished.turn == turn:
                self.unfinished = None


class _OtherStudyError(InvalidInputError):
    """A journal of another study."""


def _of(turn: Turn) -> dict[str, Any]:
    return {"phase": turn.phase, "number": turn.number, "point": turn.point}
