# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Finds equal rows of node numbers: every set of nodes gets one 64-bit number."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from halocline.mesh.arrays import AnyArray, Ints

LARGEST = 2**63 - 1
PIECE = 1 << 21


def row_keys(rows: AnyArray, nodes: int) -> Ints:
    """Return a number (n,) for each row (n, k), equal where rows hold the same nodes.

    Args:
        rows: node numbers in any order.
        nodes: all of them are below this.
    """
    ordered = _sorted_rows(rows)
    keys = ordered[0].astype(np.int64)
    limit = nodes
    for column in ordered[1:]:
        if limit > LARGEST // nodes:
            values, keys = np.unique(keys, return_inverse=True)
            limit = len(values)
        keys *= nodes
        keys += column
        limit *= nodes
    return keys


def grouped(keys: Ints) -> tuple[Ints, Ints]:
    """Sort keys: their order, and where in it each value begins, with the end of the last."""
    order = np.argsort(keys, kind="stable")
    new = np.ones(max(1, len(keys)), dtype=bool)
    for first in range(1, len(keys), PIECE):  # without all keys in order beside those out of it
        ordered = keys[order[first - 1 : first + PIECE]]
        new[first : first + PIECE] = ordered[1:] != ordered[:-1]
    return order, np.append(np.flatnonzero(new), len(keys))


def numbered(order: Ints, starts: Ints) -> AnyArray:
    """Return for each key of `grouped` the position of its value (n,), 32-bit."""
    numbers = np.empty(len(order), dtype=np.int32)
    flags = np.zeros(len(order), dtype=np.int32)
    flags[starts[1:-1]] = 1
    numbers[order] = np.cumsum(flags, dtype=np.int32)
    return numbers


def _sorted_rows(rows: AnyArray) -> list[AnyArray]:
    """Columns of rows sorted within each row; by exchanges, which is fastest for few columns."""
    columns = [rows[:, k] for k in range(rows.shape[1])]
    for last in range(len(columns) - 1, 0, -1):
        for low, high in pairwise(range(last + 1)):
            one, other = columns[low], columns[high]
            columns[low], columns[high] = np.minimum(one, other), np.maximum(one, other)
    return columns
