# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What flow solvers need of an imported mesh besides its dual: a Laplacian, and where walls are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from halocline.mesh.arrays import AnyArray
from halocline.mesh.edge_rows import Pairs, Stiffness
from halocline.mesh.imports.cell_dual import Dual
from halocline.mesh.imports.face_faults import BoundaryFaces
from halocline.mesh.imports.source import CellFaces, Source
from halocline.mesh.imports.write import boundary_quads
from halocline.mesh.mesh_stiffness import couplings_of_cells, mesh_stiffness
from halocline.mesh.stiffness.polyhedra import PolyhedronFaces, polyhedron_couplings
from halocline.mesh.wall_distance import WallRows

PIECE = 50_000
"""Polyhedra looked at together."""


def stiffness_of_import(source: Source, edges: AnyArray) -> Stiffness:
    """Return the Laplacian of an imported mesh, whose polyhedra are of no plain kind.

    Args:
        source: its points, cells, and polyhedra by their faces.
        edges: of the dual (E, 2).
    """

    def parts() -> Iterator[Pairs]:
        yield from couplings_of_cells(source.points, source.cells)
        if source.polyhedra is not None:
            for first in range(0, source.n_polyhedra, PIECE):
                faces = _faces_of(source.polyhedra, first, first + PIECE)
                yield polyhedron_couplings(source.points, faces)

    return mesh_stiffness(edges, len(source.points), parts())


def walls_of_import(dual: Dual, faces: dict[int, BoundaryFaces], walls: list[bool]) -> WallRows:
    """Return which entries and boundary faces belong to boundaries that are walls."""
    flags = np.array(walls, dtype=np.int64)
    _, of_faces = boundary_quads(faces, flags)
    return WallRows(flags[dual.entry_patches] == 1, of_faces == 1)


def _faces_of(faces: CellFaces, first: int, end: int) -> PolyhedronFaces:
    """Faces of the polyhedra first..end-1."""
    nodes, cells = {}, {}
    for k, of in faces.cells.items():
        mine = (of >= first) & (of < end)
        if mine.any():
            nodes[k], cells[k] = faces.nodes[k][mine], of[mine]
    return PolyhedronFaces(nodes, cells)
