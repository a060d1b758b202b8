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
from halocline.plot.field import QUANTITIES, ShownField, shown_field
from halocline.plot.picture import scale
from halocline.plot.view import View
from halocline.results.mesh import Mesh, open_mesh
from matplotlib.image import imread
from results_file import write_results

pytest.importorskip(
    "pyvista", reason="pyvista is not installed: `make test` installs it and runs this"
)


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
    (passage / "variables.L0.cycles=5.h5").unlink()
    with h5py.File(passage / "variables.L0.cycles=7.h5", "w") as file:
        file["p_variables_result_L0"] = np.linspace(-1.0, 3.0, 83)[:, None]
        file["p_variables_result_L0"].attrs["parts"] = np.bytes_("phi:1")
    done = halocline("plot", passage, "-o", target, "--size", "480x320", "--json")
    assert done.code == 0, done.err
    assert done.data["quantity"] == "phi"
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


def test_a_flat_mesh_is_drawn_with_its_boundary_lines(
    halocline: Callable[..., Any], tmp_path: Path
) -> None:
    level = tmp_path / "mesh.L0.h5"
    with h5py.File(level, "w") as mesh:
        mesh["node_coordinates"] = np.array([[0, 0, 0], [2, 0, 0], [2, 1, 0], [0, 1, 0]], float)
        mesh["cells_quadrilateral"] = np.array([[0, 1, 2, 3]], np.int32)
        mesh["bnd_quads"] = np.array([[k, *[(k + 1) % 4] * 3] for k in range(4)], np.int32)
        mesh["bnd_quad_group"] = np.array([0, 5, 1, 4], np.int32)
    (boundaries,) = (mesh.boundaries for mesh in open_mesh(level))
    assert all(lines.only_lines and len(lines) == 1 for lines in boundaries.values())
    target = tmp_path / "flat.png"
    done = halocline("plot", "--mesh", level, tmp_path, "-o", target, "--size", "480x320", "--json")
    assert done.code == 0, done.err
    picture = imread(target)[..., :3]
    colourful = (picture.max(axis=2) - picture.min(axis=2)) > 0.2
    assert 100 < int(colourful.sum()) < 0.1 * colourful.size  # the lines, not what they surround


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
    pressure = 1.0 + np.linspace(-4e-9, 4e-9, 200)
    shown = shown_field(QUANTITIES["pressure"], pressure)
    assert shown.diverging
    assert shown.origin == 1.0
    assert shown.high == -shown.low
    assert shown.high == pytest.approx(4e-9, rel=1e-6)
    assert not shown_field(QUANTITIES["pressure"], np.linspace(0.6, 1.4, 200)).diverging


def test_cuts_appear_at_the_ends_only_and_not_on_a_full_circle(passage: Path) -> None:
    from halocline.plot.scene import make_scene

    with h5py.File(passage / "mesh.L0.h5", "r+") as mesh:
        mesh["bnd_quad_group"][0], mesh["bnd_quad_group"][1] = 6, 7
        names = {"0": "hub", "2": "blade", "6": "periodic lower", "7": "periodic upper"}
        mesh.attrs["bnd_group_names"] = json.dumps(names)

    def faces(passages: int) -> int:
        items = make_scene(level_0(passage), None, None, View(passages=passages)).items
        return sum(item.shape.n_cells for item in items)

    # 60 faces, of which one is the lower and one the upper cut.
    assert faces(3) == 59 + 58 + 59
    assert faces(12) == faces(99) == 12 * 58


def level_0(folder: Path) -> Mesh:
    return open_mesh(folder)[0]


def test_passages_turn_about_the_axis(passage: Path) -> None:
    from halocline.plot.scene import make_scene

    scene = make_scene(level_0(passage), None, None, View(passages=12))
    points = np.concatenate([item.shape.points for item in scene.items])
    # Hub of radius 1, blade up to radius 1.4, all around x.
    assert np.hypot(points[:, 1], points[:, 2]).max() == pytest.approx(1.4, rel=1e-6)
    assert np.ptp(points[:, 1]) == pytest.approx(2.8, rel=1e-6)
    assert np.ptp(points[:, 2]) == pytest.approx(2.8, rel=1e-6)
    assert np.ptp(points[:, 0]) == pytest.approx(1.0, rel=1e-6)


