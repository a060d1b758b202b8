# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Couplings of single cells: hand-derived ones, and what lets cells of all kinds fit together."""

from __future__ import annotations

import numpy as np
import pytest
from halocline.mesh.arrays import Floats
from halocline.mesh.cells import KINDS
from halocline.mesh.stiffness.cell_couplings import by_centroids, cell_couplings, pairs_of
from halocline.mesh.stiffness.polyhedra import PolyhedronFaces, polyhedron_couplings
from halocline.mesh.stiffness.splits import SPLITS, UNIT_HEXAHEDRON, UNIT_PRISM, UNIT_PYRAMID

EPSILON = np.finfo(float).eps
UNITS = {
    "cells_triangle": ((0, 0, 0), (1, 0, 0), (0, 1, 0)),
    "cells_quadrilateral": UNIT_HEXAHEDRON[:4],
    "cells_tetrahedron": ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "cells_pyramid": UNIT_PYRAMID,
    "cells_prism": UNIT_PRISM,
    "cells_hexahedron": UNIT_HEXAHEDRON,
}
SOLID = ["cells_pyramid", "cells_prism", "cells_hexahedron"]
ROUND_OFF = 200 * EPSILON
"""Of sums over the 24 simplices of a hexahedron, of numbers of order one."""


def corners_of(dataset: str, moved: float = 0.0, scale: tuple[float, ...] = (1, 1, 1)) -> Floats:
    """Corners (k, 3) of a unit cell, moved at random and stretched."""
    points = np.array(UNITS[dataset], dtype=np.float64)
    moves = moved * (2.0 * np.random.default_rng(3).random(points.shape) - 1.0)
    if KINDS[dataset].dimension == 2:
        moves[:, 2] = 0.0
    return (points + moves) * np.array(scale)


def couplings(dataset: str, points: Floats) -> dict[tuple[int, int], float]:
    found = cell_couplings(dataset, [point[:, None] for point in points])
    return dict(zip(found.pairs, found.values[:, 0, 0].tolist(), strict=True))


def shares(points: Floats, weights: dict[tuple[int, int], float]) -> Floats:
    """Laplacian of x, y and z at each corner: minus the integral of the gradient of N_a."""
    total = np.zeros_like(points)
    for (a, b), weight in weights.items():
        total[a] += weight * (points[b] - points[a])
        total[b] -= weight * (points[b] - points[a])
    return total


def test_a_right_triangle_couples_along_its_legs() -> None:
    # Legs 2 and 1: half the cotangent of the opposite angle, 1/2 * 1/2 and 1/2 * 2.
    found = couplings("cells_triangle", corners_of("cells_triangle", scale=(2, 1, 1)))
    assert found == pytest.approx({(0, 1): 0.25, (0, 2): 1.0, (1, 2): 0.0})


@pytest.mark.parametrize(
    ("dataset", "expected"),
    [
        # Area over length: a quarter of the section of a 1 x 2 x 4 brick, over each length.
        ("cells_hexahedron", {(0, 1): 2.0, (0, 3): 0.5, (0, 4): 0.125}),
        ("cells_quadrilateral", {(0, 1): 1.0, (0, 3): 0.25}),
        # Half the height times the triangle of legs 1 and 2; a third of its area over the height.
        ("cells_prism", {(0, 1): 2.0, (0, 2): 0.5, (1, 2): 0.0, (0, 3): 1 / 12}),
    ],
)
def test_upright_cells_couple_along_their_edges_alone(
    dataset: str, expected: dict[tuple[int, int], float]
) -> None:
    found = couplings(dataset, corners_of(dataset, scale=(1, 2, 4)))
    assert {pair: found[pair] for pair in expected} == pytest.approx(expected)
    edges = {tuple(sorted(pair)) for face in KINDS[dataset].faces
             for pair in zip(face, face[1:] + face[:1], strict=True)}  # fmt: skip
    assert max(abs(w) for pair, w in found.items() if pair not in edges) < ROUND_OFF


@pytest.mark.parametrize("dataset", SOLID)
def test_splits_and_means_of_corners_have_the_same_shares(dataset: str) -> None:
    points = corners_of(dataset, moved=0.1)
    values = by_centroids(dataset, [point[:, None] for point in points])[:, 0, 0]
    means = dict(zip(pairs_of(dataset), values.tolist(), strict=True))
    splits = couplings(dataset, points)
    assert splits != pytest.approx(means)
    np.testing.assert_allclose(shares(points, splits), shares(points, means), atol=ROUND_OFF)


@pytest.mark.parametrize("dataset", ["cells_tetrahedron", *SOLID])
def test_shares_are_those_of_the_faces(dataset: str) -> None:
    # A triangle S gives each corner S/3; a quadrilateral (S/2 + T/2)/3, T its triangle at a.
    points = corners_of(dataset, moved=0.1)
    expected = np.zeros_like(points)
    for face in KINDS[dataset].faces:
        at = points[list(face)]
        whole = 0.5 * np.cross(at[2] - at[0], at[-1] - at[1])
        if len(face) == 3:
            whole = 0.5 * np.cross(at[1] - at[0], at[2] - at[0])
        for n, corner in enumerate(face):
            own = 0.5 * np.cross(at[(n + 1) % len(face)] - at[n], at[n - 1] - at[n])
            expected[corner] -= (whole + own) / 6.0 if len(face) == 4 else whole / 3.0
    np.testing.assert_allclose(shares(points, couplings(dataset, points)), expected, atol=ROUND_OFF)


def test_a_cube_given_by_its_faces_couples_as_by_means_of_corners() -> None:
    points = corners_of("cells_hexahedron", moved=0.1)
    faces = np.array(KINDS["cells_hexahedron"].faces)
    found = polyhedron_couplings(points, PolyhedronFaces({4: faces}, {4: np.full(6, 7)}))
    expected = by_centroids("cells_hexahedron", [point[:, None] for point in points])[..., 0]
    in_order = dict(zip(pairs_of("cells_hexahedron"), expected, strict=True))
    ends = [(int(key) // 8, int(key) % 8) for key in found.keys]
    assert sorted(ends) == sorted(in_order)
    wanted = np.stack([in_order[p] for p in ends], axis=1)
    np.testing.assert_allclose(found.values, wanted, atol=ROUND_OFF)


def test_a_quadrilateral_with_a_flat_corner_has_finite_weights() -> None:
    points = np.array([[0.0, 0, 0], [1, 0, 0], [0.5, 0.5, 0], [0, 1, 0]])
    found = couplings("cells_quadrilateral", points)
    assert max(abs(weight) for weight in found.values()) < 2.0
    assert found[1, 3] == 0.0  # the other diagonal would make a triangle without area


@pytest.mark.parametrize("dataset", SOLID)
def test_nearly_flat_cells_have_weights_of_their_size(dataset: str) -> None:
    points = corners_of(dataset)
    points[KINDS[dataset].corners - 1] = points[0] + [1e-9, 1e-9, 1e-4]
    found = couplings(dataset, points)
    assert max(abs(weight) for weight in found.values()) < 1e5


@pytest.mark.parametrize("dataset", SPLITS)
def test_the_operator_of_a_bent_cell_is_not_negative(dataset: str) -> None:
    count = KINDS[dataset].corners
    matrix = np.zeros((count, count))
    for (a, b), weight in couplings(dataset, corners_of(dataset, moved=0.15)).items():
        matrix[[a, b], [b, a]] -= weight
        matrix[[a, b], [a, b]] += weight
    values = np.linalg.eigvalsh(matrix)
    assert values[0] == pytest.approx(0.0, abs=ROUND_OFF)
    assert values[1] > 0.01
