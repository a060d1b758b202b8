# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Turns cells right side out, refuses flat ones, drops nodes that no cell uses, joins twins."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise

import numpy as np

from halocline.mesh.arrays import AnyArray, Bools, Floats, Ints
from halocline.mesh.cells import KINDS, cell_volumes
from halocline.mesh.imports.blocks import PIECE, in_processes, pieces
from halocline.mesh.imports.face_faults import place
from halocline.mesh.imports.faces import without_repeats
from halocline.mesh.imports.source import CellFaces, Patch, Polygons, Source, broken

MIRRORED = {
    "cells_tetrahedron": (0, 2, 1, 3),
    "cells_pyramid": (0, 3, 2, 1, 4),
    "cells_prism": (0, 2, 1, 3, 5, 4),
    "cells_hexahedron": (0, 3, 2, 1, 4, 7, 6, 5),
    "cells_triangle": (0, 2, 1),
    "cells_quadrilateral": (0, 3, 2, 1),
}
HOLE = 1e-9
"""A polyhedron is closed when its area vectors cancel to this part of its surface."""

LARGEST = 1e90
"""Of coordinates: their cubes are still numbers."""

FLAT = 1e-14
"""A cell of less volume than this part of the cube of its size is flat: round-off of a sum."""


def require_sane(source: Source) -> None:
    """Refuse an empty mesh, numbers that are not finite and cells that name unknown nodes."""
    if len(source.points) == 0 or source.n_cells == 0:
        raise broken(
            source.path,
            "the mesh has no " + ("nodes" if len(source.points) == 0 else "cells"),
            "Write the file with the elements of the volume (Gmsh saves only named groups once "
            "there are any).",
        )
    bad = np.flatnonzero(~(np.abs(source.points) <= LARGEST).all(axis=1))
    if len(bad):
        x, y, z = source.points[bad[0]]
        raise broken(
            source.path,
            f"the coordinates of node {bad[0]} (counted from 0), {x:g}, {y:g}, {z:g}, are not "
            f"finite numbers up to {LARGEST:g}",
        )
    tables = [(name, rows) for name, rows in source.cells.items()]
    tables += [(f"boundary '{p.name}'", rows) for p in source.patches for rows in p.faces.values()]
    if source.polyhedra is not None:
        tables += [("a polyhedron", rows) for rows in source.polyhedra.nodes.values()]
    for name, rows in tables:
        if len(rows) and not (rows.min() >= 0 and rows.max() < len(source.points)):
            wrong = rows.min() if rows.min() < 0 else rows.max()
            raise broken(
                source.path,
                f"{name.removeprefix('cells_')} names node {wrong} (counted from 0), but there are "
                f"{len(source.points):,} nodes",
            )


def plain_sides(source: Source) -> None:
    """Take boundary faces that name a node twice for triangles, as faces of cells are."""
    for patch in source.patches:
        faces: dict[int, list[AnyArray]] = {}
        for rows in patch.faces.values():
            for part, _ in without_repeats(rows):
                if len(part):
                    faces.setdefault(part.shape[1], []).append(part)
        patch.faces = {k: np.concatenate(parts) for k, parts in faces.items()}


def flatten(source: Source) -> None:
    """Put a 2-D mesh into the plane z = 0."""
    if source.dimension == 3:
        return
    used = np.unique(np.concatenate([rows.ravel() for rows in source.cells.values()]))
    points = source.points[used]
    extent = float(np.ptp(points, axis=0).max())
    if np.ptp(points[:, 2]) > 1e-9 * extent:
        raise broken(
            source.path,
            "its cells are triangles and quadrilaterals that do not lie in one plane z = constant, "
            "so it is a surface in space and neither a 2-D nor a 3-D mesh",
            "Mesh the volume, or turn the surface into the x-y plane.",
        )
    source.points[:, 2] = 0.0


def orient(source: Source, processes: int = 1) -> None:
    """Turn cells whose corners run the other way round; refuse cells without volume."""
    for name, cells in source.cells.items():
        starts = range(0, len(cells), PIECE)
        found = in_processes(partial(_flat_and_wrong, source, name), len(starts), processes)
        flat = [start + rows[:1] for start, (rows, _) in zip(starts, found, strict=True)]
        without = np.concatenate([*flat, np.empty(0, np.int64)])
        what = name.removeprefix("cells_")
        if len(without):
            raise broken(
                source.path,
                f"{what} {without[0]} (counted from 0) at "
                f"{place(source.points, cells[without[0]])} has no "
                f"{'volume' if KINDS[name].dimension == 3 else 'area'}",
                "Repair the mesh there.",
            )
        for start, (_, wrong) in zip(starts, found, strict=True):
            cells[start + wrong] = cells[start + wrong][:, list(MIRRORED[name])]
        turned = sum(len(wrong) for _, wrong in found)
        if turned > 0:
            source.notes.append(
                f"{turned:,} of {len(cells):,} cells ({what}) list their corners the other way "
                "round; they were turned."
            )
    if source.polyhedra is not None:
        if not source.polyhedra.oriented:
            turn_outwards(source.points, source.polyhedra, source.n_polyhedra)
        _require_closed(source, source.polyhedra)


def _flat_and_wrong(source: Source, name: str, number: int) -> tuple[Ints, Ints]:
    """Return which cells of a piece have no volume, and which a negative one."""
    kind, first = KINDS[name], number * PIECE
    nodes = source.points[source.cells[name][first : first + PIECE]]
    volumes = cell_volumes(kind, nodes)
    size = np.ptp(nodes, axis=1).max(axis=1)
    flat = ~(np.abs(volumes) > FLAT * size**kind.dimension)
    return np.flatnonzero(flat), np.flatnonzero(volumes < 0.0)