@pytest.mark.parametrize("towards", [(1.0, -2.0, 0.7), (0.0, 0.0, 1.0), (0.0, 1.0, 0.0)])
@pytest.mark.parametrize("size", [(320, 200), (200, 320)])
def test_everything_is_inside_the_picture_and_fills_it(
    results: Path, towards: tuple[float, float, float], size: tuple[int, int]
) -> None:
    from halocline.plot.render import render, require_vtk
    from halocline.plot.scene import make_scene
    from halocline.results.opening import open_run

    require_vtk()
    mesh = open_run(results).mesh()
    scene = make_scene(mesh, None, None, View(cells=True, towards=towards))
    seen = render(scene, None, size)[..., 3] > 0
    rows, columns = (np.flatnonzero(seen.any(axis=axis)) for axis in (1, 0))
    height, width = seen.shape
    assert rows[0] > 0
    assert columns[0] > 0
    assert rows[-1] < height - 1
    assert columns[-1] < width - 1
    assert max(np.ptp(rows) / height, np.ptp(columns) / width) > 0.9


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return write_results(tmp_path / "results.vtkhdf")


def test_a_plane_shows_the_values_on_it(
    halocline: Callable[..., Any], results: Path, tmp_path: Path
) -> None:
    target = tmp_path / "plane.png"
    words = ("-q", "density", "--slice", "x=0.5", "--step", "10", "--size", "480x320", "--json")
    done = halocline("plot", results, "-o", target, *words)
    assert done.code == 0, done.err
    # Density is x + 100 at step 10: one value on the whole plane.
    assert done.data["range"] == pytest.approx([100.5, 100.5])
    assert done.data["step"] == 10
    by_time = halocline("plot", results, "-o", target, *words[:4], "--time", "0.5", *words[6:])
    assert by_time.data["range"] == pytest.approx([0.5, 0.5])


def test_the_surface_of_a_value_lies_where_the_value_is(results: Path) -> None:
    from halocline.plot.field import Values
    from halocline.plot.scene import make_scene
    from halocline.plot.view import parse_isos
    from halocline.results.opening import open_run

    run = open_run(results)
    values = Values(run, step=5)
    view = View(isos=parse_isos(["density=1.25"]))
    scene = make_scene(run.mesh(), values, values.quantity("density"), view)
    assert scene.items[0].shape.points[:, 0] == pytest.approx(np.full(4, 1.25), abs=1e-6)
    assert scene.items[0].shape.area == pytest.approx(1.0, rel=1e-5)


def test_streamlines_follow_the_vector(results: Path) -> None:
    from halocline.plot.field import Values
    from halocline.plot.scene import make_scene
    from halocline.results.opening import open_run

    run = open_run(results)
    values = Values(run, step=15)
    view = View(streamlines="velocity")
    lines = make_scene(run.mesh(), values, values.quantity("velocity"), view).items[0].shape
    # Velocity is the point plus 2000: all lines go along (1, 1, 1) but for a thousandth. Tubes are
    # as wide as a fraction of the mesh.
    along = lines.points - lines.points.mean(axis=0)
    assert lines.n_points > 0
    assert np.all(np.isfinite(along))
    assert lines.length > 1.0


def test_cells_cut_open_are_whole_cells(results: Path) -> None:
    from halocline.plot.scene import make_scene
    from halocline.plot.view import parse_slices
    from halocline.results.opening import open_run

    mesh = open_run(results).mesh()
    scene = make_scene(mesh, None, None, View(cells=True, slices=parse_slices(["x=0.7"])))
    (item,) = scene.items
    assert item.name == "hexahedra"
    assert item.shape.bounds == pytest.approx((0.0, 1.0, 0.0, 1.0, 0.0, 1.0))
    assert item.shape.n_cells == 6


