# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Moves the inner nodes of a block at random, alike on every level and in every slab.

A node moves by P times a vector of length at most 1, measured in the local spacing: along each
direction of lines the distance to the nearer neighbour. A tetrahedron turns inside out only when
a plane passes within P of all four corners. In units of the spacing the tetrahedra of KUHN and
the corners of hexahedra and prisms are 1/sqrt(3) wide, which allows P < 0.288; the pyramid, whose
base bends, allows P < 0.27. LIMIT stays below both.
"""

from __future__ import annotations

import numpy as np

from halocline.mesh.arrays import Bools, Floats, Ints
from halocline.mesh.slab import Coordinates

LIMIT = 0.25
"""Largest P for which no element of a rectilinear block can turn inside out."""


def perturbed(
    coordinates: Coordinates, lines: tuple[int, int, int], fraction: float, seed: int
) -> Coordinates:
    """Return a coordinate function with the inner nodes moved and the boundary left in place.

    Args:
        coordinates: of the block at rest, at lines of the finest level.
        lines: number of lines of the finest level in each direction.
        fraction: largest displacement P in units of the local spacing.
        seed: the same seed gives the same displacements.
    """

    def moved(i: Ints, j: Ints, k: Ints) -> Floats:
        at = (i, j, k)
        nodes = coordinates(i, j, k)
        displacements = fraction * _unit_displacements(at, lines, seed)
        for axis, displacement in enumerate(displacements):
            nodes = nodes + displacement * _spacing(coordinates, at, lines, axis)
        return nodes

    return moved


def _unit_displacements(
    at: tuple[Ints, Ints, Ints], lines: tuple[int, int, int], seed: int
) -> Floats:
    """Random vectors (3, ni, nj, nk) of length at most 1, zero on the boundary.

    Every i-plane of the finest level has a random stream of its own.
    """
    i, j, k = at
    vectors = np.empty((3, len(i), len(j), len(k)))
    for number, plane in enumerate(i):
        rng = np.random.default_rng([seed, int(plane)])
        vectors[:, number] = rng.random((3, *lines[1:]))[:, j][:, :, k]
    vectors = 2.0 * vectors - 1.0
    vectors /= np.maximum(1.0, np.sqrt((vectors**2).sum(axis=0)))
    vectors *= _inner(at, lines)
    return vectors


def _inner(at: tuple[Ints, Ints, Ints], lines: tuple[int, int, int]) -> Bools:
    """True for nodes (ni, nj, nk) off the boundary; a direction of one line has none."""
    i, j, k = (((line > 0) & (line < n - 1)) | (n == 1) for line, n in zip(at, lines, strict=True))
    inner: Bools = i[:, None, None] & j[:, None] & k
    return inner


def _spacing(
    coordinates: Coordinates, at: tuple[Ints, Ints, Ints], lines: tuple[int, int, int], axis: int
) -> Floats:
    """Vectors (3, ni, nj, nk) along an axis of lines, as long as the way to the nearer neighbour.

    Neighbours are those of the finest level on all levels.
    """
    below, above = list(at), list(at)
    below[axis] = np.maximum(at[axis] - 1, 0)
    above[axis] = np.minimum(at[axis] + 1, lines[axis] - 1)
    nodes = coordinates(*at)
    to_node, from_node = nodes - coordinates(*below), coordinates(*above) - nodes
    nearer_below = (to_node**2).sum(axis=0) <= (from_node**2).sum(axis=0)
    return np.where(nearer_below, to_node, from_node)
