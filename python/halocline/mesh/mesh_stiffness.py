# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Weights of the Laplacian for a mesh of any cells that lies in memory.

Cells are walked over in pieces: what a piece gives to edges is added to them at once, the rest are
diagonals. Those that carry nothing, as between the corners of rectangles, are left out.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from halocline.mesh.arrays import AnyArray, Bools, Floats, Ints
from halocline.mesh.edge_rows import Pairs, Stiffness, ends_of, pair_keys, summed, turned
from halocline.mesh.stiffness.cell_couplings import cell_couplings

PIECE = 200_000
"""Cells looked at together."""
NOTHING = 1e-12
"""A diagonal carries nothing below this part of the largest weight at both its ends."""

Coupled = Iterator[Pairs]


def mesh_stiffness(edges: AnyArray, nodes: int, parts: Coupled) -> Stiffness:
    """Return the weights of edges and of the diagonals that cells need besides.

    Args:
        edges: their ends (E, 2), lower node first, in ascending order.
        nodes: number of nodes.
        parts: couplings of all cells, a piece at a time.
    """
    keys = edges[:, 0].astype(np.int64) * nodes + edges[:, 1]
    values = np.zeros((4, len(edges)))
    rest_keys, rest_values = [np.empty(0, np.int64)], [np.empty((4, 0))]
    for pairs in parts:
        row = np.searchsorted(keys, pairs.keys)
        row[row == len(keys)] = 0
        found = keys[row] == pairs.keys
        values[:, row[found]] += pairs.values[:, found]
        rest_keys.append(pairs.keys[~found])
        rest_values.append(pairs.values[:, ~found])
    rest = summed(np.concatenate(rest_keys), np.concatenate(rest_values, axis=1))
    return _without_idle(edges, values, ends_of(rest.keys, nodes), rest.values)


def couplings_of_cells(points: Floats, cells: dict[str, AnyArray]) -> Coupled:
    """Yield the couplings of cells of the plain kinds.

    Args:
        points: coordinates (N, 3).
        cells: corners (n, k) in VTK's order, by dataset.
    """
    for dataset, table in cells.items():
        for first in range(0, len(table), PIECE):
            yield _piece(dataset, points, table[first : first + PIECE])


def _piece(dataset: str, points: Floats, rows: AnyArray) -> Pairs:
    corners = rows.T.astype(np.int64)
    found = cell_couplings(dataset, [np.ascontiguousarray(points[c].T) for c in corners])
    keys, values = [], []
    for (a, b), coupling in zip(found.pairs, found.values, strict=True):
        apart = corners[a] != corners[b]
        sign = np.where(corners[a] < corners[b], 1.0, -1.0)
        keys.append(pair_keys(corners[a, apart], corners[b, apart], len(points)))
        values.append((coupling * turned(sign))[:, apart])
    return summed(np.concatenate(keys), np.concatenate(values, axis=1))


def _without_idle(
    edges: AnyArray, values: Floats, diagonals: Ints, diagonal_values: Floats
) -> Stiffness:
    """Diagonals go if none has a weight: then the dual faces are those of the mesh.

    If some have, those without weight stay where their dual face has an area.
    """
    if len(diagonals) == 0:
        return Stiffness(values[0], diagonals, diagonal_values[0])
    has_weight = _counts(edges, np.abs(values[0]), diagonals, np.abs(diagonal_values[0]))
    if not has_weight.any():
        return Stiffness(values[0], diagonals[:0], diagonal_values[0, :0])
    areas = np.sqrt((values[1:] ** 2).sum(axis=0))
    diagonal_areas = np.sqrt((diagonal_values[1:] ** 2).sum(axis=0))
    kept = has_weight | _counts(edges, areas, diagonals, diagonal_areas)
    return Stiffness(
        values[0],
        diagonals[kept],
        diagonal_values[0, kept],
        None,
        values[1:].T,
        diagonal_values[1:, kept].T,
    )


def _counts(edges: AnyArray, size: Floats, diagonals: Ints, diagonal_size: Floats) -> Bools:
    """Whether a diagonal is not nothing beside the edges at its ends."""
    largest = np.zeros(int(edges.max()) + 1)
    for end in edges.T:
        np.maximum.at(largest, end, size)
    found: Bools = diagonal_size > NOTHING * largest[diagonals].max(axis=1)
    return found
