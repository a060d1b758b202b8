# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Meshes made with --elements and --perturb: sound on all levels, and the same every time."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from halocline.errors import InvalidInputError, UsageError
from halocline.mesh.make import Output, make_mesh
from halocline.mesh.periodic import rotation_matrix
from halocline.mesh.request import Request

Make = Callable[..., Any]
EPSILON = np.finfo(np.float64).eps
KINDS = ["hex", "tet", "mixed"]
CLOSURE = 100 * EPSILON
"""At most 14 edges of some ten triangles, every one a few roundings, relative to their area."""


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("shape", ["box", "sector", "bump", "cavity"])
@pytest.mark.parametrize("elements", KINDS)
def test_dual_cells_close_on_all_levels(
    make: Make, shape: str, elements: str, shuffle: bool
) -> None:
    for level in make(shape, 5000, 4, elements=elements, perturb=0.2, shuffle=shuffle):
        assert level.residual().max() < CLOSURE
        assert (level["areas"] > 0.0).all()


@pytest.mark.parametrize("perturb", [0.0, 0.2])
@pytest.mark.parametrize("elements", KINDS)
def test_volumes_and_sides_of_the_unit_cube_are_exact(
    make: Make, elements: str, perturb: float
) -> None:
    for level in make("cavity", 3000, 3, stretch=3.0, elements=elements, perturb=perturb):
        lid = level["bnd_node-->group"][:, 0] == 1
        side = level["bnd_node_weights"][lid].sum(axis=0)
        assert level["areas"].sum() == pytest.approx(1.0, rel=level.nodes * EPSILON)
        np.testing.assert_allclose(side, [0.0, -1.0, 0.0], atol=level.nodes * EPSILON)
        assert level.residual().max() < CLOSURE
        assert (level["areas"] > 0.0).all()


