# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Divisions of cells: conforming elements, and duals against sums over single elements."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from halocline.mesh.arrays import Floats
from halocline.mesh.elements import Element, bits, layer_divisions
from halocline.mesh.perturb import LIMIT

Make = Callable[..., Any]
EPSILON = np.finfo(np.float64).eps
Shape = tuple[int, int, int]
Faces = list[tuple[int, ...]]
"""Faces of one element as numbers of nodes."""


def elements_of(kind: str, cells: Shape) -> list[Faces]:
    """Every element of a block, node (i, j, k) numbered line by line."""
    ni, nj, nk = cells
    found = []
    for i, division in enumerate(layer_divisions(kind, ni)):
        for j, k in itertools.product(range(nj), range(nk)):
            found += [_numbered(element, (i, j, k), cells) for element in division.elements]
    return found


def _numbered(element: Element, cell: Shape, cells: Shape) -> Faces:
    def number(corner: int) -> int:
        i, j, k = (c + b for c, b in zip(cell, bits(corner), strict=True))
        return (i * (cells[1] + 1) + j) * (cells[2] + 1) + k

    return [tuple(number(corner) for corner in face) for face in element.faces]


def corners_of(element: Faces) -> list[int]:
    return sorted({node for face in element for node in face})


def edges_of(face: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    for one, other in zip(face, face[1:] + face[:1], strict=True):
        yield min(one, other), max(one, other)


HAND_DERIVED = [
    ("hex", (2, 2, 2), {8: 8}, 54, 12, 24),
    ("tet", (2, 2, 2), {4: 48}, 98, 72, 48),
    ("mixed", (4, 2, 2), {6: 8, 8: 4, 5: 4, 4: 40}, 142, 90, 64),
]
"""Kind, cells, elements by number of corners, edges, inner faces, boundary faces.

hex: in 3 directions 9 lines of 2 edges; 12 squares inside, 4 on each of the 6 sides.

tet: 6 elements a cell; beside the 54 edges a diagonal on each of the 36 squares and in each of the
8 cells; 2 triangles on each of the 24 squares outside, so that (48 x 4 - 48) / 2 lie inside.

mixed: four layers of 4 cells with 8 prisms; 4 hexahedra; 4 pyramids and 16 tetrahedra; 24
tetrahedra. Edges: 36 + 30 + 30 along lines, 6 diagonals of prisms (2 on each of 3 k-planes), and
6 on j-planes, 6 on k-planes, 4 on the plane behind and 4 inside in both last layers. Outside:
prisms 8 triangles and 4 squares, hexahedra 8 squares, the last layers 16 triangles each, 4 squares
at the first plane, 8 triangles at the last: 64. Inside (8 x 5 + 4 x 6 + 4 x 5 + 40 x 4 - 64) / 2.
"""


@pytest.mark.parametrize(("kind", "cells", "by_corners", "edges", "inner", "outer"), HAND_DERIVED)
def test_blocks_have_the_hand_derived_elements_edges_and_faces(
    kind: str, cells: Shape, by_corners: dict[int, int], edges: int, inner: int, outer: int
) -> None:
    block = elements_of(kind, cells)
    faces = Counter(tuple(sorted(face)) for element in block for face in element)
    shared = Counter(faces.values())
    assert Counter(len(corners_of(element)) for element in block) == by_corners
    assert len({edge for element in block for face in element for edge in edges_of(face)}) == edges
    assert shared == {2: inner, 1: outer}


@pytest.mark.parametrize(("kind", "cells"), [row[:2] for row in HAND_DERIVED])
def test_faces_of_one_element_are_those_of_the_boundary(
    make: Make, kind: str, cells: Shape
) -> None:
    level = block(make, kind, cells)
    faces = Counter(tuple(sorted(f)) for element in elements_of(kind, cells) for f in element)
    alone = sorted(face for face, count in faces.items() if count == 1)
    in_file = sorted(tuple(sorted(set(quad))) for quad in level["bnd_quads"].tolist())
    assert in_file == alone


@pytest.mark.parametrize("layers", range(1, 20))
def test_mixed_layers_conform_however_few_they_are(layers: int) -> None:
    elements = elements_of("mixed", (layers, 2, 2))
    faces = Counter(tuple(sorted(face)) for element in elements for face in element)
    places = np.array(list(np.ndindex(layers + 1, 3, 3)))
    for face, count in faces.items():
        at = places[list(face)]
        outside = (at == 0).all(axis=0).any() or (at == (layers, 2, 2)).all(axis=0).any()
        assert count == (1 if outside else 2)


def block(make: Make, kind: str, cells: Shape, perturb: float = 0.0) -> Any:
    """The unit cube with the given cells, one level."""
    nodes = int(np.prod(np.array(cells) + 1))
    aspect = tuple(map(float, cells))
    (level,) = make("cavity", nodes, 1, aspect=aspect, elements=kind, perturb=perturb)
    assert level.nodes == nodes
    return level


def pieces(x: Floats, element: Faces) -> Iterator[tuple[tuple[int, int], tuple[int, ...], Floats]]:
    """Edge, face beside it, and corners of the triangle midpoint, face centroid, centroid."""
    middle = x[corners_of(element)].mean(axis=0)
    for face in element:
        for edge in edges_of(face):
            yield edge, face, np.array([x[list(edge)].mean(0), x[list(face)].mean(0), middle])


def reference_dual(
    x: Floats, elements: list[Faces]
) -> tuple[dict[tuple[int, int], Floats], Floats]:
    """Dual faces by edge, and dual volumes, as sums of single triangles and tetrahedra.

    Every tetrahedron of a node, an edge's midpoint, a face's and the element's centroid belongs to
    the node; elements are not turned inside out, so that absolute values are right.
    """
    vectors: dict[tuple[int, int], Floats] = {}
    volumes = np.zeros(len(x))
    for element in elements:
        for edge, _, (half, face, middle) in pieces(x, element):
            area = 0.5 * np.cross(face - half, middle - half)
            area *= np.sign(area @ (x[edge[1]] - x[edge[0]]))
            vectors[edge] = vectors.get(edge, 0.0) + area
            for node in edge:
                volumes[node] += abs(area @ (half - x[node])) / 3.0
    return vectors, volumes


@pytest.mark.parametrize("perturb", [0.0, 0.2])
@pytest.mark.parametrize("kind", ["tet", "mixed"])
def test_dual_is_the_sum_over_single_elements(make: Make, kind: str, perturb: float) -> None:
    cells = (7, 3, 4)
    level = block(make, kind, cells, perturb)
    vectors, volumes = reference_dual(level["node_coordinates"], elements_of(kind, cells))
    edges = [(int(a), int(b)) for a, b in level["edge-->node"]]
    expected = np.array([vectors[edge] for edge in edges])
    roundings = 100 * EPSILON  # up to 6 elements of 2 triangles, some ten operations each
    assert sorted(vectors) == sorted(edges)
    np.testing.assert_allclose(
        level["edge_weights"], expected, atol=roundings * abs(expected).max()
    )
    np.testing.assert_allclose(level["areas"][:, 0], volumes, rtol=roundings)


@pytest.mark.parametrize("kind", ["hex", "tet", "mixed"])
def test_no_element_turns_inside_out_at_the_largest_perturbation(make: Make, kind: str) -> None:
    cells = (6, 4, 4)
    still = np.array(list(np.ndindex(7, 5, 5)), dtype=float)
    x = block(make, kind, cells, LIMIT)["node_coordinates"]
    for element in elements_of(kind, cells):
        for edge, face, _ in pieces(x, element):
            assert _signed(still, element, edge, face) * _signed(x, element, edge, face) > 0.0


def _signed(x: Floats, element: Faces, edge: tuple[int, int], face: tuple[int, ...]) -> float:
    middle = x[corners_of(element)].mean(axis=0)
    return float(np.linalg.det(np.array([*x[list(edge)], x[list(face)].mean(axis=0)]) - middle))


def test_tetrahedra_give_the_exact_gradient_of_a_linear_function(make: Make) -> None:
    """In an inner dual cell of simplices the sum of n (x_a + x_b) / 2 is V times the unit matrix.

    The edge midpoint is not the centroid of a dual face, but inside a tetrahedron the gradient is
    that of the Galerkin method, which is exact.
    """
    level = block(make, "tet", (6, 5, 4), 0.2)
    x, edges, vectors = level["node_coordinates"], level["edge-->node"], level["edge_weights"]
    sums = np.zeros((level.nodes, 3, 3))
    moments = vectors[:, :, None] * 0.5 * (x[edges[:, 0]] + x[edges[:, 1]])[:, None, :]
    np.add.at(sums, edges[:, 0], moments)
    np.add.at(sums, edges[:, 1], -moments)
    inner = ((x > 0.0) & (x < 1.0)).all(axis=1)
    expected = level["areas"][inner, :, None] * np.eye(3)
    largest = abs(moments).max()
    np.testing.assert_allclose(sums[inner], expected, atol=100 * EPSILON * largest)