def turn_outwards(points: Floats, faces: CellFaces, n_cells: int) -> None:
    """Turn the faces of polyhedra outwards, seen from the middle of the corners of their faces."""
    middle, corners = np.zeros((3, n_cells)), np.zeros(n_cells)
    for nodes, cells in _face_pieces(faces):
        total = points[nodes].sum(axis=1)
        for axis in range(3):
            middle[axis] += np.bincount(cells, total[:, axis], minlength=n_cells)
        corners += np.bincount(cells, minlength=n_cells) * nodes.shape[1]
    middle /= np.maximum(corners, 1)
    for nodes, cells in _face_pieces(faces):
        at = points[nodes]
        outward = at.mean(axis=1) - middle[:, cells].T
        inward = (outward * _area_of(at)).sum(axis=1) < 0.0
        nodes[inward] = nodes[inward][:, ::-1]
    faces.oriented = True


def _face_pieces(faces: CellFaces, rows: int = 2_000_000) -> Iterator[tuple[AnyArray, AnyArray]]:
    """Yield views of faces and of their cells, a piece at a time."""
    for k, nodes in faces.nodes.items():
        for first in range(0, len(nodes), rows):
            yield nodes[first : first + rows], faces.cells[k][first : first + rows]


def _area_of(corners: Floats) -> Floats:
    """Area vectors (n, 3) of polygons (n, k, 3)."""
    local = corners - corners[:, :1]
    area = np.zeros((len(corners), 3))
    for one, other in pairwise(range(1, corners.shape[1])):
        area += np.cross(local[:, one], local[:, other])
    area *= 0.5
    return area


def _require_closed(source: Source, faces: CellFaces) -> None:
    """Refuse polyhedra whose faces leave a hole, or lie there twice."""
    total = np.zeros((3, source.n_polyhedra))
    size = np.zeros(source.n_polyhedra)
    for nodes, cells in _face_pieces(faces):
        area = _area_of(source.points[nodes])
        for axis in range(3):
            total[axis] += np.bincount(cells, area[:, axis], minlength=len(size))
        size += np.bincount(cells, np.sqrt((area**2).sum(axis=1)), minlength=len(size))
    open_ones = np.flatnonzero(~(np.sqrt((total**2).sum(axis=0)) <= HOLE * size) | (size == 0.0))
    if len(open_ones):
        raise broken(
            source.path,
            f"the faces of cell {open_ones[0]} (counted from 0) do not close around it, nor those "
            f"of {len(open_ones) - 1:,} others",
            "Write all faces of the mesh, each once.",
        )


def drop_unused(source: Source) -> None:
    """Drop nodes that no cell uses, with a note."""
    used = np.zeros(len(source.points), dtype=bool)
    for table in _cell_tables(source):
        for _, rows in pieces(table):
            used[rows.ravel()] = True
    if used.all():
        return
    source.notes.append(f"{int((~used).sum()):,} nodes belong to no cell; they were left out.")
    new = np.cumsum(used) - 1
    _drop_faces_of_lost_nodes(source, used)
    source.points = source.points[used]
    _renumber(source, new)


def merge_nodes(source: Source, tolerance: float) -> None:
    """Join nodes at the same place: closer than a part `tolerance` of the extent, along each axis.

    Faces of named boundaries that end up between two cells are left out later, with a note.
    """
    step = max(tolerance * float(np.ptp(source.points, axis=0).max()), np.finfo(float).tiny)
    lattice = np.round((source.points - source.points.min(axis=0)) / step)
    order = np.lexsort(lattice.T)
    ordered = lattice[order]
    new_place = np.concatenate([[True], (ordered[1:] != ordered[:-1]).any(axis=1)])
    first = np.minimum.reduceat(order, np.flatnonzero(new_place))
    keep = np.zeros(len(order), dtype=bool)
    keep[first] = True
    joined = len(order) - len(first)
    if not joined:
        return
    stands_for = np.empty(len(order), dtype=np.int64)
    stands_for[order] = first[np.cumsum(new_place) - 1]
    new = (np.cumsum(keep) - 1)[stands_for]
    source.points = source.points[keep]
    _renumber(source, new)
    source.notes.append(f"{joined:,} nodes lay where another one lies; they were joined with it.")


def _cell_tables(source: Source) -> list[AnyArray]:
    tables = list(source.cells.values())
    if source.polyhedra is not None:
        tables += list(source.polyhedra.nodes.values())
    return tables


def _drop_faces_of_lost_nodes(source: Source, used: Bools) -> None:
    patches = []
    for patch in source.patches:
        kept: Polygons = {}
        for k, rows in patch.faces.items():
            whole = used[rows].all(axis=1)
            if whole.any():
                kept[k] = rows[whole]
            if not whole.all():
                source.notes.append(
                    f"{int((~whole).sum()):,} faces of '{patch.name}' touch no cell; they were "
                    "left out."
                )
        patches.append(Patch(patch.name, kept, patch.word))
    source.patches = patches


def _renumber(source: Source, new: Ints) -> None:
    numbers = new.astype(np.int32)
    for name, rows in source.cells.items():
        source.cells[name] = numbers[rows]
    for patch in source.patches:
        patch.faces = {k: numbers[rows] for k, rows in patch.faces.items()}
    if source.polyhedra is not None:
        nodes = source.polyhedra.nodes
        for k, rows in nodes.items():
            nodes[k] = numbers[rows]
