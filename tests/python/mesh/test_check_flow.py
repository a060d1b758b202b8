# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`mesh check` names what is wrong with weights, dimension, boundary faces and wall distances."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import pytest
from halocline.cli.app import main
from halocline.mesh.check import MeshReport, check_mesh

Make = Callable[..., Any]
Edit = Callable[[h5py.File], None]


@pytest.fixture
def folder(make: Make, tmp_path: Path) -> Path:
    make("cavity", 200, 1, perturb=0.2, flow={"dimension": 2})
    return tmp_path / "mesh"


def broken(folder: Path, edit: Edit) -> MeshReport:
    with h5py.File(folder / "mesh.L0.h5", "r+") as handle:
        edit(handle)
    return check_mesh(folder)


def put(name: str, row: Any, value: Any) -> Edit:
    def edit(handle: h5py.File) -> None:
        handle[name][row] = value

    return edit


def add(name: str, row: Any, value: Any) -> Edit:
    def edit(handle: h5py.File) -> None:
        rows = handle[name][...]
        rows[row] += value
        handle[name][...] = rows

    return edit


def attribute(name: str, value: Any) -> Edit:
    def edit(handle: h5py.File) -> None:
        handle.attrs[name] = value

    return edit


@pytest.mark.parametrize(
    ("edit", "dataset", "words"),
    [
        (add("edge_stiffness", 100, 0.01), "edge_stiffness", "no Laplacian at inner nodes"),
        (put("diagonal_stiffness", 50, 0.5), "edge_stiffness", "no Laplacian at inner nodes"),
        (add("edge_stiffness", 0, 0.01), "edge_stiffness", "through the boundary alone"),
        (put("edge_stiffness", slice(None), -1.0), "edge_stiffness", "more than zero"),
        (put("edge_stiffness", 3, float("nan")), "edge_stiffness", "finite numbers"),
        (put("diagonal-->node", 3, [5, 5]), "diagonal-->node", "two different nodes"),
        (put("diagonal-->node", 3, [5, 100_000]), "diagonal-->node", "node indices from 0"),
        (put("edge_weights", (7, 2), 0.1), "edge_weights", "`dimension` is 2"),
        (put("node_coordinates", (7, 2), 0.1), "node_coordinates", "nodes at one z"),
        (attribute("dimension", 3), "cells_quadrilateral", "`dimension` is 3"),
        (attribute("dimension", 4), "dimension", "2 or 3"),
        (put("bnd_quads", 2, [0, 5, 5, 5]), "bnd_quads", "area vector of its entries"),
        (put("wall_distance", 40, 0.0), "wall_distance", "own wall node"),
        (put("wall_distance", 100, 3.0), "wall_distance", "nearest wall node"),
        (put("wall_distance", 100, -1.0), "wall_distance", "nearest wall node"),
        (put("nearest_wall_node", 100, 100), "nearest_wall_node", "nodes of the boundary"),
    ],
)
def test_what_is_wrong_is_named(folder: Path, edit: Edit, dataset: str, words: str) -> None:
    found = broken(folder, edit).levels[0].violations
    assert any(each.dataset == dataset and words in each.rule for each in found), found


def test_a_pair_with_two_diagonals_is_named(folder: Path) -> None:
    def edit(handle: h5py.File) -> None:
        handle["diagonal-->node"][4] = handle["diagonal-->node"][9]

    found = broken(folder, edit).levels[0].violations
    assert any("each pair of nodes once" in each.rule for each in found)


@pytest.mark.parametrize("name", ["edge_stiffness", "wall_distance", "diagonal_stiffness"])
def test_datasets_that_are_too_short_are_named(folder: Path, name: str) -> None:
    def edit(handle: h5py.File) -> None:
        rows = handle[name][:-1]
        del handle[name]
        handle[name] = rows

    found = broken(folder, edit).levels[0].violations
    assert any(each.dataset == name and "as many rows as" in each.rule for each in found)


def test_the_worst_node_is_the_one_that_was_broken(folder: Path) -> None:
    ends: list[int] = []

    def edit(handle: h5py.File) -> None:
        handle["edge_stiffness"][150] += 1.0
        ends.extend(handle["edge-->node"][150].tolist())

    found = broken(folder, edit).levels[0].laplacian
    assert found is not None
    assert found.worst_node in ends
    assert found.residual > 0.01


def test_the_report_says_in_words_what_was_proved(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["mesh", "check", str(folder)])
    assert stop.value.code == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "symmetric, its rows sum to zero, and linear fields have none" in said
    assert "at node" in said
    with pytest.raises(SystemExit):
        main(["mesh", "check", str(folder), "--json"])
    level = json.loads(capsys.readouterr().out)["levels"][0]
    assert level["laplacian"]["residual"] < 1e-14
    assert level["wall_distance"] > 0.4
