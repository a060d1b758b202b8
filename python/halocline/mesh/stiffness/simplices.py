# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Couplings of linear finite elements (P1) on triangles and tetrahedra.

A coupling of two corners is a weight and the vector of their dual face from the first to the
second, four rows. The weight in a simplex T is w_ab = -integral over T of grad N_a . grad N_b.
In a triangle with the sides l_a opposite to a, w_ab = -l_a.l_b / (4 area). In a tetrahedron with
c_a = 6 V grad N_a, the vector product of two edges, w_ab = -c_a.c_b / (36 V). The face of the
median dual between a and b is |T| (grad N_b - grad N_a) / (d + 1), in d dimensions.

Points are (3, m): component first, one column a simplex.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from halocline.mesh.arrays import Floats
from halocline.mesh.dual import dot

TRIANGLE_PAIRS = tuple(combinations(range(3), 2))
TETRAHEDRON_PAIRS = tuple(combinations(range(4), 2))


def triangle_couplings(corners: list[Floats]) -> tuple[Floats, Floats]:
    """Couplings (3, 4, m) of TRIANGLE_PAIRS, and twice the areas (m,), in the x-y plane.

    Triangles without area have no weights.
    """
    p, q, r = corners
    sides = (r - q, p - r, q - p)
    twice = sides[1][0] * sides[2][1] - sides[1][1] * sides[2][0]
    scale = _inverse(-2.0 * twice)
    found = np.empty((3, 4, len(twice)))
    for row, (a, b) in zip(found, TRIANGLE_PAIRS, strict=True):
        difference = (sides[b] - sides[a]) / 6.0
        row[0] = dot(sides[a], sides[b]) * scale
        row[1:] = -difference[1], difference[0], np.zeros_like(twice)
    return found, twice


def tetrahedron_couplings(corners: list[Floats]) -> tuple[Floats, Floats]:
    """Couplings (6, 4, m) of TETRAHEDRON_PAIRS, and six times the volumes (m,).

    Tetrahedra without volume have no weights.
    """
    first, second, third = (corner - corners[0] for corner in corners[1:])
    normals = [_cross(second, third), _cross(third, first), _cross(first, second)]
    six = dot(first, normals[0])
    normals.insert(0, -(normals[0] + normals[1] + normals[2]))
    scale = _inverse(-6.0 * six)
    found = np.empty((6, 4, len(six)))
    for row, (a, b) in zip(found, TETRAHEDRON_PAIRS, strict=True):
        row[0] = dot(normals[a], normals[b]) * scale
        row[1:] = (normals[b] - normals[a]) / 24.0
    return found, six


def _inverse(values: Floats) -> Floats:
    result = np.zeros_like(values)
    np.divide(1.0, values, out=result, where=values != 0.0)
    return result


def _cross(a: Floats, b: Floats) -> Floats:
    result = np.empty_like(a)
    for x, y, z in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        np.multiply(a[y], b[z], out=result[x])
        result[x] -= a[z] * b[y]
    return result
