# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Rules files of Open MPI's `tuned` component: by function, communicator size, message size.

The file is a list of numbers: how many functions; for each its number and how many communicator
sizes; for each the size and how many message sizes; for each the size in bytes from which on it
holds, the algorithm (0: the library's choice), a fan-out and a segment size. A row holds up to the
next one. `#` begins a comment. (Open MPI, ompi/mca/coll/tuned/coll_tuned_dynamic_file.c)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from halocline.errors import InvalidInputError

# Numbers of the file format, in the order of Open MPI's enumeration of collectives.
NUMBERS = {
    name: number
    for number, name in enumerate(
        (
            *("Allgather", "Allgatherv", "Allreduce", "Alltoall", "Alltoallv", "Alltoallw"),
            *("Barrier", "Bcast", "Exscan", "Gather", "Gatherv", "Reduce", "Reduce_scatter"),
            *("Reduce_scatter_block", "Scan", "Scatter", "Scatterv"),
        )
    )
}
# Functions whose rules ask the size of a message, and how often the recorded size that is: once,
# or once a member. All others get one algorithm for all sizes: Open MPI does not ask the size
# (Barrier, Alltoallv), or its versions do not agree on which size (Allgatherv, Gather, Scatter).
SIZED = {
    "Allgather": True,
    "Allreduce": False,
    "Alltoall": False,
    "Bcast": False,
    "Reduce": False,
    "Reduce_scatter": False,
    "Reduce_scatter_block": False,
}


@dataclass(frozen=True)
class Row:
    """From this many bytes on: an algorithm, its fan-out and segment size."""

    bytes: int
    algorithm: int
    fan_out: int = 0
    segment_bytes: int = 0


Rows = tuple[Row, ...]
NO_BOUND = 1 << 62
LIBRARY_CHOICE: Rows = (Row(0, 0),)


@dataclass(frozen=True)
class Rules:
    """Rows by function number and communicator size."""

    functions: dict[int, dict[int, Rows]] = field(default_factory=dict)

    def rows(self, function: int, members: int) -> Rows:
        """Return the rows that hold for a communicator: those of the largest size up to its."""
        sizes = self.functions.get(function, {})
        fitting = [size for size in sizes if size <= members]
        return sizes[max(fitting)] if fitting else LIBRARY_CHOICE

    def with_rows(self, function: int, members: int, rows: Rows) -> Rules:
        """Return rules in which communicators of exactly this size have other rows."""
        sizes = dict(self.functions.get(function, {}))
        sizes.setdefault(members + 1, self.rows(function, members + 1))
        sizes[members] = rows
        return Rules({**self.functions, function: dict(sorted(sizes.items()))})


@dataclass(frozen=True)
class Stretch:
    """Sizes in [low, high) bytes, as the library counts them, that get what a row says."""

    low: int
    high: int
    row: Row


def stretch(function: str, members: int, sizes: tuple[int, int], row: Row) -> Stretch:
    """Return a stretch of recorded sizes, from and up to (past the end), as the library counts."""
    factor = members if SIZED[function] else 1
    return Stretch(sizes[0] * factor, (sizes[1] - 1) * factor + 1, row)


def overlaid(base: Rows, stretches: Sequence[Stretch]) -> Rows:
    """Return rows with other algorithms in some stretches, which do not overlap."""
    edges = {0, *(row.bytes for row in base)}
    edges |= {edge for each in stretches for edge in (each.low, each.high) if edge < NO_BOUND}
    rows: list[Row] = []
    for edge in sorted(edges):
        row = _row_at(base, stretches, edge)
        if not rows or row != replace(rows[-1], bytes=row.bytes):
            rows.append(row)
    return tuple(rows)


def _row_at(base: Rows, stretches: Sequence[Stretch], size: int) -> Row:
    for each in stretches:
        if each.low <= size < each.high:
            return replace(each.row, bytes=size)
    below = [row for row in base if row.bytes <= size]
    return replace(below[-1] if below else LIBRARY_CHOICE[0], bytes=size)


def rules_text(rules: Rules, heading: str, names: Mapping[int, Mapping[int, str]]) -> str:
    """Return the file.

    Args:
        rules: what to write.
        heading: a line for the first comment.
        names: names of algorithms by function number and value.
    """
    titles = {number: name for name, number in NUMBERS.items()}
    lines = [f"# {heading}", f"{len(rules.functions)} # functions"]
    for function, sizes in sorted(rules.functions.items()):
        lines += [f"{function} # {titles.get(function, 'function')}", f"{len(sizes)} # sizes"]
        for members, rows in sizes.items():
            lines += [f"{members} # members", f"{len(rows)} # rows"]
            for row in rows:
                name = names.get(function, {}).get(row.algorithm, "as numbered")
                name = name if row.algorithm else "the library's choice"
                numbers = f"{row.bytes} {row.algorithm} {row.fan_out} {row.segment_bytes}"
                lines.append(f"{numbers} # from {row.bytes} bytes: {name}")
    return "\n".join(lines) + "\n"


def read_rules(path: Path) -> Rules:
    """Read a rules file of the user, so that what is not tuned stays as it says."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise InvalidInputError(
            f"Cannot read {path} ({error.strerror}), the rules file that coll_tuned_dynamic_rules_"
            "filename names. Correct that setting."
        ) from None
    words = [word for line in text.splitlines() for word in line.partition("#")[0].split()]
    if words and re.fullmatch(r"rule-file-version-\d+", words[0]):
        raise InvalidInputError(
            f"{path} is a rules file of another version ({words[0]}). Tune without it."
        )
    numbers = iter(words)
    try:
        return Rules(_functions(numbers))
    except (StopIteration, RuntimeError, ValueError):
        raise InvalidInputError(
            f"{path} is not a rules file of Open MPI (a number is missing in it). Correct it, or "
            "tune without it."
        ) from None


def _functions(numbers: Iterator[str]) -> dict[int, dict[int, Rows]]:
    def take() -> int:
        return int(next(numbers))

    functions: dict[int, dict[int, Rows]] = {}
    for _ in range(take()):
        function = take()
        sizes: dict[int, Rows] = {}
        for _ in range(take()):
            members = take()
            sizes[members] = tuple(Row(take(), take(), take(), take()) for _ in range(take()))
        functions[function] = sizes
    return functions
