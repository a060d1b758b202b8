# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Meshes for incompressible flow: duals, weights and boundaries of all shapes and elements."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from halocline.errors import InvalidInputError, UsageError
from halocline.mesh.check import check_mesh
from halocline.mesh.make import Output, make_mesh
from halocline.mesh.request import Request

Make = Callable[..., Any]
EPSILON = np.finfo(float).eps
CLOSURE = 64 * EPSILON
LINEAR = 400 * EPSILON
"""Relative to the sum of what flows along some 50 edges, each of a sum over 24 simplices."""

FLAT = ("quad", "tri", "mixed")
SOLID = ("hex", "tet", "mixed")
SHAPES = ("box", "bump", "cavity", "channel", "step", "cylinder", "periodic-box")
EVERY = [(shape, 2, e) for shape in SHAPES for e in FLAT] + [
    (shape, 3, e) for shape in SHAPES for e in SOLID
]
VOLUMES = {
    "cavity": 1.0, "channel": 4.0, "step": 30.0, "periodic-box": (2.0 * math.pi) ** 2,
}  # fmt: skip


@pytest.mark.parametrize("perturb", [0.0, 0.2])
@pytest.mark.parametrize(("shape", "dimension", "elements"), EVERY)
def test_every_shape_is_sound(
    make: Make, tmp_path: Path, shape: str, dimension: int, elements: str, perturb: float
) -> None:
    flow = {"dimension": dimension, "laplacian": True}
    nodes = 500 if dimension == 2 else 1500
    stretch = 1.0 if shape == "periodic-box" else 2.0
    levels = make(shape, nodes, 2, elements=elements, perturb=perturb, stretch=stretch, flow=flow)
    for level in levels:
        assert level.residual().max() < CLOSURE
        if "edge_stiffness" not in level.data:  # coarse levels of shapes made from cells
            continue
        assert level.attributes["dimension"] == dimension
        flux, scale = level.laplacian_of_places()
        inner = np.setdiff1d(np.arange(level.nodes), level["bnd_node-->node"])
        assert (np.linalg.norm(flux, axis=1)[inner] < LINEAR * scale[inner]).all()
    report = check_mesh(tmp_path / "mesh")
    assert report.ok, report


@pytest.mark.parametrize("shape", VOLUMES)
@pytest.mark.parametrize("elements", FLAT)
def test_areas_add_up_to_that_of_the_shape(make: Make, shape: str, elements: str) -> None:
    for level in make(shape, 600, 2, elements=elements, perturb=0.2, flow={"dimension": 2}):
        rounding = level.nodes * EPSILON
        assert level["areas"].sum() == pytest.approx(VOLUMES[shape], rel=rounding)
        assert not level["edge_weights"][:, 2].any()
        assert not level["bnd_node_weights"][:, 2].any()
        assert not level["node_coordinates"][:, 2].any()


def test_a_square_of_four_quadrilaterals_has_the_hand_derived_rows(make: Make) -> None:
    level = make("cavity", 9, 1, flow={"dimension": 2, "cells": (2, 2)})[0]
    # Nodes run along y first. Inner edges have a face of 1/2, those of the sides of 1/4; all
    # lengths are 1/2, hence weights 1 and 1/2.
    edges = {tuple(pair): n for n, pair in enumerate(level["edge-->node"].tolist())}
    assert len(edges) == 12
    weight = level["edge_stiffness"][:, 0]
    assert weight[edges[1, 4]] == pytest.approx(1.0)
    assert weight[edges[0, 1]] == pytest.approx(0.5)
    np.testing.assert_allclose(level["edge_weights"][edges[1, 4]], [0.5, 0.0, 0.0])
    np.testing.assert_allclose(level["edge_weights"][edges[0, 1]], [0.0, 0.25, 0.0])
    assert "diagonal-->node" not in level.data
    lines = level["bnd_quads"]
    assert (lines[:, 1:2] == lines[:, 2:]).all()
    lid = lines[level["bnd_quad_group"] == 1][:, :2]
    assert sorted(map(tuple, lid.tolist())) == [(5, 2), (8, 5)]


def test_the_step_has_its_inlet_above_the_edge(make: Make) -> None:
    for level in make("step", 1000, 3):
        x = level["node_coordinates"]
        group = level["bnd_node-->group"][:, 0]
        inlet = x[level["bnd_node-->node"][group == 4, 0]]
        assert inlet[:, 0].max() == 0.0
        assert (inlet[:, 1].min(), inlet[:, 1].max()) == (0.0, 0.5)
        inward = {g: level["bnd_node_weights"][group == g].sum(axis=0) for g in (0, 1, 4, 5)}
        np.testing.assert_allclose(inward[4], [0.5, 0, 0], atol=1e-14)
        np.testing.assert_allclose(inward[5], [-1.0, 0, 0], atol=1e-14)
        np.testing.assert_allclose(inward[0], [0.5, 30.0, 0], atol=1e-13)


