# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Every shape, on every level: closed duals, known volumes, valid maps, valid levels."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from halocline.mesh.periodic import rotation_matrix

Make = Callable[..., Any]
EPSILON = np.finfo(np.float64).eps
SHAPES = ["box", "sector", "bump", "cavity", "rotor37"]
CLOSURE = 100 * EPSILON
"""About 12 edges of 4 quadrilaterals each, every one a few roundings, relative to their area."""


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_dual_cells_close_on_all_levels(make: Make, shape: str, shuffle: bool) -> None:
    for level in make(shape, 5000, 4, shuffle=shuffle):
        assert level.residual().max() < CLOSURE
        assert (level["areas"] > 0.0).all()


@pytest.mark.parametrize("shape", SHAPES)
def test_slabs_do_not_change_the_mesh(
    make: Make, shape: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = make(shape, 4000, 2, name="whole")
    monkeypatch.setattr("halocline.mesh.make.SLAB_PLANES", 1)
    monkeypatch.setattr("halocline.mesh.make.SLAB_NODES", 1)
    sliced = make(shape, 4000, 2, name="sliced")
    for one, other in zip(whole, sliced, strict=True):
        assert one.data.keys() == other.data.keys()
        for name in one.data:
            np.testing.assert_array_equal(one[name], other[name], err_msg=name)


@pytest.mark.parametrize("shape", SHAPES)
def test_maps_are_in_range_and_pairs_of_nodes_distinct(make: Make, shape: str) -> None:
    for level in make(shape, 5000, 3):
        edges = np.sort(level["edge-->node"].astype(np.int64), axis=1)
        assert (edges[:, 0] < edges[:, 1]).all()
        assert len(np.unique(edges[:, 0] * level.nodes + edges[:, 1])) == len(edges)
        for name in ("edge-->node", "bnd_node-->node", "bnd_quads"):
            assert level[name].min() >= 0
            assert level[name].max() < level.nodes
        assert set(np.unique(edges)) == set(range(level.nodes))


@pytest.mark.parametrize("shape", SHAPES)
def test_parents_are_coincident_for_kept_nodes_and_cover_the_coarse_level(
    make: Make, shape: str
) -> None:
    levels = make(shape, 6000, 4)
    for fine, coarse in pairwise(levels):
        parents = fine["node-->mg_node"][:, 0]
        assert set(parents) == set(range(coarse.nodes))
        distance = np.linalg.norm(
            fine["node_coordinates"] - coarse["node_coordinates"][parents], axis=1
        )
        assert len(np.unique(parents[distance == 0.0])) == coarse.nodes
        assert 4.0 < fine.nodes / coarse.nodes < 9.0 or coarse.nodes < 300
    assert "node-->mg_node" not in levels[-1].data


def test_box_volume_is_exact(make: Make) -> None:
    for level in make("box", 3000, 3, aspect=(3.0, 2.0, 1.0), stretch=4.0):
        extent = np.ptp(level["node_coordinates"], axis=0)
        total = level["areas"].sum()
        assert total == pytest.approx(extent.prod(), rel=level.nodes * EPSILON)


def test_cavity_fills_the_unit_cube_and_names_its_lid(make: Make) -> None:
    level = make("cavity", 2000, 2, stretch=3.0)[0]
    lid = level["bnd_node-->group"][:, 0] == 1
    assert level["areas"].sum() == pytest.approx(1.0, rel=1e-12)
    np.testing.assert_allclose(level["bnd_node_weights"][lid].sum(axis=0), [0, -1, 0], atol=1e-12)
    assert (level["node_coordinates"][level["bnd_node-->node"][lid, 0], 1] == 1.0).all()


def test_sector_volume_converges_with_second_order(make: Make) -> None:
    """Chords cut off arcs: the defect of the volume falls with the square of the cell size.

    Exact: pitch / 2 (r_casing^2 - r_hub^2) length = 0.25 mean_radius height length; the bulge of
    the sides moves volume round without changing it. Levels are the same sector, coarser.
    """
    errors = []
    for level in make("sector", 40_000, 4)[:3]:
        x = level["node_coordinates"]
        radius = np.hypot(x[:, 1], x[:, 2])
        exact = 0.125 * (radius.max() ** 2 - radius.min() ** 2) * np.ptp(x[:, 0])
        errors.append(abs(level["areas"].sum() / exact - 1.0))
    orders = np.log2(np.array(errors[1:]) / np.array(errors[:-1]))
    np.testing.assert_allclose(orders, 2.0, atol=0.05)


def test_bump_volume_tends_to_the_channel_without_the_bump(make: Make) -> None:
    """3 x 1 x 0.5 less 0.5 times the integral of the bump, 0.1 sqrt(pi / 25) erf(7.5)."""
    exact = 1.5 - 0.5 * 0.1 * math.sqrt(math.pi / 25.0) * math.erf(7.5)
    assert make("bump", 30_000, 1)[0]["areas"].sum() == pytest.approx(exact, rel=1e-5)


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("shape", ["sector", "rotor37"])
def test_periodic_pairs_are_rotations_of_each_other(make: Make, shape: str, shuffle: bool) -> None:
    for level in make(shape, 5000, 3, shuffle=shuffle):
        turn = rotation_matrix(
            level.attributes["rotation_axis"], level.attributes["periodic_angle_rad"]
        )
        low, high = level["periodic_node_pairs"].T
        x = level["node_coordinates"]
        np.testing.assert_allclose(x[low] @ turn.T, x[high], atol=10 * EPSILON * abs(x).max())
        sides = level["bnd_node-->node"][:, 0], level["bnd_node-->group"][:, 0]
        assert set(low) == set(sides[0][sides[1] == 6])
        assert set(high) == set(sides[0][sides[1] == 7])


@pytest.mark.parametrize("shape", SHAPES)
def test_boundary_quads_carry_the_area_of_the_boundary_entries(make: Make, shape: str) -> None:
    level = make(shape, 5000, 1)[0]
    corners = level["node_coordinates"][level["bnd_quads"]]
    diagonals = corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]
    outward = 0.5 * np.cross(*diagonals)
    scale = np.linalg.norm(outward, axis=1).sum()
    for group in np.unique(level["bnd_quad_group"]):
        of_quads = outward[level["bnd_quad_group"] == group].sum(axis=0)
        entries = level["bnd_node-->group"][:, 0] == group
        of_entries = level["bnd_node_weights"][entries].sum(axis=0)
        np.testing.assert_allclose(of_quads, -of_entries, atol=1e-13 * scale)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("nodes", [3000, 20_000, 100_000])
def test_number_of_nodes_is_near_the_request(make: Make, shape: str, nodes: int) -> None:
    assert make(shape, nodes, 3)[0].nodes == pytest.approx(nodes, rel=0.12)


def test_aspect_sets_proportions_of_cell_counts(make: Make) -> None:
    x = make("box", 4000, 1, aspect=(8.0, 2.0, 1.0))[0]["node_coordinates"]
    extent = np.ptp(x, axis=0)
    np.testing.assert_allclose(extent / extent[2], [8.0, 2.0, 1.0], rtol=0.25)


def test_stretch_refines_at_walls(make: Make) -> None:
    x = np.unique(make("box", 4000, 1, stretch=5.0)[0]["node_coordinates"][:, 1])
    spacing = np.diff(x)
    assert spacing[0] == pytest.approx(spacing[-1])
    assert spacing.max() / spacing[0] > 4.0
