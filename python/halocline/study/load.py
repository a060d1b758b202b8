# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads a study file and refuses, before any run, what could not work or would mean nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from halocline.case.load import parse_model
from halocline.documents.toml import read_toml
from halocline.errors import InvalidInputError, suggestion
from halocline.statistics import minimal_repetitions
from halocline.study.design import points_of
from halocline.study.launch import Launch, Place, launch_of
from halocline.study.model import StudyFile
from halocline.study.placeholders import names_in
from halocline.study.point import Point
from halocline.study.variables import CASE_KEYS, KNOWN, LAUNCH
from halocline.units import duration_s

ALWAYS = {"wall": "s", "cpu": "s"}
DEFAULT_RECORD = "results.total_runtime_s"


@dataclass(frozen=True)
class Study:
    """A study file with everything decided."""

    file: StudyFile
    points: list[Point]
    place: Place
    #: What the study file says.
    text: str

    @property
    def source(self) -> str:
        """The study file's name, for messages."""
        return self.place.source

    @property
    def folder(self) -> Path:
        """Where everything goes that it writes."""
        return self.place.output

    @property
    def by(self) -> str:
        """What settings are compared by."""
        return self.file.measure.by or (
            "wall" if self.file.program.case is None else DEFAULT_RECORD
        )

    def unit_of(self, name: str) -> str:
        """Return the unit of what is measured; record keys end in theirs."""
        pattern = self.file.measure.patterns.get(name)
        if pattern is not None:
            return pattern.unit
        endings = {"_s": "s", "_bytes": "B"}
        by_name = next((unit for end, unit in endings.items() if name.endswith(end)), "1")
        return ALWAYS.get(name, by_name)

    @property
    def larger_is_better(self) -> bool:
        """Whether it is a rate."""
        pattern = self.file.measure.patterns.get(self.by)
        return pattern is not None and pattern.better == "larger"

    @property
    def records(self) -> list[str]:
        """Keys of run records that are measured."""
        keys = list(self.file.measure.records)
        known = (*ALWAYS, *self.file.measure.patterns, *keys)
        return keys if self.by in known else [*keys, self.by]

    @property
    def width(self) -> float:
        """Half width of a median's interval at which a point is known well enough, as a share."""
        return float(self.file.run.width.rstrip("% ")) / 100

    @cached_property
    def launches(self) -> dict[str, Launch]:
        """What starts each point, by its name."""
        return {
            point.name: launch_of(self.file.program, point, self.place) for point in self.points
        }

    def launch(self, point: Point) -> Launch:
        """Return what starts a point; a twin is started as its base is."""
        return self.launches[self.base_of(point).name if point.is_twin else point.name]

    def base_of(self, point: Point) -> Point:
        """Return the base at the scale of a point."""
        return next(each for each in self.points if each.is_base and each.scale == point.scale)

    @property
    def bases(self) -> list[Point]:
        """The bases, a scale each."""
        return [point for point in self.points if point.is_base]

    @property
    def by_name(self) -> dict[str, Point]:
        """All points, and the twins that there may be of an earlier call, by their names."""
        twins = [base.twin() for base in self.bases]
        return {point.name: point for point in (*self.points, *twins)}

    @property
    def comparisons(self) -> int:
        """How many differences are tested."""
        return len(self.points) - len(self.bases)

    @property
    def least(self) -> int:
        """Rounds below which nothing could be significant, or fewer than asked for."""
        needed = minimal_repetitions(self.file.run.confidence, max(1, self.comparisons))
        return max(self.file.run.least, needed)

    @property
    def most(self) -> int:
        """Rounds at most."""
        return max(self.file.run.most, self.least)

    @property
    def twins(self) -> list[Point]:
        """The controls: of each base that others are compared with, or of the first."""
        compared = {point.scale for point in self.points if not point.is_base}
        bases = [base for base in self.bases if base.scale in compared] or self.bases[:1]
        return [base.twin() for base in bases] if self.file.run.twins else []


def default_folder(path: Path) -> Path:
    """Return the folder of the results of a study file: one of its name beside it."""
    return (path.parent / path.stem).absolute()


def load_study(path: Path, output: Path | None = None) -> Study:
    """Read a study file; look at the machine, change nothing.

    Args:
        path: the study file.
        output: folder of the results; by default one of the file's name beside it.

    Raises:
        InvalidInputError: the file is wrong.
        MissingEnvironmentError: a point needs what this machine does not have.
    """
    source = str(path)
    file = parse_model(StudyFile, read_toml(path, "study file"), source)
    _check_program(file, source)
    points = points_of(file, source)
    _check_variables(file, points, source)
    _check_measures(file, source)
    folder = output.absolute() if output is not None else default_folder(path)
    key = _key(file, points)
    place = Place(source, path.parent, folder, key[:12], file.submit is not None)
    study = Study(file, points, place, path.read_text(encoding="utf-8"))
    _ = study.launches  # whatever is wrong with a point is reported before the first runs
    return study


