# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Cells of level files: hand-derived corners and volumes, and what `mesh check` says of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from halocline.mesh.arrays import AnyArray, Floats
from halocline.mesh.cells import (
    HEXAHEDRON,
    KINDS,
    PRISM,
    PYRAMID,
    QUADRILATERAL,
    TETRAHEDRON,
    TRIANGLE,
    Kind,
    cell_volumes,
)
from halocline.mesh.check import MeshReport, check_mesh
from halocline.mesh.elements import HEXAHEDRON as ONE_HEXAHEDRON
from halocline.mesh.info import mesh_info

Make = Callable[..., Any]
CELLS = tuple(KINDS)
EPSILON = np.finfo(np.float64).eps

HAND_DERIVED = [
    (TETRAHEDRON, [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], 1 / 6),
    (PYRAMID, [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1)], 1 / 3),
    (PRISM, [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1)], 1 / 2),
    (
        HEXAHEDRON,
        [(0, 0, 0), (2, 0, 0), (2, 1, 0), (0, 1, 0), (0, 0, 3), (2, 0, 3), (2, 1, 3), (0, 1, 3)],
        6.0,
    ),
    (TRIANGLE, [(0, 0, 0), (1, 0, 0), (0, 1, 0)], 1 / 2),
    (QUADRILATERAL, [(0, 0, 0), (2, 0, 0), (2, 1, 0), (0, 1, 0)], 2.0),
]
"""Corners at the parametric coordinates that VTK gives them: volumes of a box and its parts."""


@pytest.mark.parametrize(("kind", "corners", "volume"), HAND_DERIVED)
def test_volume_of_a_cell_in_vtks_order_is_positive(
    kind: Kind, corners: list[tuple[int, int, int]], volume: float
) -> None:
    nodes = np.array([corners], dtype=float) + 5.0
    assert cell_volumes(kind, nodes)[0] == pytest.approx(volume, rel=1e-14)
    mirrored = nodes * np.array([-1.0, 1.0, 1.0])
    assert cell_volumes(kind, mirrored)[0] == pytest.approx(-volume, rel=1e-14)


@pytest.mark.parametrize("kind", KINDS.values())
def test_faces_of_a_cell_close_around_it(kind: Kind) -> None:
    sides = [
        (face[n - 1], face[n]) for face in kind.faces for n in range(len(face))
    ]  # each edge of a solid is walked once in each direction, that of a flat cell once
    again = {(b, a) for a, b in sides}
    assert len(set(sides)) == len(sides)
    assert (set(sides) == again) == (kind.dimension == 3)


def test_one_box_is_one_hexahedron_with_the_nodes_in_vtks_order(make: Make) -> None:
    level = make("box", 8, 1)[0]
    np.testing.assert_array_equal(level["cells_hexahedron"], [[0, 4, 6, 2, 1, 5, 7, 3]])
    assert ONE_HEXAHEDRON.elements[0].vtk_corners == (0, 4, 6, 2, 1, 5, 7, 3)
    assert not [name for name in level.data if name in CELLS and name != "cells_hexahedron"]


@pytest.mark.parametrize(
    ("elements", "counts"),
    [
        ("hex", {"cells_hexahedron": 32}),
        ("tet", {"cells_tetrahedron": 192}),
        (
            "mixed",
            {
                "cells_prism": 8 * 2,
                "cells_hexahedron": 8,
                "cells_pyramid": 8,
                "cells_tetrahedron": 8 * 4 + 8 * 6,
            },
        ),
    ],
)
def test_cells_by_kind_are_the_hand_derived_ones(
    make: Make, elements: str, counts: dict[str, int]
) -> None:
    """4 layers of 8 cells; `mixed` has prisms, hexahedra, transition cells, tetrahedra."""
    level = make("box", 5 * 5 * 3, 1, elements=elements, aspect=(4.0, 4.0, 2.0))[0]
    found = {name: len(rows) for name, rows in level.data.items() if name in CELLS}
    assert found == counts


@pytest.mark.parametrize("elements", ["hex", "tet", "mixed"])
@pytest.mark.parametrize("shape", ["box", "sector", "bump"])
def test_cells_fill_the_dual_cells_on_every_level(make: Make, shape: str, elements: str) -> None:
    for level in make(shape, 2000, 3, elements=elements, perturb=0.2, shuffle=True):
        volumes, corners = volumes_of(level.data)
        assert (volumes > 0.0).all()
        assert set(corners) == set(range(level.nodes))
        tolerance = EPSILON * len(volumes)
        assert volumes.sum() == pytest.approx(level["areas"].sum(), rel=tolerance)


