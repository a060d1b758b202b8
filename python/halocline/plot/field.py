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

from halocline import hdf5
from halocline.errors import InvalidInputError
from halocline.plot.arrays import Floats, Ints
from halocline.plot.rows import read_rows

GAMMA = 1.4
RELATIVE_RANGE_SHOWN = 0.05
"""Below this range, relative to the free stream, the deviation from it is drawn instead."""


TINY = 1e-16
LARGEST = 1e100
"""What is larger has left physics, and room for differences: drawn like what is not finite."""


@dataclass(frozen=True)
class Quantity:
    """A point function of the variables of a node, (N, 5) conserved ones or (N, 1)."""

    name: str
    label: str
    symbol: str
    free_stream: float | None
    of: Callable[[Floats], Floats]


@dataclass(frozen=True)
class ShownField:
    """Values to colour by, with the range of colours and the words for the colour bar."""

    values: Floats
    low: float
    high: float
    label: str
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


SCALAR = Quantity("scalar", "scalar", "φ", None, lambda values: values[:, 0].copy())
DEFAULT_QUANTITY = "pressure"


def quantity_of(name: str, variables: Floats, file: Path) -> Quantity:
    """Return the quantity of a name; empty: pressure, or the scalar of files with one column."""
    if variables.shape[1] == 1:
        if name:
            raise InvalidInputError(
                f"{file} holds one scalar (no {name} follows from it). Leave --quantity out."
            )
        return SCALAR
    return QUANTITIES[name or DEFAULT_QUANTITY]


def read_variables(file: Path, rows: Ints, mesh_nodes: int) -> Floats:
    """Read some rows (sorted) of the one data set of a result file, slab by slab.

    Returns:
        (rows, 5) conserved variables, or (rows, 1) of a scalar.

    Raises:
        InvalidInputError: it is no such file, or one of another mesh.
    """
    with hdf5.opened(file) as handle:
        found = (hdf5.find(handle, name) for name in handle)
        data = next((item for item in found if item is not None), None)
        if data is None:
            raise InvalidInputError(f"{file} holds no data set. Is it a result file?")
        if data.shape is None or len(data.shape) != 2 or data.shape[1] not in (1, 5):
            raise InvalidInputError(f"{file}: {data.name} has no 5 columns. Is it variables?")
        if data.shape[0] != mesh_nodes:
            raise InvalidInputError(
                f"{file}: {data.name} has {data.shape[0]:,} rows, but the mesh has {mesh_nodes:,} "
                "nodes: it is not the mesh of that run. Name that one with --mesh."
            )
        return read_rows(hdf5.require_numbers(data), rows)


def shown_field(quantity: Quantity, variables: Floats) -> ShownField:
    """Choose range and wording; tiny departures from the free stream are drawn as such."""
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        values = quantity.of(variables)
    values[~(np.abs(values) < LARGEST)] = np.nan
    finite = values[np.isfinite(values)]
    if finite.size == 0:
        raise InvalidInputError(f"{quantity.label} has no finite value (did the run diverge?).")
    low, high = (float(edge) for edge in np.percentile(finite, (1.0, 99.0)))
    label = f"{quantity.label}  {quantity.symbol}"
    if quantity.free_stream is None:
        return ShownField(values, low, high, label)
    reach = max(abs(low - quantity.free_stream), abs(high - quantity.free_stream))
    if reach > RELATIVE_RANGE_SHOWN * quantity.free_stream:
        return ShownField(values, low, high, label)
    departures = values - quantity.free_stream
    sizes = np.abs(finite - quantity.free_stream)
    reach = max(float(sizes.max()), TINY)
    # Most of a surface moves much less than its edges: colours follow the logarithm over the
    # three to six decades above what a tenth of the nodes stay below.
    width = float(np.clip(np.percentile(sizes, 10.0), 1e-6 * reach, 1e-3 * reach))
    return ShownField(departures, -reach, reach, f"{label} − free stream", width)
