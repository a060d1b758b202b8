# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Median duals against hand-derived areas and against integrated volumes."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from halocline.mesh.arrays import Floats
from halocline.mesh.dual import add_edge_volumes, cell_points, edge_vectors

Make = Callable[..., Any]
EPSILON = np.finfo(np.float64).eps


def test_box_of_27_nodes_has_hand_derived_dual(make: Make) -> None:
    """Two unit cells each way: a dual face spans half a cell at a boundary, one inside.

    An x edge at (y, z) has the face h(y) h(z) with h = 1/2 at the ends and 1 in the middle; a node
    has the volume h(x) h(y) h(z); a boundary entry at x = 0 the inward area h(y) h(z).
    """
    (level,) = make("box", 27, 1)
    share = np.array([0.5, 1.0, 0.5])
    x = level["node_coordinates"].astype(int)
    volumes = share[x].prod(axis=1)
    np.testing.assert_allclose(level["areas"][:, 0], volumes, rtol=4 * EPSILON)  # thirds round
    edges, vectors = level["edge-->node"], level["edge_weights"]
    assert len(edges) == 54
    along = x[edges[:, 1]] - x[edges[:, 0]]
    axis = along.argmax(axis=1)
    other = share[x[edges[:, 0]]]
    other[np.arange(54), axis] = 1.0
    np.testing.assert_array_equal(vectors, along * other.prod(axis=1)[:, None])
    inlet = level["bnd_node-->group"][:, 0] == 4
    node = level["bnd_node-->node"][inlet, 0]
    expected = share[x[node, 1]] * share[x[node, 2]]
    np.testing.assert_array_equal(level["bnd_node_weights"][inlet, 0], expected)
    np.testing.assert_array_equal(level["bnd_node_weights"][inlet, 1:], 0.0)


def trilinear_volume(corners: Floats) -> float:
    """Volume of a cell with corners (2, 2, 2, 3): 8 Gauss points, exact for its Jacobian."""
    points = 0.5 + np.array([-0.5, 0.5]) / np.sqrt(3.0)
    volume = 0.0
    for where in itertools.product(points, repeat=3):
        columns = []
        for axis in range(3):
            value = corners
            for direction in (2, 1, 0):
                low, high = value.take(0, direction), value.take(1, direction)
                t = where[direction]
                value = high - low if direction == axis else (1 - t) * low + t * high
            columns.append(value)
        volume += float(np.linalg.det(np.array(columns))) / 8.0
    return volume


def test_inner_dual_volumes_are_exact_for_distorted_cells() -> None:
    """The eight cells around the middle of a distorted 3^3 block, cut at its edge midpoints.

    A quarter-cell of the median dual is the image of an octant of the unit cube, so its volume is
    that of the trilinear cell through nodes, midpoints and centroids, which Gauss points integrate
    exactly.
    """
    rng = np.random.default_rng(3)
    grid = np.stack(np.meshgrid(*[np.arange(3.0)] * 3, indexing="ij"))
    nodes = grid + rng.uniform(-0.25, 0.25, grid.shape)
    points = cell_points(nodes)
    volumes = np.zeros((3, 3, 3))
    for axis in range(3):
        vectors, moments = edge_vectors(points, axis, None)
        add_edge_volumes(volumes, nodes, axis, vectors, moments)
    expected = 0.0
    for i, j, k in itertools.product((0, 1), repeat=3):
        cell = np.moveaxis(nodes[:, i : i + 2, j : j + 2, k : k + 2], 0, -1)
        expected += octant_volume(cell, (1 - i, 1 - j, 1 - k))
    assert volumes[1, 1, 1] == pytest.approx(expected, rel=100 * EPSILON)


def octant_volume(cell: Floats, corner: tuple[int, int, int]) -> float:
    """Volume of the part of a cell nearest to one of its corners."""
    fine = cell
    for axis in range(3):
        low, high = fine.take(0, axis), fine.take(1, axis)
        pair = (low, 0.5 * (low + high)) if corner[axis] == 0 else (0.5 * (low + high), high)
        fine = np.stack(pair, axis=axis)
    return trilinear_volume(fine)
