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
from halocline.mesh.edge_rows import Pairs, Stiffness, ends_of, pair_keys, summed
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
    weights = np.zeros(len(edges))
    rest_keys, rest_values = [np.empty(0, np.int64)], [np.empty(0)]
    for pairs in parts:
        row = np.searchsorted(keys, pairs.keys)
        row[row == len(keys)] = 0
        found = keys[row] == pairs.keys
        weights[row[found]] += pairs.values[0, found]
        rest_keys.append(pairs.keys[~found])
        rest_values.append(pairs.values[0, ~found])
    rest = summed(np.concatenate(rest_keys), np.concatenate(rest_values)[None])
    return _without_idle(edges, weights, ends_of(rest.keys, nodes), rest.values[0])


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
    for (a, b), weights in zip(found.pairs, found.values, strict=True):
        apart = corners[a] != corners[b]
        keys.append(pair_keys(corners[a, apart], corners[b, apart], len(points)))
        values.append(weights[apart])
    return summed(np.concatenate(keys), np.concatenate(values)[None])


def _without_idle(
    edges: AnyArray, weights: Floats, diagonals: Ints, diagonal_weights: Floats
) -> Stiffness:
    if len(diagonals) == 0:
        return Stiffness(weights, diagonals, diagonal_weights)
    largest = np.zeros(int(edges.max()) + 1)
    size = np.abs(weights)
    for end in edges.T:
        np.maximum.at(largest, end, size)
    at_ends = largest[diagonals].max(axis=1)
    kept: Bools = np.abs(diagonal_weights) > NOTHING * at_ends
    return Stiffness(weights, diagonals[kept], diagonal_weights[kept])
