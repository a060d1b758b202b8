# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Pictures from a tiny synthetic passage, and the pieces that draw them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from halocline.plot.camera import fitted_camera
from halocline.plot.field import QUANTITIES, shown_field
from halocline.plot.raster import NOTHING, Buffer, draw
from halocline.plot.scene import View, corner_normals, pieces, rotated
from halocline.plot.surface import read_surface
from matplotlib.image import imread


def middle(picture: np.ndarray) -> np.ndarray:
    """The part of a picture without title, caption and colour bar."""
    height, width = picture.shape[:2]
    return picture[height // 8 : -height // 8, : int(0.87 * width), :3]


def test_a_results_folder_becomes_a_picture_with_structure(
    halocline: Callable[..., Any], passage: Path, tmp_path: Path
) -> None:
    target = tmp_path / "out.png"
    done = halocline("plot", passage, "-o", target, "--size", "480x320", "--json")
    assert done.code == 0, done.err
    picture = imread(target)
    assert picture.shape == (320, 480, 4)
    assert middle(picture).std() > 0.08
    assert done.data["surface_quads"] == 60
    assert done.data["quantity"] == "pressure"


def test_the_picture_shows_the_field(
    halocline: Callable[..., Any],
    passage: Path,
    tmp_path: Path,
    write_variables: Callable[..., None],
) -> None:
    targets = [tmp_path / "a.png", tmp_path / "b.png"]
    for target in targets:
        assert halocline("plot", passage, "-o", target, "--size", "480x320").code == 0
        write_variables(passage / "variables.L0.cycles=5.h5", pressure=np.linspace(3.0, 1.0, 83))
    first, second = (middle(imread(target)) for target in targets)
    assert np.abs(first - second).mean() > 0.02


def test_a_file_of_one_column_is_drawn_as_a_scalar(
    halocline: Callable[..., Any], passage: Path, tmp_path: Path
) -> None:
    target = tmp_path / "a.png"
    with h5py.File(passage / "variables.L0.cycles=7.h5", "w") as file:
        file["p_variables_result_L0"] = np.linspace(-1.0, 3.0, 83)[:, None]
    done = halocline("plot", passage, "-o", target, "--size", "480x320", "--json")
    assert done.code == 0, done.err
    assert done.data["quantity"] == "scalar"
    assert -1.0 <= done.data["range"][0] < done.data["range"][1] <= 3.0
    assert middle(imread(target)).std() > 0.05
    refused = halocline("plot", passage, "-o", target, "-q", "mach")
    assert refused.code == 3
    assert "holds one scalar (no mach follows from it)" in refused.err


def test_a_mesh_folder_alone_is_drawn_by_group(
    halocline: Callable[..., Any], passage: Path, tmp_path: Path
) -> None:
    for file in passage.glob("variables*"):
        file.unlink()
    target = tmp_path / "mesh.png"
    done = halocline("plot", passage, "-o", target, "--size", "480x320", "--json")
    assert done.code == 0, done.err
    assert done.data["field"] is None
    assert middle(imread(target)).std() > 0.05


def test_a_mesh_without_stored_surface_is_drawn_as_points(
    halocline: Callable[..., Any], passage: Path, tmp_path: Path
) -> None:
    with h5py.File(passage / "mesh.L0.h5", "r+") as mesh:
        del mesh["bnd_quads"], mesh["bnd_quad_group"]
    target = tmp_path / "points.png"
    done = halocline("plot", passage, "-o", target, "--size", "480x320", "--json")
    assert done.code == 0, done.err
    assert done.data["surface_quads"] == 0
    assert middle(imread(target)).std() > 0.03


def test_the_last_cycle_is_taken_and_indices_start_where_input_dat_says(
    halocline: Callable[..., Any], passage: Path, tmp_path: Path
) -> None:
    shutil.copy(passage / "variables.L0.cycles=5.h5", passage / "variables.L0.cycles=12.h5")
    (passage / "input.dat").write_text(
        "size = 1\nnum_levels = 1\nmesh_name = rotor37\n[levels]\n0 = mesh.L0.h5\n"
    )
    with h5py.File(passage / "mesh.L0.h5", "r+") as mesh:
        mesh["bnd_quads"][...] += 1
    done = halocline("plot", passage, "-o", tmp_path / "a.png", "--size", "240x160", "--json")
    assert done.code == 0, done.err
    assert done.data["field"].endswith("cycles=12.h5")


def test_loop_shares_of_a_record(
    halocline: Callable[..., Any], record_file: Path, tmp_path: Path
) -> None:
    target = tmp_path / "loops.png"
    done = halocline("plot", "--record", record_file, "-o", target, "--json")
    assert done.code == 0, done.err
    assert imread(target)[..., :3].std() > 0.05
    assert done.data["loops"]["flux_edge"] == pytest.approx(0.020 / 0.026)


@pytest.mark.parametrize(
    ("break_it", "code", "words"),
    [
        (lambda folder, _: (folder / "mesh.L0.h5").unlink(), 3, "--mesh"),
        (lambda folder, _: (folder / "mesh.L0.h5").write_text("no"), 3, "mesh.L0.h5"),
        (
            lambda folder, _: (folder / "variables.L0.cycles=5.h5").write_text("no"),
            3,
            "cycles=5.h5",
        ),
        (lambda folder, _: shutil.rmtree(folder), 3, "does not exist"),
        (
            lambda folder, write: write(folder / "variables.L0.cycles=5.h5", np.ones(7)),
            3,
            "7 rows",
        ),
        (
            lambda folder, write: write(folder / "variables.L0.cycles=5.h5", np.full(83, np.nan)),
            3,
            "no finite value",
        ),
    ],
)
def test_what_cannot_be_drawn_is_one_sentence(
    halocline: Callable[..., Any],
    passage: Path,
    tmp_path: Path,
    write_variables: Callable[..., None],
    break_it: Callable[..., None],
    code: int,
    words: str,
) -> None:
    break_it(passage, write_variables)
    failed = halocline("plot", passage, "-o", tmp_path / "x.png", "--size", "240x160")
    assert failed.code == code
    assert words in failed.err
    assert len(failed.err.splitlines()) == 1


def test_an_output_folder_that_is_not_there_is_one_sentence(
    halocline: Callable[..., Any], passage: Path, tmp_path: Path
) -> None:
    failed = halocline("plot", passage, "-o", tmp_path / "no" / "x.png", "--size", "240x160")
    assert failed.code == 4
    assert "x.png" in failed.err


def test_gas_at_rest_and_free_stream_have_their_known_values() -> None:
    at_rest = np.array([[1.4, 0.0, 0.0, 0.0, 2.5]])
    free_stream = np.array([[1.4, 1.68, 0.0, 0.0, 3.508]])
    for name, quantity in QUANTITIES.items():
        assert quantity.of(free_stream)[0] == pytest.approx(quantity.free_stream), name
    assert QUANTITIES["pressure"].of(at_rest)[0] == pytest.approx(1.0)
    assert QUANTITIES["mach"].of(at_rest)[0] == 0.0


def test_a_tiny_departure_from_the_free_stream_is_drawn_as_such() -> None:
    conserved = np.tile([1.4, 1.68, 0.0, 0.0, 3.508], (200, 1))
    conserved[:, 4] += np.linspace(-1e-8, 1e-8, 200)
    shown = shown_field(QUANTITIES["pressure"], conserved)
    assert shown.diverging
    assert shown.high == -shown.low
    assert 3.5e-9 < shown.high < 4.1e-9
    conserved[:, 4] += np.linspace(-1.0, 1.0, 200)
    assert not shown_field(QUANTITIES["pressure"], conserved).diverging


def test_the_nearer_patch_hides_the_farther_in_either_order() -> None:
    square = np.array([[2.0, 2.0, 0.0], [8.0, 2.0, 0.0], [8.0, 8.0, 0.0], [2.0, 8.0, 0.0]])
    near, far = (square + np.array([0.0, 0.0, depth]) for depth in (1.0, 2.0))
    for order in ((near, far), (far, near)):
        buffer = Buffer.empty((10, 10))
        draw(buffer, np.array(order), 0)
        wanted = 0 if order[0] is near else 1
        assert np.all(buffer.patch[2:8, 2:8] == wanted)
        assert np.count_nonzero(buffer.patch != NOTHING) == 36


def test_a_patch_has_no_holes_at_any_size() -> None:
    for side in (1.0, 3.7, 20.0, 90.0):
        corners = np.array(
            [[[5, 5, 1], [5 + side, 5, 1], [5 + side, 5 + side, 1], [5, 5 + side, 1]]]
        )
        buffer = Buffer.empty((100, 100))
        draw(buffer, corners.astype(float), 0)
        last = int(np.floor(5 + side - 1e-9))
        assert np.all(buffer.patch[5:last, 5:last] == 0), side


def test_the_camera_keeps_everything_inside_the_picture() -> None:
    points = np.random.default_rng(5).normal(size=(500, 3)) * (3.0, 1.0, 0.2)
    camera = fitted_camera(points, np.array([1.0, -2.0, 0.7]), np.array([0.0, 0, 1]), (640, 480))
    column, row, depth = camera.project(points).T
    assert column.min() >= 0
    assert column.max() <= 640
    assert row.min() >= 0
    assert row.max() <= 480
    assert depth.min() > 0
    nearer = points[:1] + 0.1 * camera.frame[2]
    assert camera.project(nearer)[0, 2] < camera.project(points[:1])[0, 2]


def test_rotation_by_a_quarter_about_x() -> None:
    turned = rotated(np.array([[5.0, 1.0, 0.0]]), np.array([2.0, 0.0, 0.0]), np.pi / 2)
    assert turned == pytest.approx(np.array([[5.0, 0.0, 1.0]]))


def test_normals_are_smooth_on_a_cylinder_and_sharp_at_its_foot(passage: Path) -> None:
    surface = read_surface(passage / "mesh.L0.h5", 0)
    hub = surface.quads[surface.groups == 0]
    radial = surface.points[hub] * (0.0, 1.0, 1.0)
    along = np.abs(np.sum(corner_normals(surface.points, surface.quads)[:48] * radial, axis=2))
    # Inner nodes average two facets that lie symmetrically: the exact radial direction.
    assert np.sort(along.ravel())[len(along) :].min() > 0.999


def test_cuts_appear_at_the_ends_only_and_not_on_a_full_circle(passage: Path) -> None:
    with h5py.File(passage / "mesh.L0.h5", "r+") as mesh:
        mesh["bnd_quad_group"][0], mesh["bnd_quad_group"][1] = 6, 7
        names = {"0": "hub", "2": "blade", "6": "periodic lower", "7": "periodic upper"}
        mesh.attrs["bnd_group_names"] = json.dumps(names)
    surface = read_surface(passage / "mesh.L0.h5", 0)
    counts = [len(piece.rows) for piece in pieces(surface, View(passages=3))]
    assert counts == [59, 58, 59]
    assert {len(piece.rows) for piece in pieces(surface, View(passages=12))} == {58}
    assert len(pieces(surface, View(passages=99))) == 12


def test_a_picture_beyond_memory_is_refused(halocline: Callable[..., Any], passage: Path) -> None:
    refused = halocline("plot", passage, "--size", "99999x99999")
    assert refused.code == 2
    assert "Ask for less" in refused.err
