# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Divisions of a lattice cell into elements: small tables from which edges and dual faces follow.

A corner of a cell is the number 4 di + 2 dj + dk, each bit 0 at the lower line and 1 at the upper.
An element is the list of its faces, a face the corners around it. Every edge goes from a corner
to one whose bits include those of the first, so that the difference of the two numbers, 1 to 7,
is its direction: 1, 2 and 4 run along lines k, j and i, the others are diagonals.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, groupby, permutations
from typing import TypeVar

import numpy as np

from halocline.mesh.arrays import Bools

Face = tuple[int, ...]
Faces = tuple[Face, ...]
CellPattern = tuple[Face, ...]
"""Cells that a lattice cell is divided into, as its corners in VTK's order."""
T = TypeVar("T")

HEX, TET, MIXED = "hex", "tet", "mixed"
ELEMENTS = (HEX, TET, MIXED)
MIXED_LAYERS = 4
"""Layers along i that `mixed` needs for all its parts."""
DIRECTIONS = (1, 2, 3, 4, 5, 6, 7)
"""Directions of edges, ordered as the upper nodes of a node are numbered."""


@dataclass(frozen=True)
class DualFace:
    """Part of an edge's dual face in one element: the edge's ends and the two faces that meet.

    Seen along the edge from `low` to `high`, `first` comes before `second` counter-clockwise.
    """

    low: int
    high: int
    first: Face
    second: Face


@dataclass(frozen=True)
class Element:
    """A polyhedron with corners of the cell as its corners; faces in any orientation."""

    faces: Faces

    @cached_property
    def corners(self) -> Face:
        """Corners in ascending order."""
        return tuple(sorted({corner for face in self.faces for corner in face}))

    @cached_property
    def vtk_corners(self) -> Face:
        """Corners in VTK's order.

        A prism or hexahedron begins with two polygons, corner above corner; a pyramid with its
        base. The first polygon turns towards the rest.
        """
        first = self.faces[0]
        apex = tuple(corner for corner in self.corners if corner not in first)
        last = apex if len(apex) == 1 else self.faces[1]
        at = [np.array(bits(corner)) for corner in first[:3]]
        towards = np.cross(at[1] - at[0], at[2] - at[0]) @ (np.array(bits(last[0])) - at[0])
        if towards < 0:
            first, last = (first[0], *first[:0:-1]), (last[0], *last[:0:-1])
        return first + last

    @cached_property
    def dual_faces(self) -> tuple[DualFace, ...]:
        """One entry an edge, in ascending order of the ends."""
        beside: dict[tuple[int, int], list[Face]] = {}
        for face in self.faces:
            for one, other in zip(face, face[1:] + face[:1], strict=True):
                beside.setdefault((min(one, other), max(one, other)), []).append(face)
        middle = _centroid(self.corners)
        return tuple(_dual_face(ends, faces, middle) for ends, faces in sorted(beside.items()))


@dataclass(frozen=True)
class Division:
    """How a cell is divided into elements."""

    name: str
    elements: tuple[Element, ...]

    def outer_faces(self, axis: int, last: bool) -> Faces:
        """Faces of the elements on one side of the cell, counter-clockwise seen from outside."""
        bit = 4 >> axis
        side = bit if last else 0
        return tuple(
            _turned_outwards(face, axis, last)
            for element in self.elements
            for face in element.faces
            if all(corner & bit == side for corner in face)
        )

    @cached_property
    def cells(self) -> CellPattern:
        """The elements by their corners in VTK's order."""
        return tuple(element.vtk_corners for element in self.elements)

    @cached_property
    def edges(self) -> frozenset[tuple[int, int]]:
        """All edges as (lower corner, upper corner)."""
        return frozenset((d.low, d.high) for e in self.elements for d in e.dual_faces)


def _tetrahedron(*corners: int) -> Element:
    return Element(tuple(combinations(corners, 3)))


def _pyramid(base: Face, apex: int) -> Element:
    sides = zip(base, base[1:] + base[:1], strict=True)
    return Element((base, *((*side, apex) for side in sides)))


