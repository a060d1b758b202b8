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

    def table(self, start: int, stop: int) -> AnyArray:
        """Return the same always with two dimensions."""
        return self.read(start, stop).reshape(stop - start, -1)
