# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Joins the faces of cells, block by block: which are boundary, of whom, and what cannot be.

In two dimensions the same code sees the sides of triangles and quadrilaterals as faces.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from halocline.mesh.arrays import AnyArray, Bools, Ints
from halocline.mesh.cells import KINDS, Kind
from halocline.mesh.imports.blocks import Block, in_processes, pieces, within
from halocline.mesh.imports.face_faults import UNNAMED, BoundaryFaces, Findings, refuse
from halocline.mesh.imports.row_keys import grouped, row_keys
from halocline.mesh.imports.source import Patch, Source


def boundary_faces(
    source: Source, blocks: list[Block], processes: int = 1
) -> dict[int, BoundaryFaces]:
    """Return the boundary faces of a mesh, each once, by their number of corners.

    Raises:
        InvalidInputError: a face with three cells, cells that overlap, boundaries that fit nowhere.
    """
    found = in_processes(lambda n: _find(source, blocks[n]), len(blocks), processes)
    refuse(source, found)
    for number, patch in enumerate(source.patches):
        count = sum(part.inside.get(number, 0) for part in found)
        if count:
            source.notes.append(
                f"{count:,} faces of '{patch.name}' lie inside the mesh, with cells on both sides; "
                "they are not a boundary and were left out."
            )
    sizes = sorted({k for part in found for k in part.faces})
    joined = {}
    for k in sizes:
        parts = [part.faces[k] for part in found if k in part.faces]
        nodes = np.concatenate([part.nodes for part in parts])
        joined[k] = BoundaryFaces(nodes, np.concatenate([part.patch for part in parts]))
    return joined


def _find(source: Source, block: Block) -> Findings:
    """Join the faces whose lowest node lies in a block."""
    found = Findings()
    local: dict[int, list[tuple[AnyArray, AnyArray]]] = {}
    for rows, cells in local_faces(source, block):
        local.setdefault(rows.shape[1], []).append((rows, cells))
    for k in sorted({*local, *(k for patch in source.patches for k in patch.faces)}):
        parts = local.pop(k, [])
        nodes = np.concatenate([rows for rows, _ in parts] or [np.empty((0, k), np.int32)])
        cells = np.concatenate([cells for _, cells in parts] or [np.empty(0, np.int32)])
        parts.clear()
        _join(source, found, block, (nodes, cells))
    return found


def local_faces(source: Source, block: Block) -> Iterator[tuple[AnyArray, AnyArray]]:
    """Yield faces of cells (n, k) with their lowest node in a block, and the cell of each (n,)."""
    first = 0
    for name, table in source.cells.items():
        for start, corners in pieces(table):
            if corners.max() < block[0] or corners.min() >= block[1]:
                continue
            for ring in rings_of(KINDS[name]):
                columns = [corners[:, corner] for corner in ring]
                mine = within(np.minimum.reduce(columns), block)
                rows = np.stack([column[mine] for column in columns], axis=1)
                for part, kept in without_repeats(rows):
                    cells = mine if kept is None else mine[kept]
                    yield part, (cells + (first + start)).astype(np.int32)
        first += len(table)
    if source.polyhedra is not None:
        for k, table in source.polyhedra.nodes.items():
            for start, rows in pieces(table):
                mine = within(rows.min(axis=1), block)
                cells = source.polyhedra.cells[k][start + mine]
                yield rows[mine], (cells + first).astype(np.int32)


def rings_of(kind: Kind) -> tuple[tuple[int, ...], ...]:
    """Return the faces of a kind of cell, seen from outside; of flat ones their sides."""
    if kind.dimension == 3:
        return kind.faces
    ring = kind.faces[0]
    return tuple(zip(ring, ring[1:] + ring[:1], strict=True))


def without_repeats(faces: AnyArray) -> list[tuple[AnyArray, Ints | None]]:
    """Take faces that name a node twice for what they are: triangles, or nothing.

    Returns:
        Pieces: rows, and which of the faces they are (None: all).
    """
    k = faces.shape[1]
    same = [faces[:, n] == faces[:, (n + 1) % k] for n in range(k if k > 2 else 1)]
    repeated = np.logical_or.reduce(same)
    across = (faces[:, 0] == faces[:, 2]) | (faces[:, 1] == faces[:, 3]) if k == 4 else None
    if across is not None:
        repeated |= across
    if not repeated.any():
        return [(faces, None)]
    whole = np.flatnonzero(~repeated)
    found: list[tuple[AnyArray, Ints | None]] = [(faces[whole], whole)]
    if across is not None:
        equal = np.stack(same, axis=1)
        once = np.flatnonzero((equal.sum(axis=1) == 1) & ~across)
        kept = np.arange(4)[None, :] != equal[once].argmax(axis=1)[:, None]
        found.append((faces[once][kept].reshape(-1, 3), once))
    return found


