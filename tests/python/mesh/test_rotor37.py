# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The Rotor 37 passage: sound cells, and a blade where NASA's points are."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from halocline.mesh.arrays import Floats
from halocline.mesh.blade_sections import data_folder, load_sections
from halocline.mesh.layout import Layout
from halocline.mesh.request import Request
from halocline.mesh.rotor37 import PITCH, count_nodes, make_rotor37
from halocline.mesh.shape import Shape, level_layouts

from halocline.mesh import groups

Make = Callable[..., Any]
SIZES = [5000, 20_000]


@pytest.fixture(scope="module")
def nasa_points() -> Floats:
    """Published points (13, 100, 4): x [m], r [m], theta of the two sides [rad]."""
    table = np.loadtxt(data_folder("rotor37") / "blade_sections.csv", delimiter=",", skiprows=1)
    return table[:, 2:].reshape(13, 100, 4) * [0.01, 0.01, 1.0, 1.0]


def scaled_jacobians(shape: Shape, layout: Layout) -> Floats:
    """Triple product of the unit edges at every corner of every cell; inf where edges vanish."""
    x = shape.coordinates(layout.i_lines, layout.j_lines, layout.k_lines)
    n = layout.shape
    active = layout.active_cells(np.arange(n[0] - 1))
    smallest = np.full(tuple(count - 1 for count in n), np.inf)
    for corner in itertools.product((0, 1), repeat=3):
        edges = []
        for axis in range(3):
            ends = list(corner)
            ends[axis] = 1 - ends[axis]
            edge = (pick(x, tuple(ends), n) - pick(x, corner, n)) * (1 - 2 * corner[axis])
            edges.append(edge)
        product = (np.cross(edges[0], edges[1], axis=0) * edges[2]).sum(axis=0)
        length = np.prod([np.linalg.norm(edge, axis=0) for edge in edges], axis=0)
        here = np.divide(product, length, out=np.full_like(length, np.inf), where=length > 0.0)
        smallest = np.minimum(smallest, here)
    smallest[~active] = np.inf
    return smallest


def pick(x: Floats, corner: tuple[int, ...], n: tuple[int, ...]) -> Floats:
    return x[(slice(None), *(slice(c, m - 1 + c) for c, m in zip(corner, n, strict=True)))]


@pytest.mark.parametrize("nodes", [*SIZES, 150_000])
def test_cells_are_positive_and_not_flat_on_all_levels(nodes: int) -> None:
    shape = make_rotor37(Request(nodes, 4))
    for layout in level_layouts(shape, 4):
        jacobians = scaled_jacobians(shape, layout)
        # The blade is staggered by up to 63 degrees and lines across it are arcs: cos 63 = 0.45.
        assert jacobians.min() > 0.25


@pytest.mark.parametrize("nodes", SIZES)
def test_edges_point_along_their_faces(make: Make, nodes: int) -> None:
    for level in make("rotor37", nodes, 4):
        x, edges = level["node_coordinates"], level["edge-->node"]
        along = x[edges[:, 1]] - x[edges[:, 0]]
        assert ((along * level["edge_weights"]).sum(axis=1) > 0.0).all()


@pytest.mark.parametrize("nodes", [2000, 5000, 250_000, 1_000_000, 25_000_000])
def test_size_follows_the_request_and_the_count(nodes: int) -> None:
    shape = make_rotor37(Request(nodes, 4))
    assert count_nodes(shape.parameters["cells"]) == shape.layout.node_count()  # type: ignore[arg-type]
    assert shape.layout.node_count() == pytest.approx(nodes, rel=0.1)


def test_interpolated_sections_pass_through_the_published_points(nasa_points: Floats) -> None:
    sections = load_sections(data_folder("rotor37"))
    for number, points in enumerate(nasa_points):
        x = points[:, 0]
        chord = (x - x[0]) / (x[-1] - x[0])
        surface = sections.evaluate(chord, sections.span[number : number + 1])
        radius = sections.path.radius(surface.axial, surface.fraction)[:, 0]
        np.testing.assert_allclose(surface.axial[:, 0], x, atol=1e-9)
        np.testing.assert_allclose(surface.theta_high[:, 0], points[:, 2], atol=1e-7)
        np.testing.assert_allclose(surface.theta_low[:, 0], points[:, 3], atol=1e-7)
        # Section 1 and 13 are moved onto the published walls: by less than 20 micrometres.
        tolerance = 2e-5 if number in (0, 12) else 1e-9
        np.testing.assert_allclose(radius, points[:, 1], atol=tolerance)


