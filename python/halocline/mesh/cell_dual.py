# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Median dual of single cells of any kind: what each cell gives to the vectors of its edges.

Centroids are means of corners. In a solid, an edge has in each of its two faces the triangle edge
midpoint, face centroid, cell centroid. In the plane it has the line from its midpoint to the cell
centroid, turned by a right angle (unit depth). imports/face_dual.py derives both.
"""

from __future__ import annotations

import numpy as np

from halocline.mesh.arrays import Floats
from halocline.mesh.cells import KINDS
from halocline.mesh.dual import half_cross
from halocline.mesh.stiffness.cell_couplings import edges_of


def cell_edge_vectors(dataset: str, corners: list[Floats]) -> Floats:
    """Return the vectors (e, 3, m) of the edges of `edges_of`, from the first end to the second.

    Args:
        dataset: kind of the cells.
        corners: one array (3, m) a corner, in VTK's order.
    """
    kind = KINDS[dataset]
    place = {edge: row for row, edge in enumerate(edges_of(dataset))}
    vectors = np.zeros((len(place), *corners[0].shape))
    centre = _mean(corners)
    for face in kind.faces:
        middle = _mean([corners[corner] for corner in face])
        for a, b in zip(face, face[1:] + face[:1], strict=True):
            edge = 0.5 * (corners[a] + corners[b])
            if kind.dimension == 2:
                part = _turned(centre - edge)
            else:
                part = half_cross(centre - edge, middle - edge)
            if a < b:
                vectors[place[a, b]] += part
            else:
                vectors[place[b, a]] -= part
    return vectors


def _turned(line: Floats) -> Floats:
    """Lines (3, m) of the plane, turned clockwise by a right angle."""
    return np.stack([line[1], -line[0], np.zeros(line.shape[1])])


def _mean(points: list[Floats]) -> Floats:
    total = points[0] + points[1]
    for point in points[2:]:
        total += point
    total *= 1.0 / len(points)
    return total