def test_the_cylinder_lies_where_the_benchmark_says(make: Make) -> None:
    level = make("cylinder", 2000, 2, perturb=0.1)[0]
    group = level["bnd_node-->group"][:, 0]
    ring = level["node_coordinates"][level["bnd_node-->node"][group == 2, 0]]
    np.testing.assert_allclose(np.hypot(*(ring[:, :2] - [0.2, 0.2]).T), 0.05, rtol=1e-14)
    low, high = level["node_coordinates"].min(axis=0), level["node_coordinates"].max(axis=0)
    np.testing.assert_allclose([*low[:2], *high[:2]], [0.0, 0.0, 2.2, 0.41], atol=1e-15)
    count = len(ring)
    polygon = 0.5 * count * 0.05**2 * math.sin(2.0 * math.pi / count)
    assert level["areas"].sum() == pytest.approx(2.2 * 0.41 - polygon, rel=1e-3)
    closed = level["bnd_node_weights"][group == 2].sum(axis=0)
    np.testing.assert_allclose(closed, 0.0, atol=1e-15)


def test_edges_of_a_periodic_box_go_around(make: Make) -> None:
    level = make("periodic-box", 1000, 1, flow={"dimension": 3, "cells": (4, 4, 4)})[0]
    assert level.nodes == 64
    assert len(level["edge-->node"]) == 3 * 64
    assert len(level["bnd_node-->node"]) == 0
    np.testing.assert_allclose(
        np.linalg.norm(level["edge_vectors"], axis=1), math.pi / 2.0, rtol=1e-14
    )
    np.testing.assert_allclose(level["edge_stiffness"], math.pi / 2.0, rtol=1e-14)
    a, b = level["edge-->node"].T
    places = level["node_coordinates"]
    images = places[a] + level["edge_vectors"] - places[b]
    turns = images / (2.0 * math.pi)
    np.testing.assert_allclose(turns, np.round(turns), atol=1e-14)
    np.testing.assert_allclose(level.attributes["periods"], 2.0 * math.pi)


@pytest.mark.parametrize(("shape", "periodic"), [("box", "y"), ("channel", "xz"), ("step", "z")])
def test_sides_of_periodic_directions_are_no_boundary(
    make: Make, tmp_path: Path, shape: str, periodic: str
) -> None:
    flow = {"dimension": 3, "periodic": periodic}
    for level in make(shape, 3000, 2, elements="mixed", perturb=0.2, flow=flow):
        normals = level["bnd_node_weights"]
        for letter in periodic:
            assert not normals[:, "xyz".index(letter)].any()
    assert check_mesh(tmp_path / "mesh").ok


@pytest.mark.parametrize(
    ("shape", "flow", "elements"),
    [
        ("cavity", {"dimension": 2}, "mixed"),
        ("step", {"dimension": 3}, "tet"),
        ("periodic-box", {"dimension": 3}, "mixed"),
        ("channel", {"dimension": 3, "periodic": "xz"}, "hex"),
        ("rotor37", {"laplacian": True}, ""),
    ],
)
def test_slabs_do_not_change_the_mesh(
    make: Make, monkeypatch: pytest.MonkeyPatch, shape: str, flow: dict[str, object], elements: str
) -> None:
    wanted = {"elements": elements, "perturb": 0.0 if shape == "rotor37" else 0.2, "flow": flow}
    whole = make(shape, 4000, 2, name="whole", **wanted)
    monkeypatch.setattr("halocline.mesh.make.SLAB_PLANES", 1)
    monkeypatch.setattr("halocline.mesh.make.SLAB_NODES", 1)
    sliced = make(shape, 4000, 2, name="sliced", **wanted)
    for one, other in zip(whole, sliced, strict=True):
        assert one.data.keys() == other.data.keys()
        for name in one.data:
            np.testing.assert_array_equal(one[name], other[name], err_msg=name)


@pytest.mark.parametrize("shape", ["box", "sector", "rotor37", "bump", "cavity"])
def test_files_of_mgcfd_have_nothing_new_unless_asked(make: Make, shape: str) -> None:
    for level in make(shape, 5000, 2):
        new = ("stiffness", "diagonal", "vectors", "wall")
        assert not [name for name in level.data if any(word in name for word in new)]
        assert not {"dimension", "periods"} & level.attributes.keys()


@pytest.mark.parametrize("elements", ["", "tet", "mixed"])
def test_the_laplacian_adds_to_a_file_and_changes_nothing(make: Make, elements: str) -> None:
    plain = make("cavity", 2000, 2, name="plain", elements=elements)
    more = make("cavity", 2000, 2, name="more", elements=elements, flow={"laplacian": True})
    for one, other in zip(plain, more, strict=True):
        for name in one.data:
            np.testing.assert_array_equal(one[name], other[name], err_msg=name)
        added = {"edge_stiffness", "wall_distance", "nearest_wall_node"}
        diagonals = {"diagonal-->node", "diagonal_stiffness", "edge_faces", "diagonal_faces"}
        wanted = added | diagonals if elements == "mixed" else added
        assert other.data.keys() - one.data.keys() == wanted


