# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads chosen rows of a large HDF5 data set without reading all of it at once."""

from __future__ import annotations

import h5py
import numpy as np

from halocline.plot.arrays import Floats, Ints

ROWS_PER_SLAB = 1 << 18


def read_rows(data: h5py.Dataset, rows: Ints) -> Floats:
    """Return `data[rows]` for sorted `rows`, slab by slab."""
    found = np.empty((rows.size, data.shape[1]))
    for start in range(0, data.shape[0], ROWS_PER_SLAB):
        first, last = np.searchsorted(rows, (start, start + ROWS_PER_SLAB))
        if first < last:
            slab = np.asarray(data[start : start + ROWS_PER_SLAB], dtype=np.float64)
            found[first:last] = slab[rows[first:last] - start]
    return found