def _join(source: Source, found: Findings, block: Block, local: tuple[AnyArray, AnyArray]) -> None:
    nodes, cells = local
    listed, owners = _listed(source.patches, nodes.shape[1], block)
    if len(nodes) + len(listed) == 0:
        return
    order, starts = grouped(row_keys(np.concatenate([nodes, listed]), len(source.points)))
    values = np.diff(starts)
    sharing = values - np.add.reduceat(order >= len(nodes), starts[:-1], dtype=np.int64)
    first = order[starts[:-1]]  # a cell, where there is any: the order of equal keys is kept
    _note_crowded(found, nodes, first, sharing)
    inner = np.flatnonzero(sharing == 2)
    _note_overlap(found, nodes, cells, (first[inner], order[starts[inner] + 1]))
    outer = np.flatnonzero(sharing == 1)
    patch = np.full(len(sharing), UNNAMED, dtype=np.int32)
    if len(listed):
        _name(found, (listed, owners), (order, starts, len(nodes)), (patch, sharing))
    if len(outer):
        found.faces[nodes.shape[1]] = BoundaryFaces(nodes[first[outer]], patch[outer])


def _listed(patches: list[Patch], k: int, block: Block) -> tuple[AnyArray, AnyArray]:
    """Return the faces of named boundaries in a block, and the number of the boundary of each."""
    rows, owners = [np.empty((0, k), np.int32)], [np.empty(0, np.int32)]
    for number, patch in enumerate(patches):
        if k in patch.faces:
            mine = within(patch.faces[k].min(axis=1), block)
            rows.append(patch.faces[k][mine])
            owners.append(np.full(len(mine), number, np.int32))
    return np.concatenate(rows), np.concatenate(owners)


def _note_crowded(found: Findings, nodes: AnyArray, first: Ints, sharing: Ints) -> None:
    many = np.flatnonzero(sharing > 2)
    found.crowded += len(many)
    if len(many) and found.crowded_first is None:
        found.crowded_first = (nodes[first[many[0]]], int(sharing[many[0]]))


def _note_overlap(
    found: Findings, nodes: AnyArray, cells: AnyArray, pair: tuple[Ints, Ints]
) -> None:
    """Two cells see the face between them from opposite sides; else one is inside out."""
    one, other = pair
    for start, mine in pieces(one):
        theirs = other[start : start + len(mine)]
        wrong = np.flatnonzero(_turn_alike(nodes[mine], nodes[theirs]))
        if len(wrong) and found.overlap is None:
            row = wrong[0]
            pair_of_cells = sorted((int(cells[mine[row]]), int(cells[theirs[row]])))
            found.overlap = (nodes[mine[row]], pair_of_cells)


def _turn_alike(one: AnyArray, other: AnyArray) -> Bools:
    """Whether rows of the same nodes run around in the same direction."""
    if one.shape[1] == 2:
        return np.asarray(one[:, 0] == other[:, 0])
    at = (other == one[:, :1]).argmax(axis=1)
    following = np.take_along_axis(other, ((at + 1) % one.shape[1])[:, None], axis=1)[:, 0]
    return np.asarray(following == one[:, 1])


def _name(
    found: Findings,
    named: tuple[AnyArray, AnyArray],
    joined: tuple[Ints, Ints, int],
    of: tuple[AnyArray, Ints],
) -> None:
    """Give boundary faces the number of the named boundary that lists them.

    Args:
        found: collects faces that two boundaries list, that lie inside, or that are none.
        named: faces that boundaries list, and the boundary of each.
        joined: order and begin of equal faces, and how many of them are faces of cells.
        of: patch of each face, to be set, and the number of its cells.
    """
    (listed, owners), (order, starts, own), (patch, sharing) = named, joined, of
    value = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    at = np.empty(len(listed), dtype=np.int64)
    mine = order >= own
    at[order[mine] - own] = value[mine]
    outer = sharing[at] == 1
    patch[at[outer]] = owners[outer]
    contested = np.flatnonzero(outer & (patch[at] != owners))
    if len(contested) and found.contested is None:
        row = contested[0]
        found.contested = (listed[row], [int(owners[row]), int(patch[at[row]])])
    lost = np.flatnonzero(sharing[at] == 0)
    if len(lost) and found.lost is None:
        found.lost = (listed[lost[0]], int(owners[lost[0]]))
    numbers, counts = np.unique(owners[sharing[at] == 2], return_counts=True)
    for number, count in zip(numbers.tolist(), counts.tolist(), strict=True):
        found.inside[number] = found.inside.get(number, 0) + count
