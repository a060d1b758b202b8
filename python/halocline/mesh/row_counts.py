# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Counts the edges and diagonals of each i-plane before any is computed.

Planes that look alike, with the layers on both sides, have as many rows: few are looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from halocline.mesh.arrays import Floats, Ints
from halocline.mesh.edge_rows import pair_keys
from halocline.mesh.lattice import Lattice, lattice_of
from halocline.mesh.stiffness.cell_couplings import edges_of

if TYPE_CHECKING:
    from halocline.mesh.layout import Layout


@dataclass(frozen=True)
class RowCounts:
    """First edge and first diagonal of each i-plane, and all of them at the end (planes + 1,)."""

    edge_offsets: Ints
    diagonal_offsets: Ints


def count_rows(layout: Layout) -> RowCounts:
    """Count the rows whose lower node lies in each plane.

    A diagonal is a pair of corners of a cell that is not an edge of any cell. Where lines are
    straight and meet at right angles, quadrilaterals and hexahedra have none.
    """
    offsets = layout.plane_offsets()
    patterns = layout.layer_cells()
    kinds = layout.column_kinds(np.arange(layout.shape[0]))
    known: dict[tuple[object, ...], tuple[int, int]] = {}
    counts = np.zeros((layout.planes, 2), dtype=np.int64)
    for plane in range(layout.planes):
        near = [n for n in (plane - 1, plane) if 0 <= n < len(patterns)]
        around = kinds[max(plane - 1, 0) : plane + 2].tobytes()
        ends = (plane == 0, plane + 1 >= layout.planes)
        key = (*ends, *(patterns[n] for n in near), around)
        if key not in known:
            known[key] = _count(lattice_of(layout, _nowhere, offsets, (plane, plane + 1)))
        counts[plane] = known[key]
    return RowCounts(_starts(counts[:, 0]), _starts(counts[:, 1]))


def _count(lattice: Lattice) -> tuple[int, int]:
    """Edges and diagonals whose lower node is an own one."""
    nodes = lattice.layout.node_count()
    first, last = lattice.own_range
    every, edges = [], []
    for batch in lattice.batches():
        for a, b in combinations(range(len(batch.ids)), 2):
            one, other = batch.ids[a], batch.ids[b]
            low = np.minimum(one, other)
            mine = (one != other) & (low >= first) & (low < last)
            keys = pair_keys(one[mine], other[mine], nodes)
            every.append(keys)
            if (a, b) in edges_of(batch.dataset):
                edges.append(keys)
    edge_count = len(np.unique(np.concatenate(edges)))
    if without_diagonals(lattice.layout):
        return edge_count, 0
    return edge_count, len(np.unique(np.concatenate(every))) - edge_count


def without_diagonals(layout: Layout) -> bool:
    """Whether all cells are rectangles or rectangular hexahedra."""
    return layout.orthogonal and layout.elements in ("quad", "hex")


def _nowhere(i: Ints, j: Ints, k: Ints) -> Floats:
    return np.zeros((3, len(i), len(j), len(k)))


def _starts(counts: Ints) -> Ints:
    return np.concatenate([[0], np.cumsum(counts)])
