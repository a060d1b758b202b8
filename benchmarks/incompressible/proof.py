# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What every proof of incompressible flow has: a case, numbers beside published ones, a picture."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import halocline

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DATA = Path(__file__).parents[2] / "data" / "incompressible"


@dataclass(frozen=True)
class Row:
    """A number of ours beside a published one, or beside the range of those published."""

    name: str
    value: float
    published: float | tuple[float, float]

    @property
    def difference(self) -> str:
        """How far apart they are, as text."""
        if isinstance(self.published, tuple):
            low, high = self.published
            return "inside" if low <= self.value <= high else "OUTSIDE"
        return f"{100.0 * (self.value / self.published - 1.0):+.3f} %"

    @property
    def published_text(self) -> str:
        """The published number or range."""
        if isinstance(self.published, tuple):
            return f"{self.published[0]:g} to {self.published[1]:g}"
        return f"{self.published:.7g}"


Line = tuple[np.ndarray, np.ndarray]
"""Places and values along an axis."""

Run = Any  # halocline.results.run.Run; benchmarks are not type-checked against it


@dataclass(frozen=True)
class Proof:
    """A case of examples/cases, changed by settings, and how its results are looked at."""

    name: str
    title: str
    case: str
    compare: Callable[[Run], list[Row]]
    draw: Callable[[Run, Figure], None] | None = None
    settings: Mapping[str, str] = field(default_factory=dict)


def published(section: str) -> dict[str, Any]:
    """Return a section of the published numbers."""
    found: dict[str, Any] = tomllib.loads((DATA / "reference.toml").read_text())[section]
    return found


def published_line(name: str) -> Line:
    """Return places and values of a published line."""
    with (DATA / f"{name}.csv").open() as file:
        rows = [[float(word) for word in row] for row in list(csv.reader(file))[1:]]
    places, values = np.array(rows).T
    return places, values


def line(run: Run, values: np.ndarray, along: int, through: tuple[float, ...]) -> Line:
    """Return places and values on the nodes of a line along an axis.

    Args:
        run: whose mesh has nodes there.
        values: one of each node.
        along: axis of the line.
        through: a point on it; its coordinate along the line does not count.
    """
    points = run.mesh().points[:, : len(through)]
    across = [axis for axis in range(len(through)) if axis != along]
    on = np.all(np.abs(points[:, across] - np.array(through)[across]) < 1e-9, axis=1)
    order = np.argsort(points[on, along])
    return points[on, along][order], values[on][order]


def extremum(at: np.ndarray, values: np.ndarray, sign: int) -> tuple[float, float]:
    """Return place and value of the largest of `sign` times the values, by a parabola."""
    i = int(np.clip(np.argmax(sign * values), 1, len(values) - 2))
    around = slice(i - 1, i + 2)
    parabola = np.polyfit(at[around], values[around], 2)
    place = -0.5 * parabola[1] / parabola[0]
    return float(place), float(np.polyval(parabola, place))


def series_of(run: Run) -> Any:
    """Return what was measured over the steps."""
    if run.series is None:
        raise halocline.errors.UsageError(
            f"{run.path} has no series.csv. Run with output.series_interval=1."
        )
    return run.series
