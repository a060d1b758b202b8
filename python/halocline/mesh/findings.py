# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Collects violated rules: how often, and the first few places with their coordinates."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from halocline.mesh.arrays import AnyArray, Floats

PLACES_SHOWN = 5


@dataclass(frozen=True)
class Place:
    """One place where a rule is violated: row of the dataset, position, and what is there."""

    index: int
    coordinates: tuple[float, float, float] | None
    value: str


@dataclass
class Violation:
    """A rule violated in a dataset, how often, and where first."""

    file: str
    dataset: str
    rule: str
    count: int = 0
    places: list[Place] = field(default_factory=list)


class Findings:
    """Violations of one level file."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._found: dict[tuple[str, str], Violation] = {}

    @property
    def violations(self) -> list[Violation]:
        """All violations in the order found."""
        return list(self._found.values())

    def add(self, dataset: str, rule: str, place: Place | None = None, count: int = 1) -> None:
        """Record a violation, and its place while few are known."""
        violation = self._found.setdefault((dataset, rule), Violation(self._file, dataset, rule))
        violation.count += count
        if place is not None and len(violation.places) < PLACES_SHOWN:
            violation.places.append(place)

    def add_rows(
        self,
        dataset: str,
        rule: str,
        bad: AnyArray,
        values: AnyArray,
        *,
        first: int = 0,
        coordinates: Any | None = None,
    ) -> None:
        """Record the rows where `bad` is true.

        Args:
            dataset: name of the dataset.
            rule: what should hold.
            bad: flags, one a row.
            values: what the rows contain, to show.
            first: row number of the first flag.
            coordinates: array or dataset of node coordinates, when rows are nodes.
        """
        rows = np.flatnonzero(bad)
        if len(rows) == 0:
            return
        for row in rows[:PLACES_SHOWN]:
            where = _position(coordinates, int(row) + first)
            self.add(dataset, rule, Place(int(row) + first, where, _show(values[row])), count=0)
        self.add(dataset, rule, count=len(rows))


def _position(coordinates: Any | None, row: int) -> tuple[float, float, float] | None:
    if coordinates is None:
        return None
    x: Floats = np.asarray(coordinates[row], dtype=np.float64)
    return float(x[0]), float(x[1]), float(x[2])


def _show(value: Any) -> str:
    parts = [
        f"{part}" if part.dtype.kind in "iu" else f"{part:.6g}" for part in np.atleast_1d(value)
    ]
    return ", ".join(parts)
