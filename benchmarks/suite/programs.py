# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Figures of programs as users write them against plain loops: airfoil and tetrahedra."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from suite.figures import Figure, Section
from suite.measure import run_race
from suite.variants import NATURAL, SHUFFLED

ONE, TWO = "openmp 1 thread, defaults", "openmp 2 threads, defaults"
TWO_THREADS_GOAL = 1.7


@dataclass(frozen=True)
class Program:
    """One benchmark program, its size, and how fast plain loops are to be beaten."""

    name: str
    size_flag: str
    size: int
    quick_size: int
    unit: str
    goals: Mapping[str, float]
    """By numbering: how many times as fast as plain loops one thread is to be."""
    ways: Mapping[str, str]
    """Heads of row names, and the plain row that each is compared with."""


AIRFOIL = Program(
    "airfoil",
    "cells",
    2_000_000,
    20_000,
    "ns a cell and iteration",
    {NATURAL: 1.3, SHUFFLED: 4.0},
    {"": "plain"},
)
TETRAHEDRA = Program(
    "tetrahedra",
    "tetrahedra",
    1_460_000,
    20_000,
    "ms an iteration",
    {NATURAL: 1.0, SHUFFLED: 2.5},
    {
        f"{form}, {mode}, ": f"{form}, plain"
        for form in ("weights", "coordinates", "edges")
        for mode in ("par_loop", "run_chain")
    },
)

Rows = Mapping[str, Sequence[float]]


def sections(folder: Path, repetitions: int, scratch: Path, *, quick: bool) -> list[Section]:
    """Run both programs and return a section for each.

    Args:
        folder: where the programs are.
        repetitions: of every way to run, in turns.
        scratch: folder for logs and samples.
        quick: small meshes, whose numbers mean nothing.
    """
    made = []
    for program in (AIRFOIL, TETRAHEDRA):
        size = program.quick_size if quick else program.size
        output = scratch / f"{program.name}.json"
        command = [str(folder / f"benchmark_{program.name}"), f"--{program.size_flag}={size}"]
        command += [f"--repetitions={repetitions}", "--only=defaults", f"--json={output}"]
        run_race(command, scratch / f"{program.name}.log")
        figures = []
        for race in json.loads(output.read_text(encoding="utf-8")):
            rows = {row["name"]: row["wall"] for row in race["rows"]}
            figures += _figures(program, race["numbering"], rows)
        title = f"{program.name.capitalize()} as users write it, against plain loops"
        made.append(Section(title, figures))
    return made


def _figures(program: Program, order: str, rows: Rows) -> list[Figure]:
    """What one numbering of the mesh gave."""
    figures = [_time(program, order, rows, name) for name in dict.fromkeys(program.ways.values())]
    for head, plain in program.ways.items():
        one, two = head + ONE, head + TWO
        goal = program.goals[order]
        figures += [
            _time(program, order, rows, one),
            _ratio(program, order, f"plain ÷ {one}", rows[plain], rows[one], goal),
            _ratio(program, order, f"1 thread ÷ {two}", rows[one], rows[two], TWO_THREADS_GOAL),
        ]
    return figures


def _time(program: Program, order: str, rows: Rows, name: str) -> Figure:
    return Figure(_key(program, order, name), f"{name}, {order}", program.unit, list(rows[name]))


def _ratio(
    program: Program,
    order: str,
    what: str,
    yardstick: Sequence[float],
    times: Sequence[float],
    goal: float,
) -> Figure:
    values = [above / below for above, below in zip(yardstick, times, strict=True)]
    return Figure(_key(program, order, what), f"{what}, {order}", "×", values, goal)


def _key(program: Program, order: str, what: str) -> str:
    words = what.replace("÷", "over").replace(",", "").replace(" ", "_")
    return f"{program.name}_{order}_{words}"
