# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Rows by setting, columns by input, the last column what changed from the first to the last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from halocline.record.model import Record
from halocline.report.cell import Cell, cell_of, change_words
from halocline.report.source import Document, Source
from halocline.snapshot.model import Snapshot
from halocline.study.result import Estimate, StudyResult
from halocline.study.view import NOTHING

FUNCTIONS = 8
Cells = dict[str, Cell]
Figure = tuple[str, str, str, float]


@dataclass
class Table:
    """One table: `rows` by name, in each the cells by column."""

    title: str
    unit: str
    columns: list[str]
    rows: dict[str, Cells] = field(default_factory=dict)
    #: Units of rows that have one of their own.
    units: dict[str, str] = field(default_factory=dict)
    #: Cores of rows that are scales, for a table of speed-ups.
    cores: dict[str, int] = field(default_factory=dict)
    #: It may be drawn: all rows are the same kind of figure.
    is_drawn: bool = True
    #: Columns are no before and after.
    is_plain: bool = False

    @property
    def has_change(self) -> bool:
        """Whether there is a before and an after."""
        return len(self.columns) > 1 and not self.is_plain

    def head(self) -> list[str]:
        """Return the titles of columns."""
        return ["", *self.columns, *(["change"] if self.has_change else [])]

    def lines(self) -> Iterator[list[str]]:
        """Yield rows as words."""
        for name, cells in self.rows.items():
            unit = self.units.get(name, self.unit)
            line = [
                cells[label].words(unit) if label in cells else NOTHING for label in self.columns
            ]
            first, last = cells.get(self.columns[0]), cells.get(self.columns[-1])
            yield [name, *line, *([change_words(first, last)] if self.has_change else [])]

    def plain(self) -> dict[str, object]:
        """Return JSON data."""
        return {
            "title": self.title,
            "columns": self.columns,
            "rows": [
                {
                    "name": name,
                    "unit": self.units.get(name, self.unit),
                    "cells": {label: cell.__dict__ for label, cell in cells.items()},
                }
                for name, cells in self.rows.items()
            ],
        }


def tables_of(sources: Sequence[Source]) -> list[Table]:
    """Return all tables that the inputs allow."""
    columns = [source.label for source in sources]
    found: dict[str, Table] = {}
    values: dict[tuple[str, str, str], list[float]] = {}

    def table(title: str, unit: str, *, is_drawn: bool = True) -> Table:
        return found.setdefault(title, Table(title, unit, columns, is_drawn=is_drawn))

    for source in sources:
        for document in source.documents:
            if isinstance(document, StudyResult):
                _add_study(table(f"{document.by} of studies", document.unit), source, document)
            for title, row, unit, value in _figures(document):
                made = table(title, unit, is_drawn=title.startswith("Run time"))
                made.rows.setdefault(row, {})
                made.units[row] = unit
                values.setdefault((title, row, source.label), []).append(value)
                if isinstance(document, Record) and made.is_drawn:
                    layout = document.layout
                    made.cores[row] = layout.ranks * layout.threads_per_rank
    for (title, row, label), runs in values.items():
        found[title].rows[row][label] = cell_of(runs)
    scaled = [more for made in found.values() for more in _speed_ups(made)]
    return [_without_empty_columns(made) for made in (*found.values(), *scaled)]


def _without_empty_columns(made: Table) -> Table:
    used = {label for cells in made.rows.values() for label in cells}
    return replace(made, columns=[label for label in made.columns if label in used])


def _figures(document: Document) -> Iterator[Figure]:
    if isinstance(document, Record):
        return _of_record(document)
    return _of_snapshot(document) if isinstance(document, Snapshot) else _of_study(document)


def _of_study(study: StudyResult) -> Iterator[Figure]:
    """Yield (table, row, unit, value) of what a study recorded beside times."""
    for point in study.points:
        row = point.title
        if point.mpi is not None:
            yield f"Share of MPI: {study.title}", row, "%", point.mpi.mpi_percent
        if point.memory_bytes is not None:
            yield f"Memory of a rank: {study.title}", row, "B", point.memory_bytes
        for name, seconds in list(point.mpi.function_s.items())[:FUNCTIONS] if point.mpi else ():
            if point.is_base:
                yield f"MPI by function, base: {study.title}", f"{row}: {name}", "s", seconds


