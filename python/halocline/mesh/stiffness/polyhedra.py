# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Couplings between the corners of polyhedra, which are known by their faces.

As cell_couplings.by_centroids: tetrahedra from the sides of faces to the means of faces and cell,
where values are means of the corners' values as well, u = P u_corners. The matrix is
transpose(P) L P, with L that of the tetrahedra; that of the dual faces, likewise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from halocline.mesh.arrays import AnyArray, Floats, Ints
from halocline.mesh.edge_rows import Pairs, pair_keys, summed
from halocline.mesh.stiffness.simplices import TETRAHEDRON_PAIRS, tetrahedron_couplings


@dataclass(frozen=True)
class PolyhedronFaces:
    """Faces by number of corners, turned outwards: nodes (F, k) and the cell of each (F,)."""

    nodes: dict[int, AnyArray]
    cells: dict[int, AnyArray]


def polyhedron_couplings(points: Floats, faces: PolyhedronFaces) -> Pairs:
    """Return the couplings of all pairs of corners of some polyhedra."""
    numbers, local = _renumbered(faces)
    means, places = _means(points[numbers], local)
    count = len(places)
    ends, weights = _couplings(places, local, len(numbers), count)
    graph = _matrix(weights[0], ends, (count, count))
    matrix = graph + graph.T
    laplacian = _diagonal(np.asarray(matrix.sum(axis=1)).ravel()) - matrix
    product = (means.T @ laplacian @ means).tocsr()
    keys, upper = _upper(product, numbers, len(points))
    values = [-np.asarray(product[upper]).ravel()]
    for component in weights[1:]:
        faces_from = _matrix(component, ends, (count, count))
        turned = (means.T @ (faces_from - faces_from.T) @ means).tocsr()
        values.append(np.asarray(turned[upper]).ravel())
    return summed(keys, np.stack(values))


def _upper(matrix: Any, numbers: Ints, nodes: int) -> tuple[Ints, tuple[Ints, Ints]]:
    """Pairs above the diagonal: their numbers and their places. Node numbers ascend with rows."""
    found = matrix.tocoo()
    upper = found.row < found.col
    row, col = found.row[upper], found.col[upper]
    return pair_keys(numbers[row], numbers[col], nodes), (row, col)


def _renumbered(faces: PolyhedronFaces) -> tuple[Ints, PolyhedronFaces]:
    """Number the corners and the cells that occur from 0."""
    corners = np.unique(np.concatenate([rows.ravel() for rows in faces.nodes.values()]))
    cells = np.unique(np.concatenate(list(faces.cells.values())))
    local = PolyhedronFaces(
        {k: np.searchsorted(corners, rows) for k, rows in faces.nodes.items()},
        {k: np.searchsorted(cells, rows) for k, rows in faces.cells.items()},
    )
    return corners.astype(np.int64), local


def _means(points: Floats, faces: PolyhedronFaces) -> tuple[Any, Floats]:
    """Return P, whose rows are corners, means of faces, means of cells; and their places."""
    from scipy.sparse import eye_array, vstack

    n = len(points)
    blocks: list[Any] = [eye_array(n, format="csr")]
    keys = []
    for k, rows in faces.nodes.items():
        at = np.repeat(np.arange(len(rows)), k)
        blocks.append(_matrix(np.full(rows.size, 1.0 / k), (at, rows.ravel()), (len(rows), n)))
        keys.append((faces.cells[k][:, None].astype(np.int64) * n + rows).ravel())
    corners = np.unique(np.concatenate(keys))
    cell, corner = corners // n, corners % n
    counts = np.bincount(cell)
    blocks.append(_matrix(1.0 / counts[cell], (cell, corner), (len(counts), n)))
    means = vstack(blocks, format="csr")
    places: Floats = means @ points
    return means, places


def _couplings(
    places: Floats, faces: PolyhedronFaces, first_face: int, count: int
) -> tuple[tuple[Ints, Ints], Floats]:
    """Couplings of the tetrahedra side, mean of face, mean of cell: ends, and (4, n) values."""
    cells = count - 1 - max(int(rows.max()) for rows in faces.cells.values())
    ones, others, weights = [], [], []
    for k, rows in faces.nodes.items():
        face = np.arange(first_face, first_face + len(rows))
        first_face += len(rows)
        for side in range(k):
            corners = (rows[:, (side + 1) % k], rows[:, side], face, cells + faces.cells[k])
            found, _ = tetrahedron_couplings([places[corner].T for corner in corners])
            for (a, b), values in zip(TETRAHEDRON_PAIRS, found, strict=True):
                ones.append(corners[a])
                others.append(corners[b])
                weights.append(values)
    return (np.concatenate(ones), np.concatenate(others)), np.concatenate(weights, axis=1)


def _matrix(values: Floats, at: tuple[Ints, Ints], shape: tuple[int, int]) -> Any:
    from scipy.sparse import csr_array

    return csr_array((values, at), shape=shape)


def _diagonal(values: Floats) -> Any:
    from scipy.sparse import diags_array

    return diags_array(values, format="csr")
