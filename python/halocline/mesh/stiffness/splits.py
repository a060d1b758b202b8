# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Divisions of cells into simplices, every face that is a quadrilateral by both of its diagonals.

In a set of splits each diagonal of each quadrilateral face occurs equally often, so that the cell
on the other side sees the same mean face, whatever its kind. Corners are numbered in VTK's order;
simplices are positive where their cell is.
"""

from __future__ import annotations

from itertools import permutations, product

import numpy as np

from halocline.mesh.cells import HEXAHEDRON, PRISM, PYRAMID, QUADRILATERAL, TETRAHEDRON, TRIANGLE

Simplex = tuple[int, ...]
Split = tuple[Simplex, ...]
Points = tuple[tuple[int, int, int], ...]

UNIT_PYRAMID: Points = ((0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (1, 1, 1))
UNIT_PRISM: Points = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1))
UNIT_HEXAHEDRON: Points = (
    (0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1),
)  # fmt: skip


def positive(simplex: Simplex, points: Points) -> Simplex:
    """Return a tetrahedron with its corners in an order of positive volume."""
    at = np.array([points[corner] for corner in simplex])
    if np.linalg.det(at[1:] - at[0]) > 0.0:
        return simplex
    first, second, *rest = simplex
    return (second, first, *rest)


def _prism_split(order: tuple[int, ...]) -> Split:
    """Three tetrahedra; of each vertical face the diagonal rises to the later corner of `order`."""
    a, b, c = order
    split = (a, b, c, c + 3), (a, b, b + 3, c + 3), (a, a + 3, b + 3, c + 3)
    return tuple(positive(simplex, UNIT_PRISM) for simplex in split)


def _kuhn_split(start: tuple[int, ...]) -> Split:
    """Kuhn's six tetrahedra about the diagonal from a corner: one for each way along edges."""
    ways = (_way(start, axes) for axes in permutations(range(3)))
    return tuple(positive(way, UNIT_HEXAHEDRON) for way in ways)


def _way(start: tuple[int, ...], axes: tuple[int, ...]) -> Simplex:
    at = list(start)
    corners = [UNIT_HEXAHEDRON.index((at[0], at[1], at[2]))]
    for axis in axes:
        at[axis] = 1 - at[axis]
        corners.append(UNIT_HEXAHEDRON.index((at[0], at[1], at[2])))
    return tuple(corners)


QUADRILATERAL_SPLITS: tuple[Split, ...] = (((0, 1, 2), (0, 2, 3)), ((0, 1, 3), (1, 2, 3)))
PYRAMID_SPLITS: tuple[Split, ...] = tuple(
    tuple((*triangle, 4) for triangle in split) for split in QUADRILATERAL_SPLITS
)
PRISM_SPLITS: tuple[Split, ...] = tuple(_prism_split(p) for p in permutations((0, 1, 2)))
"""All six that exist: any other choice of diagonals needs a point inside."""

HEXAHEDRON_SPLITS: tuple[Split, ...] = tuple(
    _kuhn_split(start) for start in product((0, 1), repeat=3) if sum(start) <= 1
)
"""Kuhn's split about each of the four space diagonals. Rectangular hexahedra couple along their
edges alone, by area over length."""

PRISM_CORNERS: Split = tuple(
    positive((a, a - a % 3 + (a + 1) % 3, a - a % 3 + (a + 2) % 3, (a + 3) % 6), UNIT_PRISM)
    for a in range(6)
)
"""No split: the tetrahedron of each corner of a prism and its three neighbours."""

SPLITS: dict[str, tuple[Split, ...]] = {
    TRIANGLE.dataset: (((0, 1, 2),),),
    TETRAHEDRON.dataset: (((0, 1, 2, 3),),),
    QUADRILATERAL.dataset: QUADRILATERAL_SPLITS,
    PYRAMID.dataset: PYRAMID_SPLITS,
    PRISM.dataset: PRISM_SPLITS,
    HEXAHEDRON.dataset: HEXAHEDRON_SPLITS,
}
