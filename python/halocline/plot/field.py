# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Quantities that people look at, from the conserved variables of MG-CFD's result files.

Free stream and gas are MG-CFD's: γ = 1.4, ρ∞ = 1.4, p∞ = 1, Mach 1.2, all without dimension.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from halocline.errors import InvalidInputError, suggestion
from halocline.results.data_set import Ints
from halocline.results.field import in_brackets
from halocline.results.mesh import Floats
from halocline.results.run import Run

GAMMA = 1.4
RELATIVE_RANGE_SHOWN = 0.05
"""Where nine values in ten depart less, relative to the free stream, departures are drawn."""


TINY = 1e-16
LARGEST = 1e100
"""What is larger has left physics, and room for differences: drawn like what is not finite."""


@dataclass(frozen=True)
class Quantity:
    """A point function of the variables of a node: (N, 5) conserved ones, or those of a field."""

    name: str
    label: str
    symbol: str
    free_stream: float | None
    of: Callable[[Floats], Floats]


@dataclass(frozen=True)
class ShownField:
    """How values become colours: range, and the words for the colour bar."""

    origin: float
    """Subtracted from values before they are coloured."""
    low: float
    high: float
    label: str
    clipped: bool = False
    """Whether values lie beyond the range."""
    linear_width: float | None = None
    """Set for departures from the free stream: beyond it colours follow the logarithm."""

    @property
    def diverging(self) -> bool:
        """Whether zero is the middle of the colours."""
        return self.linear_width is not None


def _speed(q: Floats) -> Floats:
    momentum: Floats = np.sqrt(np.sum(q[:, 1:4] ** 2, axis=1))
    return momentum / q[:, 0]


def _pressure(q: Floats) -> Floats:
    return (GAMMA - 1.0) * (q[:, 4] - 0.5 * q[:, 0] * _speed(q) ** 2)


def _mach(q: Floats) -> Floats:
    return _speed(q) / np.sqrt(GAMMA * np.maximum(_pressure(q), 0.0) / q[:, 0])


QUANTITIES = {
    quantity.name: quantity
    for quantity in (
        Quantity("pressure", "pressure", "p / p∞", 1.0, _pressure),
        Quantity("density", "density", "ρ / ρ∞", 1.0, lambda q: q[:, 0] / 1.4),
        Quantity("mach", "Mach number", "Ma", 1.2, _mach),
        Quantity("speed", "speed", "|u| / c∞", 1.2, _speed),
        Quantity("energy", "total energy", "E / p∞", 3.508, lambda q: q[:, 4]),
    )
}


DEFAULT_QUANTITY = "pressure"
CONSERVED = ("density", "momentum", "energy")


class Values:
    """The quantities of one step of a run: its fields, and what follows from MG-CFD's variables."""

    def __init__(
        self, run: Run, step: int | None = None, time: float | None = None, lead: str = ""
    ) -> None:
        """Choose a step; `lead` names the field whose steps count, the first one's otherwise."""
        fields = run.fields
        first = fields.get(lead) or next(iter(fields.values()))
        self.step = int(first.steps[first.position(step, time)])
        """The step that was chosen."""
        self._frames = {
            name: field.frames[field.position(self.step)]
            for name, field in fields.items()
            if self.step in field.steps
        }
        self._units = {name: field.unit for name, field in fields.items()}
        self.path = run.path
        self.derived = run.solver in {"", "mgcfd"} and all(name in fields for name in CONSERVED)
        """Whether the fields are MG-CFD's variables, so that its quantities follow from them."""

    @property
    def names(self) -> list[str]:
        """What may be drawn."""
        return list(dict.fromkeys([*(QUANTITIES if self.derived else ()), *self._frames]))

    def file(self, name: str) -> Path:
        """Return the file that a quantity comes from."""
        frame = self._frames.get(name) or next(iter(self._frames.values()))
        return frame.file

    def quantity(self, name: str) -> Quantity:
        """Return a quantity by name; empty: pressure, or the first field there is."""
        if not name:
            name = DEFAULT_QUANTITY if self.derived else self.names[0]
        if self.derived and name in QUANTITIES:
            return QUANTITIES[name]
        if name not in self._frames:
            what = "one scalar" if len(self._frames) == 1 else "other fields"
            raise InvalidInputError(
                f"{self.path} holds {what} (no {name} follows from it). "
                f"{suggestion(name, self.names)}"
            )
        return Quantity(name, name, in_brackets(self._units[name]).strip(), None, _size)

    def of(self, quantity: Quantity, rows: Ints | None, nodes: int) -> Floats:
        """Return a quantity at some nodes (sorted), or at all of them."""
        if self.derived and quantity is QUANTITIES.get(quantity.name):
            values = np.column_stack([self._read(name, rows, nodes) for name in CONSERVED])
        else:
            values = self._read(quantity.name, rows, nodes)
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            found = quantity.of(values)
        found[~(np.abs(found) < LARGEST)] = np.nan
        return found

    def vector(self, name: str, nodes: int) -> Floats:
        """Return a vector (nodes, 3); `velocity` follows from MG-CFD's variables."""
        if name == "velocity" and self.derived and name not in self._frames:
            density = self._read("density", None, nodes)
            return self._read("momentum", None, nodes) / density
        if name not in self._frames:
            raise InvalidInputError(
                f"{self.path} holds no field '{name}'. {suggestion(name, self._frames)}"
            )
        vector = self._read(name, None, nodes)
        if vector.shape[1] != 3:
            raise InvalidInputError(
                f"{self.path}: {name} has {vector.shape[1]} components (streamlines follow one of "
                "three). Name a vector."
            )
        return vector

    def _read(self, name: str, rows: Ints | None, nodes: int) -> Floats:
        with self._frames[name].opened() as stored:
            if stored.count != nodes:
                raise InvalidInputError(
                    f"{self._frames[name]} has {stored.count:,} rows, but the mesh has {nodes:,} "
                    "nodes: it is not the mesh of that run. Name that one with --mesh."
                )
            found = stored.table(0, nodes) if rows is None else stored.at(rows)
        return np.asarray(found, dtype=np.float64)


def _size(values: Floats) -> Floats:
    """Return a scalar as it is, of a vector its length."""
    if values.shape[1] == 1:
        return values[:, 0].copy()
    length: Floats = np.sqrt(np.sum(values**2, axis=1))
    return length


def shown_field(quantity: Quantity, values: Floats) -> ShownField:
    """Choose range and wording; tiny departures from the free stream are drawn as such."""
    finite = values[np.isfinite(values)]
    if finite.size == 0:
        raise InvalidInputError(f"{quantity.label} has no finite value (did the run diverge?).")
    label = f"{quantity.label}  {quantity.symbol}".rstrip()
    if quantity.free_stream is None:
        return ShownField(0.0, float(finite.min()), float(finite.max()), label)
    low, high = (float(edge) for edge in np.percentile(finite, (1.0, 99.0)))
    sizes = np.abs(finite - quantity.free_stream)
    if np.percentile(sizes, 90.0) > RELATIVE_RANGE_SHOWN * quantity.free_stream:
        return ShownField(0.0, low, high, label, clipped=True)
    reach = max(float(sizes.max()), TINY)
    # Most of a surface moves much less than its edges: colours follow the logarithm over the
    # three to six decades above what a tenth of the nodes stay below.
    width = float(np.clip(np.percentile(sizes, 10.0), 1e-6 * reach, 1e-3 * reach))
    label += " − free stream"
    return ShownField(quantity.free_stream, -reach, reach, label, linear_width=width)