def test_a_movie_has_a_picture_for_each_step(
    halocline: Callable[..., Any], results: Path, tmp_path: Path
) -> None:
    from PIL import Image

    movie = tmp_path / "movie.gif"
    done = halocline(
        "plot", results, "-q", "density", "--movie", movie, "--size", "240x160", "--json"
    )
    assert done.code == 0, done.err
    assert done.data["steps"] == [5, 10, 15]
    # One range for all: x from 0 to 2, plus 0 to 200. The wall is all that is drawn: x is 0 to 2.
    assert done.data["range"] == pytest.approx([0.0, 202.0])
    with Image.open(movie) as pictures:
        assert pictures.n_frames == 3
        assert pictures.size == (240, 160)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--slice", "w=1"), 2, "--slice w=1 is not AXIS=PLACE"),
        (("--slice", "x=9"), 3, "does not meet the mesh (it reaches from 0 to 2)"),
        (("--iso", "density"), 2, "is not NAME=VALUE"),
        (("--iso", "density=7"), 3, "nowhere 7 (it is 200 to 202)"),
        (("--iso", "dens=7"), 3, "Did you mean 'density'?"),
        (("--streamlines", "density"), 3, "has 1 components"),
        (("--from", "up"), 2, "is not a direction"),
        (("--range", "2,1"), 2, "is not LOW,HIGH"),
        (("--step", "6"), 2, "no step 6 of density (written: steps 5, 10, 15)"),
        (("--movie", "a.avi"), 2, "neither .gif nor .mp4"),
        (("-q", "mach"), 3, "no mach follows from it"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(
    halocline: Callable[..., Any], results: Path, words: tuple[str, ...], code: int, said: str
) -> None:
    failed = halocline("plot", results, *words, "--size", "240x160")
    assert failed.code == code, failed.err
    assert said in failed.err
    assert len(failed.err.splitlines()) == 1


def test_a_mesh_without_cells_has_no_inside(halocline: Callable[..., Any], passage: Path) -> None:
    failed = halocline("plot", passage, "--slice", "x=0.5", "--size", "240x160")
    assert failed.code == 3
    assert "stores no cells (only its boundary and its nodes can be drawn)" in failed.err


def test_a_machine_without_opengl_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from halocline.errors import MissingEnvironmentError
    from halocline.plot import render

    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("VTK_DEFAULT_OPENGL_WINDOW", raising=False)
    monkeypatch.setattr(render, "_is_there", lambda _: False)
    with pytest.raises(MissingEnvironmentError, match="apt-get install libosmesa6"):
        render.require_vtk()


def test_vtk_that_is_missing_is_told_with_the_command_that_gets_it(
    halocline: Callable[..., Any], passage: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pyvista", None)
    failed = halocline("plot", passage, "--size", "240x160")
    assert failed.code == 4
    assert "pip install 'halocline[plot]'" in failed.err


def test_a_picture_beyond_memory_is_refused(halocline: Callable[..., Any], passage: Path) -> None:
    refused = halocline("plot", passage, "--size", "99999x99999")
    assert refused.code == 2
    assert "Ask for less" in refused.err


def test_a_plane_through_a_gap_of_the_mesh_is_a_sentence(
    halocline: Callable[..., Any], tmp_path: Path
) -> None:
    level = tmp_path / "mesh.L0.h5"
    one = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
    with h5py.File(level, "w") as mesh:
        mesh["node_coordinates"] = np.concatenate([one, one + np.array([5, 0, 0])])
        mesh["cells_tetrahedron"] = np.arange(8, dtype=np.int32).reshape(2, 4)
    failed = halocline("plot", "--mesh", level, tmp_path, "-o", tmp_path / "a.png", "--slice", "x")
    assert failed.code == 3
    assert "The plane x = 3 does not meet the mesh" in failed.err


def test_a_large_constant_has_a_range_of_colours() -> None:
    norm = scale(ShownField(0.0, 1e6, 1e6, "pressure"))
    assert norm.vmax > norm.vmin == 1e6
