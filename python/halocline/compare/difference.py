# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Measures how far two data sets are apart, in slabs of rows: memory does not grow with them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from halocline.results.data_set import DataSet, Ints, Rows

VALUES_PER_SLAB = 1 << 20
WORST_KEPT = 400
"""Rows with the largest differences, for the map."""
LOWEST, HIGHEST = -324, 308
"""Decades of doubles."""
Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Limits:
    """What counts as equal: a value is within by its absolute or by its relative difference.

    `of_second`: relative differences are parts of |b|, not of the larger of the two.
    `rows_per_exception`: one value for each so many rows may be beyond; 0: none.
    """

    absolute: float = 0.0
    relative: float = 0.0
    bitwise: bool = False
    of_second: bool = False
    rows_per_exception: int = 0

    def words(self) -> str:
        """The limits in words."""
        if self.bitwise:
            return "bitwise"
        text = f"tolerance {self.absolute:g}"
        if self.relative > 0.0:
            text += f" or {self.relative:g} relative" + (" to the second" if self.of_second else "")
        if self.rows_per_exception:
            text += f", one value in {self.rows_per_exception} rows excepted"
        return text

    def beyond(self, apart: Array, relative: Array, b: Array) -> Array:
        """Return which values differ by more; `relative` is that to the larger of the two."""
        if self.of_second:
            return ~(apart <= np.maximum(self.relative * np.abs(b), self.absolute))
        return (apart > self.absolute) & ~(relative <= self.relative)

    def accept(self, over: int, rows: int) -> bool:
        """Whether so many values beyond are few enough for a data set of so many rows."""
        return over <= (rows // self.rows_per_exception if self.rows_per_exception else 0)


MGCFD_RULE = Limits(3e-19, 1e-7, of_second=True, rows_per_exception=5000)
"""By which MG-CFD validates, and `mgcfd -v` (src/halocline/solver/mgcfd/difference.cpp)."""


@dataclass
class Difference:
    """Two data sets side by side.

    A value that is not finite on one side only counts as infinitely far; the same infinity, or
    NaN on both sides, as equal. 0 equals −0. Bits are another matter: there −0 is not 0, and a NaN
    is only itself.
    """

    key: str
    shape: tuple[int, int]
    other_shape: tuple[int, int]
    limits: Limits = Limits()
    bitwise_equal: bool = True
    values: int = 0
    differing: int = 0
    over: int = 0
    """Values beyond the limits."""
    max_abs: float = 0.0
    max_rel: float = 0.0
    row: int | None = None
    column: int | None = None
    a_at: float | None = None
    b_at: float | None = None
    coordinates: tuple[float, float, float] | None = None
    """Of the row with the largest absolute difference, where a mesh is known."""
    sum_squares: float = 0.0
    sum_squares_a: float = 0.0
    sum_squares_b: float = 0.0
    decades: Ints = field(default_factory=lambda: np.zeros(HIGHEST - LOWEST + 1, dtype=np.int64))
    """How many finite differences have each power of ten, from 10^LOWEST."""
    worst_rows: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    worst_sizes: Array = field(default_factory=lambda: np.empty(0))

    @property
    def same_shape(self) -> bool:
        """Whether both have as many rows and columns; (N,) and (N,1) are the same."""
        return self.shape == self.other_shape

    @property
    def l2(self) -> float:
        """Euclidean norm of the difference."""
        return math.sqrt(self.sum_squares)

    @property
    def l2_relative(self) -> float:
        """The same ÷ the larger norm of the two; 0 where nothing differs."""
        scale = math.sqrt(max(self.sum_squares_a, self.sum_squares_b))
        if self.sum_squares == 0.0:
            return 0.0
        return self.l2 / scale if scale > 0.0 and math.isfinite(scale) else math.inf

    @property
    def accepted(self) -> bool:
        """Whether the two count as equal."""
        if not self.same_shape or (self.limits.bitwise and not self.bitwise_equal):
            return False
        return self.limits.accept(self.over, self.shape[0])

    def as_json(self) -> dict[str, Any]:
        """Plain data; what is not finite becomes a string, since JSON has no word for it."""
        names = ("key", "shape", "other_shape", "accepted", "bitwise_equal", "values", "differing")
        numbers = ("max_abs", "max_rel", "a_at", "b_at", "l2", "l2_relative")
        data: dict[str, Any] = {name: getattr(self, name) for name in names}
        data |= {name: getattr(self, name) for name in ("over", "row", "column", "coordinates")}
        data |= {name: _json_number(getattr(self, name)) for name in numbers}
        data["l2_a"] = _json_number(math.sqrt(self.sum_squares_a))
        data["l2_b"] = _json_number(math.sqrt(self.sum_squares_b))
        powers = np.flatnonzero(self.decades)
        data["decades"] = {str(power + LOWEST): int(self.decades[power]) for power in powers}
        return data


def _json_number(value: float | None) -> float | str | None:
    return value if value is None or math.isfinite(value) else str(value)


def measure(
    key: str, a: DataSet, b: DataSet, limits: Limits | None = None, order: Ints | None = None
) -> Difference:
    """Compare two data sets slab by slab.

    Args:
        key: name of the pair.
        a: the first.
        b: the second.
        limits: what counts as equal; equal values when None.
        order: row of `b` that belongs to each row of `a`; the same row when None.
    """
    with a.opened() as first, b.opened() as second:
        shapes = ((first.count, first.width), (second.count, second.width))
        difference = Difference(key, *shapes, limits or Limits())
        if difference.same_shape:
            with np.errstate(over="ignore", invalid="ignore"):  # sums of huge values are infinite
                _measure_slabs(difference, first, second, order)
        else:
            difference.bitwise_equal = False
            difference.max_abs = difference.max_rel = math.inf
        return difference


def _measure_slabs(difference: Difference, first: Rows, second: Rows, order: Ints | None) -> None:
    difference.bitwise_equal = first.dtype == second.dtype
    second_rows = _reader(second, order)
    for start, stop in _slabs(first.count, first.width):
        slab_a, slab_b = first.table(start, stop), second_rows(start, stop)
        if difference.bitwise_equal:
            difference.bitwise_equal = slab_a.tobytes() == slab_b.tobytes()
        _add_slab(difference, slab_a.astype(np.float64), slab_b.astype(np.float64), start)


def _reader(rows: Rows, order: Ints | None) -> Callable[[int, int], Array]:
    """Return what gives rows `start` to `stop`, in another order if there is one."""
    if order is None:
        return rows.table
    whole = rows.whole()

    def picked(start: int, stop: int) -> Array:
        return np.ascontiguousarray(whole[order[start:stop]])

    return picked


def _slabs(rows: int, columns: int) -> Iterator[tuple[int, int]]:
    step = max(1, VALUES_PER_SLAB // max(1, columns))
    for start in range(0, rows, step):
        yield start, min(rows, start + step)


def _add_slab(difference: Difference, a: Array, b: Array, first_row: int) -> None:
    apart = distance(a, b)
    difference.values += a.size
    difference.sum_squares_a += float(np.sum(np.square(a)))
    difference.sum_squares_b += float(np.sum(np.square(b)))
    differing = int(np.count_nonzero(apart))
    if differing == 0:
        return
    difference.differing += differing
    difference.sum_squares += float(np.sum(np.square(apart)))
    relative = relative_distance(a, b, apart)
    difference.max_rel = max(difference.max_rel, float(np.max(relative)))
    beyond = difference.limits.beyond(apart, relative, b)
    difference.over += int(np.count_nonzero(beyond & (apart > 0.0)))
    _add_decades(difference, apart)
    _add_worst(difference, apart.max(axis=1), first_row)
    place = int(np.argmax(apart))
    if apart.flat[place] > difference.max_abs:
        difference.max_abs = float(apart.flat[place])
        row, difference.column = divmod(place, a.shape[1])
        difference.row = first_row + row
        difference.a_at, difference.b_at = float(a.flat[place]), float(b.flat[place])


def _add_decades(difference: Difference, apart: Array) -> None:
    sizes = apart[(apart > 0.0) & np.isfinite(apart)]
    powers = np.clip(np.floor(np.log10(sizes)), LOWEST, HIGHEST).astype(np.int64) - LOWEST
    difference.decades += np.bincount(powers, minlength=len(difference.decades))


def _add_worst(difference: Difference, sizes: Array, first_row: int) -> None:
    """Keep the rows with the largest differences so far."""
    rows = np.flatnonzero(sizes)
    if len(rows) > WORST_KEPT:
        rows = rows[np.argpartition(-sizes[rows], WORST_KEPT)[:WORST_KEPT]]
    all_rows = np.concatenate([difference.worst_rows, rows + first_row])
    all_sizes = np.concatenate([difference.worst_sizes, sizes[rows]])
    best = np.argsort(-all_sizes, kind="stable")[:WORST_KEPT]
    difference.worst_rows, difference.worst_sizes = all_rows[best], all_sizes[best]


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
