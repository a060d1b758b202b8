# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Result files in MG-CFD's layout: a file for each kind, level and cycle, gathered to fields."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from halocline import hdf5
from halocline.errors import InvalidInputError
from halocline.results.data_set import DataSet
from halocline.results.field import Field

RESULT_NAME = re.compile(
    r"(?P<prefix>.*?)(?P<kind>variables|fluxes|step_factors)\.L(?P<level>\d{1,3})"
    r"\.(?P<count>cycles?)=(?P<cycle>\d{1,18})\.h5$"
)
PARTS = "parts"
"""The attribute of a data set that names what its columns are: `velocity:2 pressure:1`."""
PART = re.compile(r"(?P<name>[^\s:]+):(?P<columns>[1-9]\d{0,3})")
MGCFD_STATE = {"density": (0, 1), "momentum": (1, 4), "energy": (4, 5)}
"""Columns of `variables` in files of MG-CFD, which do not name them."""


@dataclass(frozen=True)
class ResultFile:
    """One of these files, by what its name says."""

    file: Path
    prefix: str
    kind: str
    level: int
    cycle: int
    at_end: bool
    """Written after the last cycle; else during the run."""


def result_file(file: Path) -> ResultFile | None:
    """Return what the name of a file says; None where it is not a result file's."""
    match = RESULT_NAME.match(file.name)
    if match is None:
        return None
    return ResultFile(
        file,
        match["prefix"],
        match["kind"],
        int(match["level"]),
        int(match["cycle"]),
        match["count"] == "cycles",
    )


def fields_of(files: Iterable[ResultFile]) -> list[Field]:
    """Return the fields of result files: all cycles of a kind and level become steps of a field.

    Where a cycle was written during the run and at its end, the end counts.
    """
    groups: dict[tuple[int, str], dict[int, ResultFile]] = {}
    for found in sorted(files, key=lambda file: file.at_end):
        groups.setdefault((found.level, found.kind), {})[found.cycle] = found
    order = ("variables", "fluxes", "step_factors")
    fields = []
    for level, kind in sorted(groups, key=lambda key: (key[0], order.index(key[1]))):
        by_cycle = dict(sorted(groups[level, kind].items()))
        tables = {cycle: _only_data_set(file.file) for cycle, file in by_cycle.items()}
        layouts = {(table.width, table.parts) for table in tables.values()}
        if len(layouts) > 1:
            raise InvalidInputError(
                f"{kind} of level {level} has {_in_words(layouts)} in the files of different "
                "cycles (two runs in one folder). Open the files one by one."
            )
        for name, chosen in parts_of(kind, *layouts.pop()).items():
            frames = [
                DataSet(file.file, tables[cycle].name, columns=chosen)
                for cycle, file in by_cycle.items()
            ]
            fields.append(Field(name, frames, list(by_cycle), level=level))
    return fields


def parts_of(kind: str, width: int, named: str = "") -> dict[str, tuple[int, int] | None]:
    """Return the fields in a table of a kind: name → columns.

    Args:
        kind: what the file's or data set's name calls the table; a field where nothing says more.
        width: columns of the table.
        named: the attribute `parts`; empty where there is none, and of no effect where it does
            not fit the table.
    """
    found = _read_parts(named, width)
    if found is not None:
        return dict(found)
    if kind == "variables" and width == 5:
        return dict(MGCFD_STATE)
    return {kind: (0, 1) if width == 1 else None}


def _read_parts(named: str, width: int) -> dict[str, tuple[int, int]] | None:
    """Return the parts that an attribute names; None where they are not the table's columns."""
    parts: dict[str, tuple[int, int]] = {}
    begin = 0
    for match in map(PART.fullmatch, named.split()):
        if match is None or match["name"] in parts:
            return None
        end = begin + int(match["columns"])
        parts[match["name"]] = (begin, end)
        begin = end
    return parts if parts and begin == width else None


def _in_words(layouts: Iterable[tuple[int, str]]) -> str:
    texts = sorted(
        f"{width} columns ({parts})" if parts else f"{width}" for width, parts in layouts
    )
    return f"columns {texts}"


@dataclass(frozen=True)
class _Table:
    """The data set of a result file."""

    name: str
    width: int
    parts: str
    """As its attribute says; empty where there is none."""


def _only_data_set(file: Path) -> _Table:
    with hdf5.opened(file) as handle:
        found = (hdf5.find(handle, name) for name in handle)
        data = next((item for item in found if item is not None), None)
        if data is None:
            raise InvalidInputError(f"{file} holds no data set. Is it a result file?")
        if not hdf5.holds_numbers(data) or len(data.shape) not in (1, 2):
            raise InvalidInputError(
                f"{file}: {data.name} is not a table of numbers. Remake the file."
            )
        width = 1 if len(data.shape) == 1 else int(data.shape[1])
        return _Table(str(data.name), width, hdf5.fixed_text(data, PARTS))
