# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Names numbers in an HDF5 file: a data set, or rows and columns of it, read when asked for."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import numpy.typing as npt

from halocline import hdf5
from halocline.errors import InvalidInputError

AnyArray = npt.NDArray[Any]
Ints = npt.NDArray[np.int64]
ROWS_PER_SLAB = 1 << 18


@dataclass(frozen=True)
class DataSet:
    """Numbers in a file; without `rows` all rows, without `columns` all columns.

    A results file keeps the steps of a field one behind the other in one HDF5 data set: a step is
    `rows` rows from `first` on. MG-CFD keeps five quantities in the columns of one.
    """

    file: Path
    name: str
    first: int = 0
    rows: int | None = None
    columns: tuple[int, int] | None = None

    def __str__(self) -> str:
        return f"{self.file}:{self.name}"

    @contextmanager
    def opened(self) -> Iterator[Rows]:
        """Open the file and check that the numbers are there."""
        with hdf5.opened(self.file) as handle:
            data = hdf5.find(handle, self.name)
            if data is None:
                raise InvalidInputError(
                    f"{self.file} holds no data set '{self.name}' (any more). Open it again."
                )
            yield Rows(self, hdf5.require_numbers(data))

    def read(self) -> AnyArray:
        """Return all of it."""
        with self.opened() as rows:
            return rows.read(0, rows.count)


class Rows:
    """An open `DataSet`: what `DataSet.opened` gives."""

    def __init__(self, wanted: DataSet, data: h5py.Dataset) -> None:
        stored = data.shape[0] if data.shape else 1
        count = stored - wanted.first if wanted.rows is None else wanted.rows
        if count < 0 or wanted.first + count > stored:
            raise InvalidInputError(
                f"{wanted}: {stored:,} rows are there, but {wanted.first + count:,} belong "
                "there. Remake the file."
            )
        width = math.prod(data.shape[1:])
        self._columns = slice(*(wanted.columns or (0, width)))
        self._data = data
        self._first = wanted.first
        self.count = count
        """Number of rows."""
        self.width = len(range(*self._columns.indices(width)))
        """Number of columns; all dimensions after the first are columns."""
        self.flat = len(data.shape) < 2 or (wanted.columns is not None and self.width == 1)
        """Whether a row is a number and no array of one."""
        self.dtype = data.dtype

    def read(self, start: int, stop: int) -> AnyArray:
        """Return the rows from `start` to `stop` as (stop - start, width), or flat."""
        data, first = self._data, self._first
        found = np.asarray(data[first + start : first + stop] if data.shape else data[()])
        table = found.reshape(stop - start, -1)[:, self._columns]
        return table[:, 0] if self.flat else np.ascontiguousarray(table)

    def at(self, rows: Ints) -> AnyArray:
        """Return some rows, in any order, as (len(rows), width); reads slab by slab."""
        order = np.argsort(rows, kind="stable")
        wanted = rows[order]
        found = np.empty((len(rows), self.width), dtype=self.dtype)
        edges = np.arange(0, self.count + ROWS_PER_SLAB, ROWS_PER_SLAB)
        places = np.searchsorted(wanted, edges)
        for slab in np.flatnonzero(np.diff(places)):
            first, last = places[slab], places[slab + 1]
            # Few rows far apart cost one small slab each, no matter how long the data set is.
            start, stop = int(wanted[first]), int(wanted[last - 1]) + 1
            found[order[first:last]] = self.table(start, stop)[wanted[first:last] - start]
        return found

    def whole(self) -> AnyArray:
        """Return all rows as a table; of the file itself, not copied, where it lies there plain.

        What picks rows in another order than the file's goes through it.
        """
        place = self._data.id.get_offset()
        if place is None or self._data.shape is None or not self._data.dtype.isnative:
            return self.table(0, self.count)
        width = math.prod(self._data.shape[1:])
        shape = (self._first + self.count, width)
        stored = np.memmap(self._data.file.filename, self.dtype, "r", place, shape)
        return stored[self._first :, self._columns]

    def table(self, start: int, stop: int) -> AnyArray:
        """Return the same always with two dimensions."""
        return self.read(start, stop).reshape(stop - start, -1)
