# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The journal of a study: a line a run, on the disk before the next run starts.

A run whose end is not in the journal was not made.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from halocline.documents.check import Problem, checked
from halocline.documents.part import Bounds, DocumentPart, key
from halocline.documents.store import LARGEST
from halocline.errors import InvalidInputError
from halocline.files.line_log import LineLog

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
    #: What [check] found in the output, or "" where it reads files.
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


class TurnLine(DocumentPart):
    """Which run a line is about."""

    phase: Literal["trial", "noise", "round"]
    number: Annotated[int, Bounds(ge=0, le=1_000_000)]
    point: str


class StartLine(TurnLine):
    """A run begins."""

    kind: Literal["start"]
    session: Annotated[int, Bounds(ge=0)]
    mark: str
    job: str


class EndLine(TurnLine):
    """A run has ended."""

    kind: Literal["end"]
    state: Literal["ok", "failed", "timeout", "wrong"]
    started: str
    wall_s: Annotated[float, Bounds(ge=0.0)]
    values: dict[str, Annotated[float, Bounds(ge=-LARGEST, le=LARGEST)]]
    code: int
    why: str
    last_lines: list[str] = key(default_factory=list)
    answer: str


LINES: dict[str, type[DocumentPart]] = {"start": StartLine, "end": EndLine}


class Journal:
    """Reads what earlier drivers did, and adds to it."""

    def __init__(self, folder: Path, key: str, points: Collection[str]) -> None:
        """Open or begin the journal of a study in `folder`.

        Args:
            key: what identifies its points and how they run.
            points: names of its points and twins.

        Raises:
            InvalidInputError: the folder has runs of another study.
        """
        self.runs: dict[Turn, Run] = {}
        self.unfinished: Started | None = None
        self.jobs: dict[Turn, Started] = {}
        self._log = LineLog(folder / JOURNAL_NAME)
        try:
            self._begin(key, points)
        except BaseException:
            self.close()
            raise

    def _begin(self, key: str, points: Collection[str]) -> None:
        entries = self._log.entries
        if entries and not _is_of(entries[0], key):
            self._forget_other_study()
            entries = []
        if not entries:
            self._log.add({"kind": "study", "version": VERSION, "key": key})
        for number, entry in enumerate(entries[1:], start=2):
            try:
                self._take(entry, points)
            except (ValueError, KeyError, TypeError, OverflowError, RecursionError, Problem):
                raise self._log.damaged(number) from None

    def _forget_other_study(self) -> None:
        """Begin anew where all that it has are runs that failed, as after a wrong command."""
        first, *others = self._log.entries
        try:
            checked(StudyLine, first)
        except (TypeError, Problem):
            raise self._log.damaged(1) from None
        # Lines come in pairs, of a start and an end, but for jobs, of which several run at a time.
        whole = len(others) % 2 == 0 and all(type(entry) is dict for entry in others)
        if not whole or any(entry.get("state") == "ok" or entry.get("job") for entry in others):
            raise InvalidInputError(
                f"{self._log.path.parent} has the runs of another study (its points, program or "
                "checks differ). Choose another folder with -o, or remove it."
            )
        self._log.clear()

    def close(self) -> None:
        """Close the file."""
        self._log.close()

    def begin(self, turn: Turn, session: int, mark: str, job: str = "") -> None:
        """Note that a run starts."""
        self._log.add(
            {"kind": "start", **asdict(turn), "session": session, "mark": mark, "job": job}
        )
        if job:
            self.jobs[turn] = Started(turn, session, mark, job)

    def end(self, run: Run) -> None:
        """Note that a run has ended; from here on it is not made again."""
        plain = {name: value for name, value in run.__dict__.items() if name != "turn"}
        self._log.add({"kind": "end", **asdict(run.turn), **plain})
        self.runs[run.turn] = run
        self.jobs.pop(run.turn, None)

    def _take(self, entry: dict[str, Any], points: Collection[str]) -> None:
        checked(LINES[entry["kind"]], entry)
        kind = entry.pop("kind")
        turn = Turn(entry.pop("phase"), entry.pop("number"), entry.pop("point"))
        if turn.point not in points:
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


def _is_of(entry: Any, key: str) -> bool:
    return bool(entry == {"kind": "study", "version": VERSION, "key": key})