def _add_study(made: Table, source: Source, study: StudyResult) -> None:
    for point in study.points:
        if point.median is None or point.state != "ok":
            continue
        row = point.title
        made.rows.setdefault(row, {})[source.label] = _cell(point.median)
        made.cores[row] = point.cores if study.scaling == "strong" and point.is_base else 0


def _cell(found: Estimate) -> Cell:
    return Cell(found.value, found.low, found.high, found.runs)


def _of_record(record: Record) -> Iterator[Figure]:
    """Yield (table, row, unit, value) of a run record."""
    mesh, row = _mesh_words(record), setting_of(record)
    yield f"Run time, {mesh}", row, "s", record.results.total_runtime_s
    parts = {
        "cycles or steps": record.results.compute_s,
        "set-up": record.setup.total_s,
        "halos: waiting and packing": record.halo.exposed_s,
        "output: the loop waits": record.io.blocked_s,
    }
    for name, value in parts.items():
        yield f"Parts of run time, {mesh}", f"{row}: {name}", "s", value
    if record.io.written_s is not None and record.io.bytes:
        yield f"Output, {mesh}", f"{row}: {record.io.mode or 'sync'}", "s", record.io.written_s
    yield f"Memory, {mesh}", f"{row}: largest rank", "B", record.memory.peak_rss_bytes.max


def _mesh_words(record: Record) -> str:
    fine = record.mesh.levels[0]
    return f"{record.mesh.name}, {fine.nodes:,} nodes"


def setting_of(record: Record) -> str:
    """Return how a run was spread, as tables of MG-CFD say it, e.g. `seq`, `mpi kway (64)`."""
    layout, ranks = record.layout, record.layout.ranks
    threads = layout.threads_per_rank
    method = record.partition.method if record.partition and record.partition.method else ""
    if layout.gpus:
        return f"{layout.gpus} × GPU" + (f", {ranks} ranks" if ranks != layout.gpus else "")
    if ranks == 1:
        return "seq" if threads == 1 else f"openmp ({threads})"
    name = "mpi" if threads == 1 else "mpi+openmp"
    size = f"{ranks}" if threads == 1 else f"{ranks} × {threads}"
    partitioner = record.partition.partitioner if record.partition else ""
    return " ".join(word for word in (name, partitioner, method, f"({size})") if word)


def _of_snapshot(snapshot: Snapshot) -> Iterator[Figure]:
    """Yield (table, row, unit, value) of a snapshot."""
    title = f"MPI of {Path(snapshot.program).name}"
    times = snapshot.times
    yield title, "elapsed", "s", times.elapsed_s
    yield title, "MPI, mean of ranks", "s", times.mpi_s.mean
    yield title, "share of MPI", "%", times.mpi_percent
    if times.imbalance_percent is not None:
        yield title, "waiting inside MPI", "%", times.imbalance_percent
    if times.io_percent is not None:
        yield title, "file calls", "%", times.io_percent
    yield title, "memory, largest rank", "B", max(r.usage.peak_rss_bytes for r in snapshot.ranks)
    for function in snapshot.functions[:FUNCTIONS]:
        yield title, function.name, "s", function.seconds.mean


def _speed_ups(made: Table) -> Iterator[Table]:
    """Yield speed-ups and efficiencies of a table whose rows are several numbers of cores."""
    rows = {row: cores for row, cores in made.cores.items() if cores}
    if len(set(rows.values())) < 2 or made.unit != "s":
        return
    speed_up = Table(f"Speed-up: {made.title}", "1", made.columns, is_drawn=False, is_plain=True)
    share = Table(f"Efficiency: {made.title}", "%", made.columns, is_drawn=False, is_plain=True)
    for label in made.columns:
        known = {row: made.rows[row][label] for row in rows if label in made.rows[row]}
        if len(known) < 2:
            continue
        first = min(known, key=lambda row: rows[row])
        for row, cell in sorted(known.items(), key=lambda pair: rows[pair[0]]):
            value = known[first].value / cell.value if cell.value else 0.0
            speed_up.rows.setdefault(row, {})[label] = Cell(value)
            efficiency = 100 * value * rows[first] / rows[row]
            share.rows.setdefault(row, {})[label] = Cell(efficiency)
    if speed_up.rows:
        yield from (speed_up, share)
