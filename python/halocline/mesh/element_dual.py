# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Median dual of cells divided into elements: edge vectors, boundary vectors and dual volumes.

In every element the dual face of an edge is two triangles: edge midpoint, centroid of one of the
two faces that meet at the edge, centroid of the element; and the same with the other face.
Centroids are means of corners. A quadrilateral face counts as the four triangles about its
centroid, which makes every element a polyhedron that shares its faces with its neighbours.

All triangles of an edge's dual face contain its midpoint, all parts of a boundary face contain
their node. In the divergence theorem for the dual cell of node a, 3 V = sum of the integrals of
(x - x_a).n, boundary faces therefore give nothing and the edge from a to b gives half
(x_b - x_a).n_ab, so that V = sum over edges of (x_b - x_a).n_ab / 6, exactly.

Arrays of vectors are (3, ni, nj, nk): component first. (i, j, k) is right-handed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from halocline.mesh.arrays import AnyArray, Floats
from halocline.mesh.dual import dot, half_cross
from halocline.mesh.elements import DIRECTIONS, Division, Element, bits, runs

Place = tuple[int, ...]
"""Position of a corner in its cell, 0 (lower) or 1 (upper) in each direction."""


def planes_of(layers: slice) -> slice:
    """Planes of nodes around some layers of cells."""
    return slice(layers.start, layers.stop + 1)


def at_corner(values: AnyArray, place: Place) -> AnyArray:
    """View of what is stored at one corner of every cell; the last axes are the lattice's."""
    lattice = values.shape[-len(place) :]
    cells = (slice(p, n - 1 + p) for p, n in zip(place, lattice, strict=True))
    where: Any = (..., *cells)
    corner: AnyArray = values[where]
    return corner


def mean_at(nodes: Floats, places: Iterable[Place]) -> Floats:
    """Mean of some corners of every cell, summed in ascending order of the corners.

    All cells that share a face or an edge see its corners in the same order, hence its centroid
    with the same bits.
    """
    first, second, *rest = sorted(places)
    total: Floats = at_corner(nodes, first) + at_corner(nodes, second)
    for place in rest:
        total += at_corner(nodes, place)
    total *= 1.0 / (2 + len(rest))
    return total


def element_edge_vectors(nodes: Floats, divisions: list[Division]) -> Floats:
    """Dual-face vectors of all edges.

    Args:
        nodes: coordinates (3, ni, nj, nk).
        divisions: one for each of the ni - 1 layers of cells.

    Returns:
        (7, 3, ni, nj, nk): by direction - 1, stored at the lower node, from the lower node to the
        upper; zero where no edge starts.
    """
    vectors = np.zeros((len(DIRECTIONS), *nodes.shape))
    for layers, division in runs(divisions):
        planes = planes_of(layers)
        for element in division.elements:
            _add_element(vectors[:, :, planes], nodes[:, planes], element)
    return vectors


def _add_element(vectors: Floats, nodes: Floats, element: Element) -> None:
    centroid = mean_at(nodes, map(bits, element.corners))
    faces = {face: mean_at(nodes, map(bits, face)) for face in element.faces}
    for part in element.dual_faces:
        inward = centroid - mean_at(nodes, (bits(part.low), bits(part.high)))
        target = at_corner(vectors[part.high - part.low - 1], bits(part.low))
        target += half_cross(inward, faces[part.second] - faces[part.first])


def element_volumes(nodes: Floats, vectors: Floats) -> Floats:
    """Dual volumes (ni, nj, nk) from coordinates and all edge vectors (7, 3, ni, nj, nk)."""
    volumes = np.zeros(nodes.shape[1:])
    for direction in DIRECTIONS:
        low, high = edge_ends(direction)
        share = dot(nodes[high] - nodes[low], vectors[direction - 1][low]) / 6.0
        volumes[low[1:]] += share
        volumes[high[1:]] += share
    return volumes


def edge_ends(direction: int) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
    """Index arrays (3, ni, nj, nk) at the lower and the upper nodes of edges of a direction."""
    steps = bits(direction)
    every = slice(None)
    low = (every, *(slice(None, -1) if step else every for step in steps))
    high = (every, *(slice(1, None) if step else every for step in steps))
    return low, high
