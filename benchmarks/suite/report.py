# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Shows a benchmark on the terminal, as JSON and as Markdown."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from halocline.cli.output import console, table
from halocline.errors import InvalidInputError

from suite.figures import Figure, LoopRow, Section

BEGIN, END = "<!-- results: begin -->", "<!-- results: end -->"
FORMAT = "halocline.benchmark"
FORMAT_VERSION = 1
FIGURE_COLUMNS = ("median", "min", "max", "unit", "goal")
LOOP_COLUMNS = ("share", "ns/element", "traffic ns", "arithmetic ns", "× floor")


@dataclass(frozen=True)
class Session:
    """Where, when, with what."""

    started: str
    command: str
    cpu: str
    cores: int
    memory_gb: float
    code: str
    arch: str
    compiler: str
    mpi: str
    sizes: dict[str, int]
    background_cores: list[float]

    @property
    def host_class(self) -> str:
        """Name of the kind of machine, for file names."""
        slug = re.sub(r"[^a-z0-9]+", "-", self.cpu.lower()).strip("-") or "cpu"
        return f"{slug}-{self.cores}c"


def show(session: Session, sections: Sequence[Section], loops: Sequence[LoopRow]) -> None:
    """Print every table."""
    screen = console()
    for section in sections:
        shown = table(section.title, "what", *FIGURE_COLUMNS, right=FIGURE_COLUMNS[:3])
        for figure in section.figures:
            shown.add_row(figure.what, *_cells(figure))
        screen.print(shown)
    shown = table("Loops of one core, all levels", "loop", "set", *LOOP_COLUMNS, right=LOOP_COLUMNS)
    for row in loops:
        shown.add_row(row.name, row.set, *_loop_cells(row))
    screen.print(shown)
    load = session.background_cores
    screen.print(f"other load: {median(load):.2f} cores in the median, {max(load):.2f} at most")


def write_json(
    path: Path, session: Session, sections: Sequence[Section], loops: Sequence[LoopRow]
) -> None:
    """Write all values of all repetitions."""
    data = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "session": asdict(session),
        "figures": [_as_data(figure) for part in sections for figure in part.figures],
        "loops": [
            {**asdict(row), "floor_ns": row.floor_ns, "distance": row.distance} for row in loops
        ],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def markdown(session: Session, sections: Sequence[Section], loops: Sequence[LoopRow]) -> str:
    """The fragment for docs/benchmarks.md."""
    lines = [_session_words(session)]
    for section in sections:
        lines += ["", f"### {section.title}", "", _markdown_head("what", FIGURE_COLUMNS)]
        lines += [_markdown_row(figure.what, *_cells(figure)) for figure in section.figures]
    lines += ["", "### Loops of one core, all levels", ""]
    lines.append(_markdown_head("loop", ("set", *LOOP_COLUMNS)))
    lines += [_markdown_row(row.name, row.set, *_loop_cells(row)) for row in loops]
    return "\n".join(lines) + "\n"


def _session_words(session: Session) -> str:
    sizes, load = session.sizes, session.background_cores
    return (
        f"{session.started}, {session.cpu}, {session.cores} cores, {session.memory_gb:.0f} GB; "
        f"halocline {session.code} ({session.arch}, {session.compiler}), {session.mpi}. "
        f"{sizes['nodes']:,} nodes asked, {sizes['repetitions']} repetitions. Other load on the "
        f"machine: {median(load):.2f} cores in the median, {max(load):.2f} at most. "
        f"Command: `{session.command}`."
    )


def put_between_marks(page: Path, fragment: str) -> None:
    """Replace what stands between the marks of `page`."""
    text = page.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise InvalidInputError(f"{page} has lost its marks {BEGIN} and {END}. Put them back.")
    page.write_text(f"{before}{BEGIN}\n\n{fragment}\n{END}{after}", encoding="utf-8")


def _cells(figure: Figure) -> list[str]:
    goal = ""
    if figure.goal is not None:
        sign = "≤" if figure.at_most else "≥"
        goal = f"{sign} {figure.goal:g} {'reached' if figure.met else 'MISSED'}"
    numbers = (figure.median, min(figure.values), max(figure.values))
    return [*(_number(value) for value in numbers), figure.unit, goal]


def _loop_cells(row: LoopRow) -> list[str]:
    arithmetic = "" if row.arithmetic_ns is None else _number(row.arithmetic_ns)
    times = (_number(row.ns_per_element), _number(row.traffic_ns), arithmetic)
    return [f"{100 * row.share:.1f} %", *times, f"{row.distance:.2f}"]


def _number(value: float) -> str:
    """Three figures that matter, no exponent."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _markdown_head(first: str, others: Sequence[str]) -> str:
    return _markdown_row(first, *others) + "\n|" + "---|" * (1 + len(others))


def _markdown_row(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"


def _as_data(figure: Figure) -> dict[str, object]:
    derived = {"median": figure.median, "min": min(figure.values), "max": max(figure.values)}
    return {**asdict(figure), **derived, "met": figure.met}
