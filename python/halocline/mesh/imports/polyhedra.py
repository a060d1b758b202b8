# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What is known of a polyhedron from its faces: corners, centre, and which of them are plain cells.

Files of faces (OpenFOAM, CGNS's NGON) do not say that a cell with six quadrilaterals is a
hexahedron. Level files keep such cells by kind and all others by their corners.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from halocline.mesh.arrays import AnyArray, Bools, Floats, Ints
from halocline.mesh.cells import CONVEX
from halocline.mesh.imports.blocks import PIECE, in_processes
from halocline.mesh.imports.source import CellFaces, Source

SIGNATURES = {
    "cells_tetrahedron": (4, 0, 4),
    "cells_pyramid": (4, 1, 5),
    "cells_prism": (2, 3, 6),
    "cells_hexahedron": (0, 6, 8),
}
"""Triangles, quadrilaterals and corners of the plain kinds."""


@dataclass
class OtherCells:
    """Polyhedra that are not plain cells: their centroids (n, 3), and their corners by dataset."""

    centres: Floats
    cells: dict[str, AnyArray]


def separate_plain_cells(source: Source, processes: int = 1) -> OtherCells:
    """Take polyhedra that are plain cells for what they are; the others alone keep their faces."""
    faces, n_cells = source.polyhedra, source.n_polyhedra
    if faces is None:
        return OtherCells(np.empty((0, 3)), {})
    pieces = range(0, n_cells, PIECE)

    def work(number: int) -> tuple[Bools, dict[str, AnyArray], OtherCells]:
        first, end = pieces[number], min(pieces[number] + PIECE, n_cells)
        mine = _between(faces, first, end)
        corners, starts = corners_of_cells(mine, len(source.points), end - first)
        plain, cells = plain_cells(mine, corners, starts)
        middles = centres(source.points, corners, starts)[~plain]
        return plain, cells, OtherCells(middles, convex_cells(corners, starts, ~plain))

    parts = in_processes(work, len(pieces), processes)
    plain = np.concatenate([of for of, _, _ in parts])
    source.cells = _merged([source.cells, *(cells for _, cells, _ in parts)])
    rest = [of for _, _, of in parts]
    parts.clear()
    number = (np.cumsum(~plain) - 1).astype(np.int32)
    source.n_polyhedra = int((~plain).sum())
    left = CellFaces(oriented=True)
    for k, cells in faces.cells.items():
        mine = np.flatnonzero(~plain[cells])
        if len(mine):
            left.nodes[k], left.cells[k] = faces.nodes[k][mine], number[cells[mine]]
    source.polyhedra = left if source.n_polyhedra else None
    return OtherCells(
        np.concatenate([of.centres for of in rest]), _merged([of.cells for of in rest])
    )


def _merged(tables: list[dict[str, AnyArray]]) -> dict[str, AnyArray]:
    """Return the rows of equal names one behind the other."""
    rows: dict[str, list[AnyArray]] = {}
    for table in tables:
        for name, part in table.items():
            rows.setdefault(name, []).append(part)
    return {name: np.concatenate(parts) for name, parts in rows.items()}


def _between(faces: CellFaces, first: int, end: int) -> CellFaces:
    """Return the faces of some cells, which are numbered from 0."""
    found = CellFaces(oriented=faces.oriented)
    for k, cells in faces.cells.items():
        mine = np.flatnonzero((cells >= first) & (cells < end))
        if len(mine):
            found.nodes[k], found.cells[k] = faces.nodes[k][mine], cells[mine] - first
    return found


def corners_of_cells(faces: CellFaces, n_nodes: int, n_cells: int) -> tuple[Ints, Ints]:
    """Return the different corners of all cells, cell by cell, and where each cell begins."""
    parts = []
    for k, cells in faces.cells.items():
        for corner in faces.nodes[k].T:
            parts.append(cells.astype(np.int64))
            parts[-1] *= n_nodes
            parts[-1] += corner
    keys = np.concatenate(parts)
    parts.clear()
    keys.sort()
    keys = keys[np.concatenate([[True], keys[1:] != keys[:-1]])]
    starts = np.searchsorted(keys, np.arange(n_cells + 1) * n_nodes)
    return keys % n_nodes, starts


def centres(points: Floats, corners: Ints, starts: Ints) -> Floats:
    """Return the means of the corners of cells (n, 3)."""
    counts = np.diff(starts)
    cell = np.repeat(np.arange(len(counts)), counts)
    total = [np.bincount(cell, points[corners, axis], minlength=len(counts)) for axis in range(3)]
    result: Floats = np.stack(total, axis=1) / counts[:, None]
    return result


def plain_cells(faces: CellFaces, corners: Ints, starts: Ints) -> tuple[Bools, dict[str, AnyArray]]:
    """Return which cells are of the plain kinds, and their corners in VTK's order by dataset."""
    n_cells = len(starts) - 1
    counts = np.diff(starts)
    of = {k: np.bincount(cells, minlength=n_cells) for k, cells in faces.cells.items()}
    none = np.zeros(n_cells, dtype=np.int64)
    triangles, quads = of.get(3, none), of.get(4, none)
    others = sum((n for k, n in of.items() if k not in (3, 4)), none)
    found: dict[str, AnyArray] = {}
    plain: Bools = np.zeros(n_cells, dtype=bool)
    for name, (n_triangles, n_quads, n_corners) in SIGNATURES.items():
        mine = (others == 0) & (triangles == n_triangles) & (quads == n_quads)
        mine &= counts == n_corners
        numbers = np.flatnonzero(mine)
        if len(numbers):
            rows, whole = _ordered(name, faces, numbers, n_cells, corners, starts)
            plain[numbers[whole]] = True
            if whole.any():
                found[name] = rows[whole]
    return plain, found


def convex_cells(corners: Ints, starts: Ints, chosen: Bools) -> dict[str, AnyArray]:
    """Return the corners of some cells in any order, by dataset."""
    counts = np.diff(starts)
    found = {}
    for k in np.unique(counts[chosen]):
        numbers = np.flatnonzero(chosen & (counts == k))
        rows = corners[starts[numbers][:, None] + np.arange(k)]
        found[f"{CONVEX}{k}"] = rows.astype(np.int32)
    return found


def _ordered(
    name: str, faces: CellFaces, numbers: Ints, n_cells: int, corners: Ints, starts: Ints
) -> tuple[AnyArray, AnyArray]:
    """Corners (n, k) in VTK's order, and whether the cell is what its counts promise."""
    base_size = 3 if name in ("cells_tetrahedron", "cells_prism") else 4
    by_face = _faces_of(faces, base_size, numbers, n_cells)
    base = by_face[:, 0, ::-1]
    size = SIGNATURES[name][2]
    if size == base_size + 1:
        mine = corners[starts[numbers][:, None] + np.arange(size)]
        apex = ~(mine[:, :, None] == base[:, None, :]).any(axis=2)
        whole = apex.sum(axis=1) == 1
        top = np.where(whole, mine[np.arange(len(mine)), apex.argmax(axis=1)], 0)
        return np.concatenate([base, top[:, None]], axis=1).astype(np.int32), whole
    sides = _faces_of(faces, 4, numbers, n_cells)
    one = sides.reshape(len(numbers), -1)
    other = np.roll(sides, -1, axis=2).reshape(len(numbers), -1)
    above = ~(other[:, :, None] == base[:, None, :]).any(axis=2)
    rising = (one[:, :, None] == base[:, None, :]) & above[:, :, None]
    top = np.take_along_axis(other, rising.argmax(axis=1), axis=1)
    ordered = np.sort(np.concatenate([base, top], axis=1), axis=1)
    whole = rising.any(axis=1).all(axis=1) & (ordered[:, 1:] != ordered[:, :-1]).all(axis=1)
    return np.concatenate([base, top], axis=1).astype(np.int32), whole


def _faces_of(faces: CellFaces, k: int, numbers: Ints, n_cells: int) -> AnyArray:
    """Faces with k corners of some cells that all have as many: (cells, faces, k)."""
    chosen = np.zeros(n_cells, dtype=bool)
    chosen[numbers] = True
    mine = np.flatnonzero(chosen[faces.cells[k]])
    order = mine[np.argsort(faces.cells[k][mine], kind="stable")]
    return faces.nodes[k][order].reshape(len(numbers), -1, k)