def test_blade_tip_of_the_mesh_lies_on_the_published_section(nasa_points: Floats) -> None:
    shape = make_rotor37(Request(20_000, 4))
    blade = shape.layout.blade
    assert blade is not None
    i, j = np.arange(blade.i_le, blade.i_te + 1), np.array([blade.j_tip])
    x, y, z = shape.coordinates(i, j, np.array([blade.k_lo, blade.k_hi]))[:, :, 0]
    tip = nasa_points[11]
    for side, column in ((0, 3), (1, 2)):
        distance = distance_to_polyline(
            np.stack([x[:, side], np.arctan2(z[:, side], y[:, side])], axis=1) * [1.0, 0.25],
            tip[:, [0, column]] * [1.0, 0.25],
        )
        assert distance.max() < 1e-5  # [m]: the sag of chords between published points 3 mm apart
    np.testing.assert_allclose(np.hypot(y, z)[:, 0], np.interp(x[:, 0], tip[:, 0], tip[:, 1]),
                               atol=5e-6)  # fmt: skip


def distance_to_polyline(points: Floats, line: Floats) -> Floats:
    start, step = line[:-1], np.diff(line, axis=0)
    offset = points[:, None] - start
    t = np.clip((offset * step).sum(-1) / (step * step).sum(-1), 0.0, 1.0)
    return np.linalg.norm(offset - t[..., None] * step, axis=-1).min(axis=1)


def quad_areas(corners: Floats) -> Floats:
    diagonals = corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]
    return 0.5 * np.linalg.norm(np.cross(*diagonals), axis=1)


def test_blade_area_is_that_of_the_published_sections(make: Make, nasa_points: Floats) -> None:
    """Both sides from hub to tip (section 12) plus the cap at the tip."""
    x, r = nasa_points[:12, :, 0], nasa_points[:12, :, 1]
    expected = 0.0
    for side in (2, 3):
        theta = nasa_points[:12, :, side]
        points = np.stack([x, r * np.cos(theta), r * np.sin(theta)], axis=-1)
        corners = np.stack([points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]], 2)
        expected += float(quad_areas(corners.reshape(-1, 4, 3)).sum())
    tip = nasa_points[11]
    width = tip[:, 1] * (tip[:, 2] - tip[:, 3])
    expected += float(np.trapezoid(width, np.cumsum(np.hypot(*np.gradient(tip[:, :2], axis=0).T))))
    level = make("rotor37", 20_000, 1)[0]
    blade = level["bnd_quads"][level["bnd_quad_group"] == groups.BLADE]
    area = float(quad_areas(level["node_coordinates"][blade]).sum())
    assert area == pytest.approx(expected, rel=0.005)


def test_walls_lie_on_the_published_flow_path(make: Make) -> None:
    level = make("rotor37", 5000, 1)[0]
    node, group = level["bnd_node-->node"][:, 0], level["bnd_node-->group"][:, 0]
    for name, number in (("hub", groups.HUB), ("shroud", groups.SHROUD)):
        wall = np.loadtxt(data_folder("rotor37") / f"{name}.csv", delimiter=",", skiprows=1) / 100
        x, y, z = level["node_coordinates"][node[group == number]].T
        # Between points 9 mm apart the slope changes by 0.1: a bulge of 9 mm x 0.1 / 8.
        np.testing.assert_allclose(np.hypot(y, z), np.interp(x, *wall.T), atol=1.5e-4)


def test_passage_spans_one_pitch_and_reaches_a_chord_ahead_and_two_behind(make: Make) -> None:
    level = make("rotor37", 5000, 1)[0]
    x, y, z = level["node_coordinates"].T
    inlet = np.isclose(x, x.min())
    assert np.ptp(np.arctan2(z, y)[inlet & np.isclose(np.hypot(y, z), np.hypot(y, z)[inlet].min())]
                  ) == pytest.approx(PITCH)  # fmt: skip
    chord = 0.056
    assert x.min() < 0.0003 - 0.9 * chord
    assert x.max() > 0.043 + 1.8 * chord


def test_tip_gap_is_open_and_as_high_as_published(make: Make, nasa_points: Floats) -> None:
    level = make("rotor37", 20_000, 1)[0]
    node, group = level["bnd_node-->node"][:, 0], level["bnd_node-->group"][:, 0]
    blade = level["node_coordinates"][node[group == groups.BLADE]]
    shroud = level["node_coordinates"][node[group == groups.SHROUD]]
    middle = nasa_points[11:, 50]
    near = [np.abs(part[:, 0] - middle[0, 0]) < 0.001 for part in (blade, shroud)]
    tip = np.hypot(blade[near[0], 1], blade[near[0], 2]).max()
    casing = np.hypot(shroud[near[1], 1], shroud[near[1], 2]).max()
    assert casing - tip == pytest.approx(middle[1, 1] - middle[0, 1], rel=0.5)
    assert not set(node[group == groups.BLADE]) & set(node[group == groups.SHROUD])