@pytest.mark.parametrize("elements", KINDS)
def test_slabs_do_not_change_the_mesh(
    make: Make, elements: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = {"elements": elements, "perturb": 0.2}
    whole = make("sector", 4000, 2, name="whole", **wanted)
    monkeypatch.setattr("halocline.mesh.make.SLAB_PLANES", 1)
    monkeypatch.setattr("halocline.mesh.make.SLAB_NODES", 1)
    sliced = make("sector", 4000, 2, name="sliced", **wanted)
    for one, other in zip(whole, sliced, strict=True):
        for name in one.data:
            np.testing.assert_array_equal(one[name], other[name], err_msg=name)


@pytest.mark.parametrize("elements", KINDS)
def test_levels_keep_the_places_of_perturbed_nodes(make: Make, elements: str) -> None:
    levels = make("box", 6000, 4, elements=elements, perturb=0.2)
    for fine, coarse in pairwise(levels):
        parents = fine["node-->mg_node"][:, 0]
        offset = fine["node_coordinates"] - coarse["node_coordinates"][parents]
        assert len(np.unique(parents[(offset == 0.0).all(axis=1)])) == coarse.nodes


@pytest.mark.parametrize("elements", KINDS)
def test_edges_are_ordered_and_distinct(make: Make, elements: str) -> None:
    for level in make("box", 3000, 3, elements=elements):
        edges = level["edge-->node"].astype(np.int64)
        assert (edges[:, 0] < edges[:, 1]).all()
        assert (np.diff(edges[:, 0] * level.nodes + edges[:, 1]) > 0).all()


def test_every_level_is_divided_into_tetrahedra(make: Make) -> None:
    """Edges go from node (i, j, k) in the seven directions with steps of 0 or 1."""
    for level in make("cavity", 3000, 3, elements="tet"):
        lines = [len(np.unique(level["node_coordinates"][:, axis])) for axis in range(3)]
        per_direction = [
            np.prod(np.subtract(lines, steps)) for steps in np.ndindex(2, 2, 2) if any(steps)
        ]
        assert len(level["edge-->node"]) == sum(per_direction)


@pytest.mark.parametrize("elements", ["tet", "mixed"])
@pytest.mark.parametrize("shape", ["sector", "bump"])
def test_boundary_faces_carry_the_area_of_the_boundary_entries(
    make: Make, shape: str, elements: str
) -> None:
    level = make(shape, 5000, 1, elements=elements)[0]
    corners = level["node_coordinates"][level["bnd_quads"]]
    outward = 0.5 * np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
    scale = np.linalg.norm(outward, axis=1).sum()
    for group in np.unique(level["bnd_quad_group"]):
        of_faces = outward[level["bnd_quad_group"] == group].sum(axis=0)
        entries = level["bnd_node-->group"][:, 0] == group
        of_entries = level["bnd_node_weights"][entries].sum(axis=0)
        np.testing.assert_allclose(of_faces, -of_entries, atol=1e-13 * scale)


@pytest.mark.parametrize("elements", KINDS)
def test_periodic_sides_stay_images_of_each_other(make: Make, elements: str) -> None:
    level = make("sector", 5000, 1, elements=elements, perturb=0.2)[0]
    turn = rotation_matrix(
        level.attributes["rotation_axis"], level.attributes["periodic_angle_rad"]
    )
    low, high = level["periodic_node_pairs"].T
    x = level["node_coordinates"]
    np.testing.assert_allclose(x[low] @ turn.T, x[high], atol=10 * EPSILON * abs(x).max())
    lower = np.zeros(level.nodes, dtype=int)
    lower[high] = low
    on_high = lower[_edges_within(level, high)]
    assert sorted(on_high.tolist()) == sorted(_edges_within(level, low).tolist())


def _edges_within(level: Any, nodes: Any) -> Any:
    edges = level["edge-->node"]
    return edges[np.isin(edges, nodes).all(axis=1)]


@pytest.mark.parametrize("stretch", [1.0, 4.0])
def test_inner_nodes_move_by_at_most_the_fraction_of_the_spacing(
    make: Make, stretch: float
) -> None:
    still = make("cavity", 3000, 1, name="still", stretch=stretch)[0]["node_coordinates"]
    moved = make("cavity", 3000, 1, name="moved", stretch=stretch, perturb=0.2)[0]
    spacing = np.ones(still.shape)
    for axis in range(3):
        line = np.unique(still[:, axis])
        gaps = np.diff(line)
        nearer = np.concatenate([[1.0], np.minimum(gaps[1:], gaps[:-1]), [1.0]])
        spacing[:, axis] = nearer[np.searchsorted(line, still[:, axis])]
    step = np.linalg.norm((moved["node_coordinates"] - still) / spacing, axis=1)
    outside = ((still == 0.0) | (still == 1.0)).any(axis=1)
    assert (step[outside] == 0.0).all()
    assert (step[~outside] > 0.0).all()
    assert 0.19 < step.max() < 0.2 + 100 * EPSILON / spacing.min()


@pytest.mark.parametrize("elements", KINDS)
def test_same_seed_same_mesh_other_seed_other_mesh(make: Make, elements: str) -> None:
    wanted = {"elements": elements, "perturb": 0.2}
    first, again, other = (
        make("box", 1000, 2, name=name, seed=seed, **wanted)
        for name, seed in (("first", 7), ("again", 7), ("other", 8))
    )
    for one, two in zip(first, again, strict=True):
        for name in one.data:
            np.testing.assert_array_equal(one[name], two[name], err_msg=name)
    assert (first[0]["node_coordinates"] != other[0]["node_coordinates"]).any()


def test_parameters_name_what_departs_from_plain_hexahedra(make: Make) -> None:
    plain = make("box", 1000, 1, name="plain")[0].attributes["parameters"]
    mixed = make("box", 1000, 1, elements="mixed", perturb=0.1, seed=5)[0].attributes["parameters"]
    added = {"elements": "mixed", "perturb": 0.1, "seed": 5}
    assert json.loads(plain).keys() == {"cells", "stretch"}
    assert json.loads(mixed) == json.loads(plain) | added


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (Request(1000, 1, elements="tets"), "Did you mean 'tet'"),
        (Request(1000, 1, elements="polyhedra"), "Known: hex, mixed, quad, tet, tri"),
        (Request(1000, 1, perturb=0.3), "--perturb 0.3: must lie between 0 and 0.25"),
        (Request(1000, 1, perturb=-0.1), "inside out"),
        (Request(1000, 1, perturb=float("nan")), "--perturb nan"),
    ],
)
def test_senseless_variants_are_usage_errors(tmp_path: Path, request_: Request, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        make_mesh("box", request_, Output(tmp_path / "m"))


def test_mixed_needs_four_layers(tmp_path: Path) -> None:
    request = Request(64, 1, elements="mixed")
    with pytest.raises(InvalidInputError, match="at least 4 cells along i, but this mesh has 3"):
        make_mesh("box", request, Output(tmp_path / "m"))
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize("wanted", [{"elements": "tet"}, {"perturb": 0.1}])
def test_a_blade_takes_no_variants(tmp_path: Path, wanted: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="rotor37 takes neither --elements nor --perturb"):
        make_mesh("rotor37", Request(3000, 1, **wanted), Output(tmp_path / "m"))
