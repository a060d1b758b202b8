# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Parts of dual faces, cell by cell: what each cell gives to its edges.

Every cell is the polyhedron whose faces are fans of triangles about the means of their corners. The
dual face of an edge consists, in each cell and for each of its two faces that meet there, of the
triangle edge midpoint m, face centroid f, cell centroid c. Seen from outside, the corners a, b
follow each other around one of the two faces, f, and b, a around the other, g. The cell gives the
edge from a to b

    (c - m) x (f - m) / 2 - (c - m) x (g - m) / 2 = (c - m) x (f - g) / 2.

In two dimensions the part is the line from m to c, turned by a right angle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from halocline.mesh.arrays import AnyArray, Bools, Floats, Ints
from halocline.mesh.cells import KINDS, Kind, repeats_no_node
from halocline.mesh.imports.blocks import Block, Histogram, pieces, within
from halocline.mesh.imports.faces import rings_of, without_repeats
from halocline.mesh.imports.source import Source


@dataclass
class CellDual:
    """What the dual is made of: points by component (3, N), cells, centroids of polyhedra (M, 3).

    `folded`: which cells of a kind name a node twice; kinds without such cells are left out.
    """

    points: Floats
    source: Source
    centres: Floats
    folded: dict[str, Bools]


Parts3 = Iterator[tuple[Ints, Floats]]
"""Keys lower node * N + higher node (n,) of edges, and vectors (3, n) from the lower one."""


def cell_dual(source: Source, centres: Floats) -> CellDual:
    """Prepare the dual of a mesh.

    Args:
        source: cells of the right orientation.
        centres: centroids of the polyhedra (M, 3).
    """
    folded = {}
    for name, table in source.cells.items():
        if name in ("cells_tetrahedron", "cells_triangle"):
            continue  # they would have no volume
        marks = np.concatenate([~repeats_no_node(rows) for _, rows in pieces(table)])
        if marks.any():
            folded[name] = marks
    return CellDual(np.ascontiguousarray(source.points.T), source, centres, folded)


def edge_counts(source: Source) -> Histogram:
    """Return how many parts of edges have their lowest node where."""
    counts = Histogram(len(source.points))
    for name, table in source.cells.items():
        sides = _edges_of(KINDS[name])
        for _, rows in pieces(table):
            for one, other, _, _ in sides:
                counts.add(np.minimum(rows[:, one], rows[:, other]))
    if source.polyhedra is not None:
        for table in source.polyhedra.nodes.values():
            for _, rows in pieces(table):
                for side in range(rows.shape[1]):
                    counts.add(np.minimum(rows[:, side], rows[:, side - 1]))
    return counts


def parts_of_edges(cells: CellDual, block: Block) -> Parts3:
    """Yield what cells give to edges whose lower node lies in a block, kind by kind."""
    for name, table in cells.source.cells.items():
        kind, folded = KINDS[name], cells.folded.get(name)
        for first, rows in pieces(table):
            touching = _touching(rows, block)
            if folded is not None:
                fold = folded[first + touching]
                yield from _folded_parts(cells.points, kind, rows[touching[fold]], block)
                touching = touching[~fold]
            if len(touching):
                add = _plain_parts if kind.dimension == 3 else _flat_parts
                yield from add(cells.points, kind, rows[touching], block)
    if cells.source.polyhedra is not None:
        for k, table in cells.source.polyhedra.nodes.items():
            for first, rows in pieces(table):
                mine = _touching(rows, block)
                centres = cells.centres[cells.source.polyhedra.cells[k][first + mine]].T
                yield from _face_parts(cells.points, rows[mine], centres, block)


def _touching(rows: AnyArray, block: Block) -> Ints:
    """Return which cells or faces have a node in a block."""
    if rows.max() < block[0] or rows.min() >= block[1]:
        return np.empty(0, dtype=np.int64)
    columns = rows.T
    inside = (columns[0] >= block[0]) & (columns[0] < block[1])
    for column in columns[1:]:
        inside |= (column >= block[0]) & (column < block[1])
    return np.flatnonzero(inside)