def _prism(low: Face, high: Face) -> Element:
    """Two equal polygons, corner above corner, and the quadrilaterals between them."""
    following = [*range(1, len(low)), 0]
    sides = ((low[a], low[b], high[b], high[a]) for a, b in enumerate(following))
    return Element((low, high, *sides))


HEXAHEDRON = Division("hexahedra", (_prism((0, 2, 6, 4), (1, 3, 7, 5)),))
PRISMS = Division("prisms", (_prism((0, 2, 6), (1, 3, 7)), _prism((0, 4, 6), (1, 5, 7))))
"""Cut along the diagonal (0, 0)-(1, 1) of (i, j); all sides along k stay quadrilaterals."""

TRANSITION = Division(
    "transition",
    (
        _pyramid((0, 1, 3, 2), 7),
        _tetrahedron(0, 1, 5, 7),
        _tetrahedron(0, 4, 5, 7),
        _tetrahedron(0, 2, 6, 7),
        _tetrahedron(0, 4, 6, 7),
    ),
)
"""A pyramid on the side i = lower, which stays a quadrilateral; all other sides cut as KUHN's."""

KUHN = Division(
    "tetrahedra", tuple(_tetrahedron(0, a, a + b, 7) for a, b, _ in permutations((1, 2, 4)))
)
"""Six tetrahedra, one for each way from corner 0 to 7 along edges; neighbours fit everywhere."""


def layer_divisions(elements: str, layers: int) -> list[Division]:
    """Division of the cells of each layer along i.

    `mixed` has prisms, hexahedra, one layer of transition cells and tetrahedra, about a third
    each. Coarse levels with fewer than MIXED_LAYERS layers lose parts: 3 have no hexahedra, 2
    neither tetrahedra nor transition, 1 is hexahedra alone.
    """
    if elements != MIXED:
        return [KUHN if elements == TET else HEXAHEDRON] * layers
    prisms, tetrahedra = (layers + 1) // 3, layers // 3
    transition = min(tetrahedra, 1)
    hexahedra = layers - prisms - transition - tetrahedra
    return (
        [PRISMS] * prisms
        + [HEXAHEDRON] * hexahedra
        + [TRANSITION] * transition
        + [KUHN] * tetrahedra
    )


def runs(divisions: list[T]) -> Iterator[tuple[slice, T]]:
    """Join neighbouring layers of cells that are divided alike; the slices count layers."""
    start = 0
    for division, layers in groupby(divisions):
        end = start + len(list(layers))
        yield slice(start, end), division
        start = end


def edge_planes(divisions: list[Division]) -> Bools:
    """Say on which i-planes edges of each direction start; shape (layers + 1, 7).

    Neighbours cut a common side alike, so that either all cells of a layer have an edge or none.
    """
    exists = np.zeros((len(divisions) + 1, len(DIRECTIONS)), dtype=bool)
    for layers, division in runs(divisions):
        for low, high in division.edges:
            side = low >> 2
            exists[layers.start + side : layers.stop + side, high - low - 1] = True
    return exists


def bits(corner: int) -> tuple[int, int, int]:
    """(di, dj, dk) of a corner or a direction."""
    return corner >> 2, corner >> 1 & 1, corner & 1


def _dual_face(
    ends: tuple[int, int], faces: list[Face], middle: tuple[float, float, float]
) -> DualFace:
    low, high = ends
    one, other = faces
    edge = _centroid(ends)
    normal = np.cross(np.subtract(middle, edge), np.subtract(_centroid(other), _centroid(one)))
    along = float(normal @ np.subtract(bits(high), bits(low)))
    return DualFace(low, high, *((one, other) if along > 0.0 else (other, one)))


def _turned_outwards(face: Face, axis: int, last: bool) -> Face:
    corners = np.array([bits(corner) for corner in face])
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[1])[axis]
    return face if (normal > 0) == last else face[::-1]


def _centroid(corners: Face) -> tuple[float, float, float]:
    x, y, z = np.mean([bits(corner) for corner in corners], axis=0)
    return float(x), float(y), float(z)
