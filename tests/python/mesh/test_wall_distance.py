# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Distances from walls against those that can be written down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from halocline.mesh.arrays import Floats
from halocline.mesh.wall_distance import WallFinder, Walls

Make = Callable[..., Any]
ROUND_OFF = 1e-14
"""Of lengths of order one: a few operations."""


def to_sides(x: Floats) -> Floats:
    """Distance from the nearest side of the unit square or cube."""
    distance: Floats = np.minimum(x, 1.0 - x).min(axis=1)
    return distance


@pytest.mark.parametrize(
    ("dimension", "elements"), [(2, "quad"), (2, "tri"), (3, "hex"), (3, "tet")]
)
def test_distances_in_a_cavity_are_those_from_its_sides(
    make: Make, dimension: int, elements: str
) -> None:
    flow = {"dimension": dimension, "laplacian": True}
    for level in make("cavity", 1500, 2, elements=elements, perturb=0.2, flow=flow):
        x = level["node_coordinates"][:, :dimension]
        np.testing.assert_allclose(level["wall_distance"][:, 0], to_sides(x), atol=ROUND_OFF)
        nearest = level["nearest_wall_node"][:, 0]
        way = np.linalg.norm(x - x[nearest], axis=1)
        for wall in np.unique(level["bnd_node-->node"])[::7]:
            assert (way <= np.linalg.norm(x - x[wall], axis=1) + ROUND_OFF).all()


def test_inlet_and_outlet_are_no_walls(make: Make) -> None:
    level = make("channel", 600, 1, flow={"cells": (16, 8)})[0]
    y = level["node_coordinates"][:, 1]
    np.testing.assert_allclose(level["wall_distance"][:, 0], np.minimum(y, 1.0 - y), atol=1e-15)


def test_walls_are_seen_across_periodic_sides(make: Make) -> None:
    flow = {"dimension": 3, "periodic": "xz"}
    level = make("channel", 2000, 1, elements="tet", perturb=0.2, flow=flow)[0]
    y = level["node_coordinates"][:, 1]
    np.testing.assert_allclose(level["wall_distance"][:, 0], np.minimum(y, 1.0 - y), atol=ROUND_OFF)


def test_a_box_without_walls_has_no_distances(make: Make) -> None:
    assert "wall_distance" not in make("periodic-box", 200, 1)[0].data


def test_distances_from_the_cylinder_are_those_from_its_polygon(make: Make) -> None:
    level = make("cylinder", 5000, 1)[0]
    x = level["node_coordinates"][:, :2]
    from_centre = np.linalg.norm(x - [0.2, 0.2], axis=1)
    near = from_centre < 0.1
    ring = (level["bnd_node-->group"][:, 0] == 2).sum()
    sagitta = 0.05 * (1.0 - np.cos(np.pi / ring))
    excess = level["wall_distance"][near, 0] - (from_centre[near] - 0.05)
    assert excess.min() > -ROUND_OFF
    assert excess.max() <= 1.1 * sagitta  # sides are not all equally long


def test_a_place_above_a_large_triangle_is_nearer_to_it_than_to_its_corners() -> None:
    places = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    around = np.zeros((3, 1), dtype=np.int64)
    finder = WallFinder(Walls(np.arange(3), places, places[None], around))
    distance, nearest = finder.find(np.array([[0.3, 0.2, 0.1], [2.0, 0, 0], [0.5, -1, 0]]))
    np.testing.assert_allclose(distance, [0.1, 1.0, 1.0], rtol=1e-15)
    assert nearest.tolist()[:2] == [0, 1]