def _edges_of(kind: Kind) -> list[tuple[int, int, int, int]]:
    """Edges of a kind: corners a, b, the face around which b follows a, and the other one.

    Of flat kinds the sides, whose two faces are no faces.
    """
    rings = rings_of(kind)
    if kind.dimension == 2:
        return [(ring[0], ring[1], 0, 0) for ring in rings]
    steps = {}
    for number, ring in enumerate(rings):
        for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
            steps[a, b] = number
    return [(a, b, face, steps[b, a]) for (a, b), face in steps.items() if a < b]


def _plain_parts(points: Floats, kind: Kind, rows: AnyArray, block: Block) -> Parts3:
    corners = np.ascontiguousarray(rows.T)
    at = points[:, corners]
    centre = at.mean(axis=1)
    middles = [at[:, list(ring)].mean(axis=1) for ring in kind.faces]
    for a, b, left, right in _edges_of(kind):
        lower = np.minimum(corners[a], corners[b])
        mine = within(lower, block)
        arm = centre[:, mine] - 0.5 * (at[:, a, mine] + at[:, b, mine])
        part = _cross(arm, middles[left][:, mine] - middles[right][:, mine])
        yield _directed(corners[a, mine], corners[b, mine], part, points.shape[1])


def _flat_parts(points: Floats, kind: Kind, rows: AnyArray, block: Block) -> Parts3:
    corners = np.ascontiguousarray(rows.T)
    at = points[:, corners]
    centre = at.mean(axis=1)
    for a, b, _, _ in _edges_of(kind):
        mine = within(np.minimum(corners[a], corners[b]), block)
        line = centre[:, mine] - 0.5 * (at[:, a, mine] + at[:, b, mine])
        part = np.stack([line[1], -line[0], np.zeros(len(mine))])
        yield _directed(corners[a, mine], corners[b, mine], part, points.shape[1])


def _folded_parts(points: Floats, kind: Kind, rows: AnyArray, block: Block) -> Parts3:
    """Cells that name a node twice: face by face, as faces of other cells see them."""
    if len(rows) == 0:
        return
    centres = points[:, rows].mean(axis=2)
    if kind.dimension == 2:
        for a, b, _, _ in _edges_of(kind):
            whole = np.flatnonzero(rows[:, a] != rows[:, b])
            one, other = rows[whole, a], rows[whole, b]
            mine = within(np.minimum(one, other), block)
            line = centres[:, whole[mine]] - 0.5 * (points[:, one[mine]] + points[:, other[mine]])
            part = np.stack([line[1], -line[0], np.zeros(len(mine))])
            yield _directed(one[mine], other[mine], part, points.shape[1])
        return
    for ring in kind.faces:
        for faces, kept in without_repeats(rows[:, list(ring)]):
            of = centres if kept is None else centres[:, kept]
            yield from _face_parts(points, faces, of, block)


def _face_parts(points: Floats, faces: AnyArray, centres: Floats, block: Block) -> Parts3:
    """Faces (n, k), turned outwards of cells with their centroids at (3, n)."""
    k = faces.shape[1]
    corners = np.ascontiguousarray(faces.T)
    at = points[:, corners]
    middle = at.mean(axis=1)
    for a in range(k):
        b = (a + 1) % k
        mine = within(np.minimum(corners[a], corners[b]), block)
        edge = 0.5 * (at[:, a, mine] + at[:, b, mine])
        part = _cross(centres[:, mine] - edge, middle[:, mine] - edge)
        yield _directed(corners[a, mine], corners[b, mine], part, points.shape[1])


def _cross(one: Floats, other: Floats) -> Floats:
    """Half the cross product of vectors (3, n)."""
    result = np.empty_like(one)
    for axis in range(3):
        up, down = (axis + 1) % 3, (axis + 2) % 3
        result[axis] = one[up] * other[down]
        result[axis] -= one[down] * other[up]
    result *= 0.5
    return result


def _directed(one: AnyArray, other: AnyArray, part: Floats, nodes: int) -> tuple[Ints, Floats]:
    """Keys of edges, and vectors turned so that they lead from the lower node to the higher."""
    keys = np.minimum(one, other).astype(np.int64)
    keys *= nodes
    keys += np.maximum(one, other)
    part *= np.where(one > other, -1.0, 1.0)
    return keys, part
