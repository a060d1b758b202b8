# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Divides quadrilaterals into triangles, and extrudes meshes of the plane into space."""

from __future__ import annotations

import numpy as np

from halocline.mesh.arrays import AnyArray, Bools, Floats, Ints
from halocline.mesh.elements import MIXED, TET
from halocline.mesh.flat_elements import TRI
from halocline.mesh.imports.source import Patch, Polygons, Source


def divided(points: Floats, quads: Ints, elements: str, kept: int) -> dict[str, AnyArray]:
    """Return the cells that elements ask for, in the plane.

    Args:
        points: coordinates (N, 3).
        quads: quadrilaterals (n, 4), counter-clockwise.
        elements: `tri` and `tet` divide all of them, `mixed` all but the first.
        kept: how many `mixed` keeps.
    """
    whole = {TRI: 0, TET: 0, MIXED: kept}.get(elements, len(quads))
    cells: dict[str, AnyArray] = {}
    if whole:
        cells["cells_quadrilateral"] = quads[:whole].astype(np.int32)
    if whole < len(quads):
        cells["cells_triangle"] = _triangles(points, quads[whole:]).astype(np.int32)
    return cells


def _triangles(points: Floats, quads: Ints) -> Ints:
    """Cut quadrilaterals along their shorter diagonal; 0-2 where both are equally long."""
    at = points[quads]
    one, other = (((at[:, a] - at[:, a + 2]) ** 2).sum(axis=1) for a in (0, 1))
    turned = np.where((other < one * (1.0 - 1e-9))[:, None], np.roll(quads, -1, axis=1), quads)
    return turned[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3)


def extruded(flat: Source, heights: Floats, *, tetrahedra: bool, ends: str) -> Source:
    """Return prisms and hexahedra, or tetrahedra, above the cells of a mesh in the plane.

    Args:
        flat: the mesh; triangles alone where tetrahedra are wanted.
        heights: z of each layer of nodes, ascending.
        tetrahedra: divide prisms into three.
        ends: boundary that the bottom and the top belong to.
    """
    count, layers = len(flat.points), len(heights) - 1
    points = np.tile(flat.points, (len(heights), 1))
    points[:, 2] = np.repeat(heights, count)
    cells: dict[str, AnyArray] = {}
    for name, rows in flat.cells.items():
        solid = np.concatenate([rows, rows + count], axis=1)
        above = (solid + count * np.arange(layers)[:, None, None]).reshape(-1, solid.shape[1])
        kind = "cells_prism" if name == "cells_triangle" else "cells_hexahedron"
        cells[kind] = above.astype(np.int32)
    if tetrahedra:
        cells = {"cells_tetrahedron": _tetrahedra(cells["cells_prism"])}
    patches = [_sides(patch, count, layers, tetrahedra=tetrahedra) for patch in flat.patches]
    for patch in patches:
        if patch.name == ends:
            _add_ends(patch.faces, flat.cells, count * layers)
    return Source(flat.path, points, cells, patches)


def _tetrahedra(prisms: AnyArray) -> AnyArray:
    """Three of each prism; diagonals rise to the higher number, so that neighbours fit."""
    order = np.argsort(prisms[:, :3], axis=1)
    low = np.take_along_axis(prisms[:, :3], order, axis=1)
    high = np.take_along_axis(prisms[:, 3:], order, axis=1)
    a, b, c = low.T
    d, e, f = high.T
    rows = np.stack([a, b, c, f, b, a, e, f, a, d, e, f], axis=1).reshape(-1, 3, 4)
    odd = ~_is_even(order)
    rows[odd] = rows[odd][:, :, [1, 0, 2, 3]]
    return rows.reshape(-1, 4)


def _is_even(order: AnyArray) -> Bools:
    """Whether permutations (n, 3) are even."""
    even: Bools = ((order[:, 1] - order[:, 0]) % 3) == 1
    return even


def _sides(patch: Patch, count: int, layers: int, *, tetrahedra: bool) -> Patch:
    """Faces above the lines of a boundary."""
    lines = patch.faces[2].astype(np.int64)
    quads = np.concatenate([lines, lines[:, ::-1] + count], axis=1)
    above = (quads + count * np.arange(layers)[:, None, None]).reshape(-1, 4)
    if not tetrahedra:
        return Patch(patch.name, {4: above.astype(np.int32)}, patch.word)
    # The diagonal rises from the lower number below to the higher one above.
    rising = (above[:, 0] < above[:, 1])[:, None]
    triangles = np.where(rising, above[:, [0, 1, 2, 0, 2, 3]], above[:, [0, 1, 3, 1, 2, 3]])
    return Patch(patch.name, {3: triangles.reshape(-1, 3).astype(np.int32)}, patch.word)


def _add_ends(faces: Polygons, cells: dict[str, AnyArray], top: int) -> None:
    for rows in cells.values():
        k = rows.shape[1]
        both = np.concatenate([rows[:, ::-1], rows + top])
        faces[k] = np.concatenate([faces[k], both]) if k in faces else both