def test_cells_at_a_blade_repeat_nodes_and_still_fill_the_passage(make: Make) -> None:
    for level in make("rotor37", 3000, 3):
        volumes, corners = volumes_of(level.data)
        assert (volumes > 0.0).all()
        assert set(corners) == set(range(level.nodes))
        tolerance = EPSILON * len(volumes)
        assert volumes.sum() == pytest.approx(level["areas"].sum(), rel=tolerance)
        distinct = [len(set(cell)) for cell in level["cells_hexahedron"].tolist()]
        assert set(distinct) == {6, 8}


def test_shuffled_cells_are_the_same_cells(make: Make) -> None:
    for plain, mixed in zip(
        make("box", 500, 2, name="a", elements="mixed"),
        make("box", 500, 2, name="b", elements="mixed", shuffle=True),
        strict=True,
    ):
        for name in CELLS:
            if name in plain.data:
                origin = mixed["origin"][:, 0]
                np.testing.assert_array_equal(origin[mixed[name]], plain[name])


def test_cells_of_many_slabs_are_those_of_one(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = make("rotor37", 3000, 1, name="whole")[0]
    monkeypatch.setattr("halocline.mesh.make.SLAB_NODES", 1)
    monkeypatch.setattr("halocline.mesh.make.SLAB_PLANES", 1)
    parts = make("rotor37", 3000, 1, name="parts")[0]
    np.testing.assert_array_equal(whole["cells_hexahedron"], parts["cells_hexahedron"])


@pytest.fixture
def folder(make: Make, tmp_path: Path) -> Path:
    make("box", 200, 1, elements="mixed")
    return tmp_path / "mesh"


def test_info_counts_cells_by_kind(folder: Path) -> None:
    kinds = {"hexahedron", "prism", "pyramid", "tetrahedron"}
    assert set(mesh_info(folder).levels[0].cells) == kinds


def test_a_mesh_without_cells_is_sound(folder: Path) -> None:
    report = broken(folder, lambda mesh: [mesh.pop(name) for name in CELLS if name in mesh])
    assert report.ok
    assert mesh_info(folder).levels[0].cells == {}


def _swap(mesh: h5py.File) -> None:
    mesh["cells_tetrahedron"][3] = mesh["cells_tetrahedron"][3][[1, 0, 2, 3]]


def _drop(mesh: h5py.File) -> None:
    rows = mesh["cells_hexahedron"][1:]
    del mesh["cells_hexahedron"]
    mesh["cells_hexahedron"] = rows


def _forget(mesh: h5py.File) -> None:
    del mesh["cells_tetrahedron"]


def _rename(mesh: h5py.File) -> None:
    mesh.move("cells_prism", "cells_wedge")


def _widen(mesh: h5py.File) -> None:
    mesh.move("cells_prism", "cells_pyramid_")
    del mesh["cells_pyramid"]
    mesh.move("cells_pyramid_", "cells_pyramid")


def _out_of_range(mesh: h5py.File) -> None:
    mesh["cells_prism"][2] = [0, 1, 2, 3, 4, 10**6]


def _repeat(mesh: h5py.File) -> None:
    mesh["cells_convex_9"] = np.array([[0, 1, 2, 3, 4, 5, 6, 7, 8], [0, 1, 2, 3, 4, 5, 6, 7, 7]])


BROKEN = {
    "turned inside out": (_swap, "cells_tetrahedron", "volume above zero", 3),
    "one cell lost": (_drop, "cells", "the volume of all dual cells", None),
    "a kind lost": (_forget, "cells", "every node is a corner", None),
    "unknown kind": (_rename, "cells_wedge", "known kind of cell", None),
    "wrong width": (_widen, "cells_pyramid", "5 columns of integer", None),
    "out of range": (_out_of_range, "cells_prism", "corners from 0 to", 2),
    "repeated corner": (_repeat, "cells_convex_9", "all different", 1),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_cell_is_named(folder: Path, name: str) -> None:
    edit, dataset, words, row = BROKEN[name]
    report = broken(folder, edit)
    found = [v for v in report.levels[0].violations if v.dataset == dataset and words in v.rule]
    assert len(found) == 1, report.levels[0].violations
    assert row is None or found[0].places[0].index == row


def volumes_of(data: dict[str, AnyArray]) -> tuple[Floats, list[int]]:
    nodes = data["node_coordinates"]
    kinds = [name for name in data if name in CELLS]
    volumes = [cell_volumes(KINDS[name], nodes[data[name]]) for name in kinds]
    return np.concatenate(volumes), np.concatenate([data[name].ravel() for name in kinds]).tolist()


def broken(folder: Path, edit: Callable[[h5py.File], Any]) -> MeshReport:
    with h5py.File(folder / "mesh.L0.h5", "r+") as handle:
        edit(handle)
    return check_mesh(folder)