def _key(file: StudyFile, points: Sequence[Point]) -> str:
    """Identify what runs; how long it goes on may change from one driver to the next."""
    what = {
        "points": [(point.name, point.values, point.scale) for point in points],
        "program": file.program.model_dump(),
        "patterns": {name: each.model_dump() for name, each in file.measure.patterns.items()},
        "records": file.measure.records,
        "by": file.measure.by,
        "check": file.check.model_dump() if file.check else None,
        "seed": file.run.seed,
    }
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()


def _check_program(file: StudyFile, source: str) -> None:
    program = file.program
    if (program.command is None) == (program.case is None):
        raise InvalidInputError(
            f"{source}: [program] needs either `command` or `case` (what is to run). Correct it."
        )
    if program.command is not None:
        try:
            words = program.words
        except ValueError as error:
            raise InvalidInputError(
                f"{source}: key 'program.command' cannot be split into words ({error}). Correct it."
            ) from None
        if not words or not words[0]:
            raise InvalidInputError(
                f"{source}: key 'program.command' is empty (nothing would run). Write a program."
            )
    if program.case is not None and (program.files or program.programs):
        raise InvalidInputError(
            f"{source}: [program] has `files` or `programs`, which are for commands (a case knows "
            "its own). Leave them out."
        )
    if program.programs and "program" not in names_in(program.words):
        raise InvalidInputError(
            f"{source}: nothing uses [program.programs]. Write {{program}} in 'program.command'."
        )


def _check_variables(file: StudyFile, points: Iterable[Point], source: str) -> None:
    """Refuse variables without effect: they would be found to make no difference."""
    is_case = file.program.case is not None
    used = set(LAUNCH) | (set(CASE_KEYS) if is_case else _names_used(file))
    for name in dict.fromkeys(name for point in points for name in point.values):
        if name in used or name.startswith("env.") or (is_case and name.startswith("case.")):
            if name == "hosts" and file.submit is None:
                raise InvalidInputError(
                    f"{source}: 'hosts' is given, but there is no [submit] (this is one host). "
                    "Add it."
                )
            continue
        if is_case:
            hint = f"{suggestion(name, KNOWN)} Keys of the case begin with 'case.'."
        else:
            hint = f"Write {{{name}}} where it belongs in 'program.command'."
        raise InvalidInputError(f"{source}: nothing uses the variable '{name}'. {hint}")


def _names_used(file: StudyFile) -> set[str]:
    return names_in([*file.program.words, *file.program.environment.values()])


def _check_measures(file: StudyFile, source: str) -> None:
    measure, is_case = file.measure, file.program.case is not None
    clash = set(measure.patterns) & set(ALWAYS)
    if clash:
        raise InvalidInputError(
            f"{source}: key 'measure.patterns.{min(clash)}' has the name of what is measured "
            "anyway. Rename it."
        )
    known = [*ALWAYS, *measure.patterns, *measure.records]
    if measure.by and measure.by not in known and not (is_case and "." in measure.by):
        raise InvalidInputError(
            f"{source}: key 'measure.by' is '{measure.by}', which is not measured. "
            f"{suggestion(measure.by, known)}"
        )
    if measure.records and not is_case:
        raise InvalidInputError(
            f"{source}: key 'measure.records' needs a case (a command writes no run record). "
            "Use [measure.patterns]."
        )
    check = file.check
    if check is not None and not is_case and check.pattern is None and not check.files:
        raise InvalidInputError(
            f"{source}: [check] says neither `pattern` nor `files` (nothing would be checked). "
            "Add one."
        )
    if check is not None and check.files and not (is_case or file.program.files):
        raise InvalidInputError(
            f"{source}: key 'check.files' needs 'program.files' (points would write the same "
            "files). Name the input files of the program there."
        )
    for name in check.files if check is not None else ():
        if Path(name).is_absolute() or ".." in Path(name).parts:
            raise InvalidInputError(
                f"{source}: key 'check.files' has {name}, which is outside the folder of a run "
                "(all runs would share it, and none would differ). Name files within."
            )
    if file.run.most < file.run.least:
        raise InvalidInputError(
            f"{source}: key 'run.most' is {file.run.most}, below run.least = {file.run.least}. "
            "Correct one."
        )
    duration_s(file.run.time_limit)
