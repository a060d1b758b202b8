# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Boundary of cells divided into elements: area vectors of nodes, and faces for pictures."""

from __future__ import annotations

import numpy as np

from halocline.mesh.arrays import Floats, Ints
from halocline.mesh.dual import Family, half_cross
from halocline.mesh.element_dual import Place, at_corner, mean_at, planes_of
from halocline.mesh.elements import Division, bits, runs

PlaneFace = list[Place]
"""Corners of a face by their positions in the plane of a boundary surface."""


def faces_on(family: Family, division: Division) -> list[PlaneFace]:
    """Faces that a cell has on a boundary surface, counter-clockwise seen from outside."""
    faces = division.outer_faces(family.axis, last=family.side > 0)
    return [[_without(bits(corner), family.axis) for corner in face] for face in faces]


def surface_vectors(nodes: Floats, divisions: list[Division], family: Family) -> Floats:
    """Inward area vectors of the nodes of a boundary surface.

    A triangle gives a third of its area to each corner; a quadrilateral gives each the part
    between corner, midpoints of sides and centroid.

    Args:
        nodes: coordinates (3, n, m) of the surface.
        divisions: of the n - 1 layers along i or, where the surface is an i-plane, of the one
            layer behind it.
        family: the surface.

    Returns:
        (3, n, m).
    """
    inward = np.zeros(nodes.shape)
    if family.axis == 0:
        _add_faces(inward, nodes, faces_on(family, divisions[0]))
        return inward
    for layers, division in runs(divisions):
        planes = planes_of(layers)
        _add_faces(inward[:, planes], nodes[:, planes], faces_on(family, division))
    return inward


def surface_quads(ids: Ints, divisions: list[Division], family: Family) -> Ints:
    """Corners (Q, 4) of the faces of a boundary surface; a triangle repeats its last corner.

    Args:
        ids: nodes (n, m) of the surface.
        divisions: as surface_vectors takes them.
        family: the surface.
    """
    if family.axis == 0:
        return _corners(ids, faces_on(family, divisions[0]))
    rows = [
        _corners(ids[planes_of(layers)], faces_on(family, division))
        for layers, division in runs(divisions)
    ]
    return np.concatenate([np.empty((0, 4), np.int64), *rows])


def _add_faces(inward: Floats, nodes: Floats, faces: list[PlaneFace]) -> None:
    for face in faces:
        centroid = mean_at(nodes, face)
        for number, corner in enumerate(face):
            before, after = face[number - 1], face[(number + 1) % len(face)]
            across = mean_at(nodes, (before, corner)) - mean_at(nodes, (corner, after))
            target = at_corner(inward, corner)
            target -= half_cross(centroid - at_corner(nodes, corner), across)


def _corners(ids: Ints, faces: list[PlaneFace]) -> Ints:
    padded = [face if len(face) == 4 else [*face, face[-1]] for face in faces]
    by_face = [np.stack([at_corner(ids, place) for place in face], axis=-1) for face in padded]
    return np.stack(by_face, axis=-2).reshape(-1, 4)


def _without(place: Place, axis: int) -> Place:
    return place[:axis] + place[axis + 1 :]
