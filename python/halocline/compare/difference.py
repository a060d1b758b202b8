# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Measures how far two data sets are apart, in slabs of rows: memory does not grow with them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import h5py
import numpy as np
import numpy.typing as npt

from halocline import hdf5
from halocline.compare.catalogue import DataSet

VALUES_PER_SLAB = 1 << 20
Array = npt.NDArray[Any]


@dataclass
class Difference:
    """Two data sets side by side.

    A value that is not finite on one side only counts as infinitely far; the same infinity, or
    NaN on both sides, as equal.
    """

    key: str
    shape: tuple[int, ...]
    other_shape: tuple[int, ...]
    bitwise_equal: bool = True
    values: int = 0
    differing: int = 0
    max_abs: float = 0.0
    max_rel: float = 0.0
    row: int | None = None
    column: int | None = None
    a_at: float | None = None
    b_at: float | None = None
    sum_squares: float = 0.0
    sum_squares_a: float = 0.0
    sum_squares_b: float = 0.0

    @property
    def same_shape(self) -> bool:
        """Whether both have as many rows and columns; (N,) and (N,1) are the same."""
        return as_rows(self.shape) == as_rows(self.other_shape)

    @property
    def l2(self) -> float:
        """Euclidean norm of the difference."""
        return math.sqrt(self.sum_squares)

    def within(self, tolerance: float, bitwise: bool = False) -> bool:
        """Whether the two count as equal; a NaN distance never does."""
        if not self.same_shape or (bitwise and not self.bitwise_equal):
            return False
        return self.max_abs <= tolerance

    def as_json(self) -> dict[str, Any]:
        """Plain data; what is not finite becomes a string, since JSON has no word for it."""
        names = ("key", "shape", "other_shape", "bitwise_equal", "values", "differing")
        numbers = ("max_abs", "max_rel", "row", "column", "a_at", "b_at", "l2")
        data: dict[str, Any] = {name: getattr(self, name) for name in names}
        data |= {name: _json_number(getattr(self, name)) for name in numbers}
        data["l2_a"] = _json_number(math.sqrt(self.sum_squares_a))
        data["l2_b"] = _json_number(math.sqrt(self.sum_squares_b))
        return data


def _json_number(value: float | None) -> float | str | None:
    return value if value is None or math.isfinite(value) else str(value)


def as_rows(shape: tuple[int, ...]) -> tuple[int, int]:
    """Return (rows, columns) of a shape; all dimensions after the first are columns."""
    rows = shape[0] if shape else 1
    return rows, math.prod(shape[1:])


def measure(key: str, a: DataSet, b: DataSet) -> Difference:
    """Compare two data sets slab by slab."""
    with hdf5.opened(a.file) as file_a, hdf5.opened(b.file) as file_b:
        first, second = (
            hdf5.require_numbers(file[name]) for file, name in ((file_a, a.name), (file_b, b.name))
        )
        difference = Difference(key, first.shape, second.shape)
        if difference.same_shape:
            with np.errstate(over="ignore", invalid="ignore"):  # sums of huge values are infinite
                _measure_slabs(difference, first, second)
        else:
            difference.bitwise_equal = False
            difference.max_abs = difference.max_rel = math.inf
        return difference


def _measure_slabs(difference: Difference, first: h5py.Dataset, second: h5py.Dataset) -> None:
    rows, columns = as_rows(first.shape)
    difference.bitwise_equal = first.dtype == second.dtype
    for start, stop in _slabs(rows, columns):
        slab_a = _rows(first, start, stop).reshape(stop - start, columns)
        slab_b = _rows(second, start, stop).reshape(stop - start, columns)
        if difference.bitwise_equal:
            difference.bitwise_equal = slab_a.tobytes() == slab_b.tobytes()
        _add_slab(difference, slab_a.astype(np.float64), slab_b.astype(np.float64), start)


def _slabs(rows: int, columns: int) -> Iterator[tuple[int, int]]:
    step = max(1, VALUES_PER_SLAB // max(1, columns))
    for start in range(0, rows, step):
        yield start, min(rows, start + step)


def _rows(data: h5py.Dataset, start: int, stop: int) -> Array:
    return np.asarray(data[start:stop] if data.shape else data[()]).reshape(stop - start, -1)


def _add_slab(difference: Difference, a: Array, b: Array, first_row: int) -> None:
    apart = distance(a, b)
    difference.values += a.size
    difference.differing += int(np.count_nonzero(apart))
    difference.sum_squares += float(np.sum(np.square(apart)))
    difference.sum_squares_a += float(np.sum(np.square(a)))
    difference.sum_squares_b += float(np.sum(np.square(b)))
    if apart.size == 0:
        return
    difference.max_rel = max(difference.max_rel, float(np.max(relative_distance(a, b, apart))))
    place = int(np.argmax(apart))
    if apart.flat[place] > difference.max_abs:
        difference.max_abs = float(apart.flat[place])
        row, difference.column = divmod(place, a.shape[1])
        difference.row = first_row + row
        difference.a_at, difference.b_at = float(a.flat[place]), float(b.flat[place])


def distance(a: Array, b: Array) -> Array:
    """Return |a − b|; infinite where only one side is finite, 0 where both are the same."""
    with np.errstate(invalid="ignore", over="ignore"):
        apart: Array = np.abs(a - b)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    apart[same] = 0.0
    apart[np.isnan(apart)] = math.inf
    return apart


def relative_distance(a: Array, b: Array, apart: Array) -> Array:
    """Return |a − b| ÷ max(|a|, |b|), 0 where nothing differs."""
    scale = np.maximum(np.abs(a), np.abs(b))
    with np.errstate(invalid="ignore", divide="ignore"):
        relative: Array = np.where(apart > 0.0, apart / scale, 0.0)
    relative[np.isnan(relative)] = math.inf
    return relative
