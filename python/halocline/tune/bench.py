# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs halocline-tune-bench in the place of the program, under the program's own launch line."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from halocline.errors import MissingEnvironmentError, RunFailedError
from halocline.files.output_file import write_text
from halocline.preload.family import Family
from halocline.preload.launch_line import read_launch_line
from halocline.preload.libraries import tool_folders
from halocline.tune.library import Library, mpi_word, program_library, read_description
from halocline.tune.points import Point
from halocline.tune.runs import Reading, Run, run_program
from halocline.tune.settings import Setting

DESCRIBE_LIMIT_S = 60.0
SAMPLE_NS = 2_000_000
BASE, AGAIN = "default", "again"


@dataclass(frozen=True)
class Contender:
    """A way to run a point: variables that the bench sets (`name=value`), or none."""

    name: str
    assignments: tuple[str, ...] = ()


@dataclass(frozen=True)
class BenchPoint:
    """A point and who competes in it; the first is what the others are compared with."""

    point: Point
    contenders: tuple[Contender, ...]

    def without(self, names: set[str]) -> BenchPoint:
        """Return the same without some contenders."""
        kept = tuple(each for each in self.contenders if each.name not in names)
        return BenchPoint(self.point, kept)


@dataclass(frozen=True)
class Outcome:
    """What a contender did in one launch: `state` is ok, slow, wrong, error, refused, crashed."""

    state: str
    times_ns: list[int]


def bench_program(family: Family) -> Path:
    """Return the bench of a family, or say how to get it."""
    name = f"halocline-tune-bench-{family}"
    for folder in tool_folders():
        if os.access(folder / name, os.X_OK):
            return (folder / name).resolve()
    raise MissingEnvironmentError(
        f"{name} was not found (it measures algorithms of {family.label}). Build it with: "
        f"make build; it needs the compiler of {family.label} (mpicc.{family})."
    )


class Bench:
    """The bench under a launch line; its files go to a folder."""

    def __init__(self, words: Sequence[str], family: Family, folder: Path) -> None:
        """Find the program; raise MissingEnvironmentError where there is none."""
        self._words = list(words)
        self._family = family
        self._folder = folder
        self._program = bench_program(family)
        library = program_library(words)
        # The library of the program, wherever it lies: the bench was linked to that of the system.
        self._library_folder = library.path.parent if library else None

    def describe(self, setting: Setting) -> Library:
        """Ask the library for its version and variables, as the ranks see them."""
        output = self._folder / "library.jsonl"
        output.unlink(missing_ok=True)
        run = self._run(setting, ["describe", str(output)], DESCRIBE_LIMIT_S)
        if run.problem or not output.is_file():
            raise RunFailedError(
                "the launch line does not run halocline's own benchmark in place of the program "
                f"({run.problem or 'it wrote nothing'}; last words: {run.last_words(300)}). "
                "Check that the launch line works, and that ranks see this folder."
            )
        return read_description(output, self._family)

    def measure(
        self, points: Sequence[BenchPoint], setting: Setting, rounds: int, seed: int, limit_s: float
    ) -> dict[str, dict[str, Outcome]]:
        """Measure contenders of points in one launch or more.

        What crashes or hangs is named so and left out, and the rest is measured in another launch.

        Returns:
            Outcomes by point and contender.
        """
        found: dict[str, dict[str, Outcome]] = {}
        left = list(points)
        while left:
            output, run = self._launch(left, setting, rounds, seed, limit_s)
            done, begun = _read(output)
            for name, outcomes in done.items():
                found.setdefault(name, {}).update(outcomes)
            rest = [each for each in left if each.point.name not in done]
            if run.problem is None or not rest:
                break
            left = _without_culprit(rest, begun, found)
        return found

    def _launch(
        self, points: Sequence[BenchPoint], setting: Setting, rounds: int, seed: int, limit_s: float
    ) -> tuple[Path, Run]:
        job, output = self._folder / "job.txt", self._folder / "measured.jsonl"
        output.unlink(missing_ok=True)
        write_text(job, job_text(points, rounds, seed))
        return output, self._run(setting, ["measure", str(job), str(output)], limit_s)

    def _run(self, setting: Setting, words: Sequence[str], limit_s: float) -> Run:
        environment = dict(setting.environment)
        if self._library_folder is not None:
            others = os.environ.get("LD_LIBRARY_PATH")
            folders = [str(self._library_folder), *([others] if others else [])]
            environment["LD_LIBRARY_PATH"] = ":".join(folders)
        replaced = in_place_of_program(self._words, [str(self._program), *words])
        command = Setting(environment, setting.launch).command(replaced, self._family)
        return run_program(command, environment, Reading(), limit_s)


def in_place_of_program(words: Sequence[str], bench: Sequence[str]) -> list[str]:
    """Return a launch line with another program; what stands before the program stays (`env`)."""
    line = read_launch_line(words)
    result = list(words)
    for part in reversed(line.parts):
        place = mpi_word(line, part)
        result[part.program if place is None else place : part.end] = bench
    return result


def job_text(points: Sequence[BenchPoint], rounds: int, seed: int) -> str:
    """Return the job as the bench reads it."""
    lines = [f"rounds {rounds}", f"sample_ns {SAMPLE_NS}", f"seed {seed}"]
    for each in points:
        point = each.point
        lines.append(f"point {point.name} {point.function} {point.members} {point.bytes}")
        lines += [" ".join(["candidate", c.name, *c.assignments]) for c in each.contenders]
    return "\n".join(lines) + "\n"


def _read(output: Path) -> tuple[dict[str, dict[str, Outcome]], tuple[str, str] | None]:
    """Return outcomes of finished points, and the point and contender that began last."""
    found: dict[str, dict[str, Outcome]] = {}
    begun: tuple[str, str] | None = None
    text = output.read_text(encoding="utf-8") if output.is_file() else ""
    for line in text.splitlines():
        try:
            data = json.loads(line)
        except ValueError:  # the launch was ended while it wrote
            break
        if "begin" in data:
            begun = (data["point"], data["begin"] or "")
        elif "candidate" in data:
            outcome = Outcome(data["state"], data["ns"])
            found.setdefault(data["point"], {})[data["candidate"]] = outcome
        elif "point" in data:
            found.setdefault(data["point"], {})
    return found, begun


def _without_culprit(
    rest: Sequence[BenchPoint],
    begun: tuple[str, str] | None,
    found: dict[str, dict[str, Outcome]],
) -> list[BenchPoint]:
    """Leave out what was under way when the launch broke down; all, where that is not known."""
    if begun is None or begun[0] not in {each.point.name for each in rest}:
        return []
    point, contender = begun
    found.setdefault(point, {})
    if contender in ("", BASE):  # in the middle of rounds, or the default itself
        return [each for each in rest if each.point.name != point]
    found[point][contender] = Outcome("crashed", [])
    return [each.without({contender}) if each.point.name == point else each for each in rest]