@pytest.mark.parametrize("shape", ["cavity", "cylinder", "periodic-box"])
def test_shuffled_meshes_are_the_same_mesh(make: Make, tmp_path: Path, shape: str) -> None:
    wanted = {"perturb": 0.2, "flow": {"dimension": 2}}
    plain = make(shape, 600, 2, name="plain", **wanted)[0]
    mixed = make(shape, 600, 2, name="mixed", shuffle=True, **wanted)[0]
    assert check_mesh(tmp_path / "mixed").ok
    origin = mixed["origin"][:, 0]
    for name in ("wall_distance", "areas", "node_coordinates"):
        if name in plain.data:
            np.testing.assert_allclose(mixed[name], plain[name][origin], rtol=1e-14, atol=1e-14)
    for kind in ("edge", "diagonal"):
        ends = origin[mixed[f"{kind}-->node"]]
        weights = dict(zip(map(frozenset, ends.tolist()), mixed[f"{kind}_stiffness"][:, 0],
                           strict=True))  # fmt: skip
        for pair, weight in zip(plain[f"{kind}-->node"].tolist(),
                                plain[f"{kind}_stiffness"][:, 0], strict=True):  # fmt: skip
            assert weights[frozenset(pair)] == weight


def test_cells_are_met_exactly(make: Make) -> None:
    level = make("cavity", 8, 1, flow={"dimension": 2, "cells": (12, 7)})[0]
    assert level.nodes == 13 * 8


def test_one_seed_gives_one_mesh(make: Make, tmp_path: Path) -> None:
    digests = set()
    for name in ("one", "two"):
        make("cylinder", 1000, 2, name=name, elements="tri", perturb=0.2, seed=4)
        digests.add(hashlib.sha256((tmp_path / name / "mesh.L0.h5").read_bytes()).hexdigest())
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("shape", "request_", "kind", "words"),
    [
        ("canal", Request(1000, 1), UsageError, "Did you mean 'channel'"),
        ("cilinder", Request(1000, 1), UsageError, "Did you mean 'cylinder'"),
        ("sector", Request(1000, 1, elements="quad"), UsageError, "no 2-D form"),
        ("rotor37", Request(5000, 1, dimension=2), UsageError, "no 2-D form"),
        ("cavity", Request(1000, 1, elements="quad", dimension=3), UsageError, "exclude each"),
        ("cavity", Request(1000, 1, elements="hex", dimension=2), UsageError, "quad, tri, mixed"),
        ("cavity", Request(1000, 1, dimension=4), UsageError, "must be 2 or 3"),
        ("cavity", Request(1000, 1, elements="hex", cells=(8, 8)), UsageError, "Give 3 numbers"),
        ("cavity", Request(1000, 1, cells=(8, 0, 8)), UsageError, "at least one cell"),
        ("step", Request(1000, 1, cells=(30, 5)), InvalidInputError, "Give a multiple of 2"),
        ("cavity", Request(1000, 1, periodic="x"), UsageError, "cannot be periodic along 'x'"),
        ("channel", Request(1000, 1, periodic="y"), UsageError, "It can be along x"),
        ("channel", Request(1000, 1, periodic="z"), UsageError, "It can be along x"),
        ("periodic-box", Request(1000, 1, cells=(2, 8)), InvalidInputError, "at least 3"),
        ("cylinder", Request(1000, 1, cells=(8, 8)), UsageError, "Leave --cells out"),
        ("cylinder", Request(1000, 1, periodic="z"), UsageError, "Leave --periodic out"),
        ("periodic-box", Request(1000, 1, stretch=2.0), UsageError, "Leave out --stretch"),
        ("cylinder", Request(20, 1), InvalidInputError, "Ask for at least"),
        ("rotor37", Request(5000, 1, cells=(8, 8, 8)), UsageError, "Leave out"),
        ("rotor37", Request(5000, 1, periodic="z"), UsageError, "Leave out"),
    ],
)
def test_what_cannot_be_made_is_told_in_a_sentence(
    tmp_path: Path, shape: str, request_: Request, kind: type[Exception], words: str
) -> None:
    with pytest.raises(kind, match=words):
        make_mesh(shape, request_, Output(tmp_path / "m"))
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize(("shape", "cells"), [("cavity", (4, 4)), ("periodic-box", (4, 4, 4))])
def test_cells_say_the_dimension(tmp_path: Path, shape: str, cells: tuple[int, ...]) -> None:
    (level,) = make_mesh(shape, Request(1000, 1, cells=cells), Output(tmp_path / "m"))
    assert level.nodes == (25 if len(cells) == 2 else 64)
