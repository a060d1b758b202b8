# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline.open`: results files, MG-CFD's files, prefixes, what is missing or damaged."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from halocline.errors import InvalidInputError, UsageError
from results_file import POINTS, write_results

import halocline


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return write_results(tmp_path / "results.vtkhdf")


def test_values_of_every_step_and_level(results: Path) -> None:
    run = halocline.open(results)
    assert run.steps.tolist() == [5, 10, 15]
    assert run.times.tolist() == [0.5, 1.0, 1.5]
    assert (run.time_unit, run.solver, run.levels) == ("s", "mgcfd", [0, 1])
    for position, step in enumerate(run.steps):
        assert np.array_equal(run["density"].at(step=step), POINTS[:, 0] + 100 * position)
        assert np.array_equal(
            run["velocity"].at(time=run.times[position]), POINTS + 1000 * position
        )
        coarse = run.field("density", level=1)[position]
        assert np.array_equal(coarse, POINTS[::2, 0] + 100 * position)
    assert np.array_equal(run["density"].at(), run["density"][-1])
    assert run["velocity"].unit == "m s-1"


def test_planned_steps_are_not_there_before_they_are_complete(tmp_path: Path) -> None:
    run = halocline.open(write_results(tmp_path / "results.vtkhdf", planned=9, done=1))
    assert len(run["density"]) == 1
    with pytest.raises(UsageError, match=r"no step 10 of density \(written: step 5\)"):
        run["density"].at(step=10)
    none = halocline.open(write_results(tmp_path / "empty.vtkhdf", planned=2, done=0))
    with pytest.raises(UsageError, match="No step of density has been written yet"):
        none["density"].at()


def test_a_step_whose_time_is_still_on_its_way_is_not_there_yet(results: Path) -> None:
    with h5py.File(results, "r+") as file:
        for level in ("level_0", "level_1"):
            file[f"VTKHDF/{level}/Steps"].attrs["NSteps"] = 4
    assert halocline.open(results).steps.tolist() == [5, 10, 15]


def test_mesh_of_a_results_file(results: Path) -> None:
    run = halocline.open(results)
    mesh = run.mesh()
    assert np.array_equal(mesh.points, POINTS)
    assert mesh.cells.types.tolist() == [12, 12]
    assert mesh.cells.corners[8:].tolist() == [1, 2, 5, 4, 7, 8, 11, 10]
    assert mesh.boundaries["wall"].corners.tolist() == [0, 1, 4, 3, 1, 2, 5, 4]
    assert len(run.mesh(1).cells) == 0
    assert run.mesh(1).boundaries == {}


def test_the_mesh_that_was_read_adds_what_the_results_file_does_not_say(results: Path) -> None:
    beside = results.parent / "mesh.L0.h5"
    for nodes, angle in ((POINTS, 0.5), (POINTS[:7], None)):
        with h5py.File(beside, "w") as file:
            file["node_coordinates"] = nodes
            file.attrs["rotation_axis"], file.attrs["periodic_angle_rad"] = [2.0, 0.0, 0.0], 0.5
        rotation = halocline.open(results.parent).mesh().rotation
        assert (rotation and rotation[1]) == angle  # of another mesh nothing is taken


def test_what_it_says_of_itself(results: Path) -> None:
    lines = repr(halocline.open(results)).splitlines()
    assert lines[0].endswith("results.vtkhdf, mgcfd, steps 5, 10, 15, time 0.5 … 1.5 s>")
    assert lines[1].split() == ["level", "0", "density", "[kg", "m-3]", "steps", "5,", "10,", "15"]
    assert len(lines) == 4


def test_names_and_times_that_are_not_there_are_answered_with_those_that_are(
    results: Path,
) -> None:
    run = halocline.open(results)
    with pytest.raises(UsageError, match=r"no field 'densty'\. Did you mean 'density'"):
        run["densty"]
    with pytest.raises(UsageError, match=r"no time 0.7 of density \(written: 0.5, 1, 1.5\)"):
        run["density"].at(time=0.7)
    with pytest.raises(UsageError, match="a step or a time"):
        run["density"].at(step=5, time=0.5)


def test_mgcfd_files_become_fields_with_cycles_as_steps(
    passage: Path, write_variables: Callable[..., None]
) -> None:
    write_variables(passage / "variables.L0.cycle=3.h5", np.full(83, 2.0))
    write_variables(passage / "variables.L0.cycle=5.h5", np.full(83, 9.0))
    with h5py.File(passage / "step_factors.L0.cycles=5.h5", "w") as file:
        file["p_step_factors_result_L0"] = np.arange(83.0)[:, None]
    run = halocline.open(passage)
    assert list(run) == ["density", "momentum", "energy", "step_factors"]
    assert run.steps.tolist() == [3, 5]
    assert run["energy"].at(step=3)[0] == 5.0  # 2 / 0.4
    # cycles=5 is the end of the run and goes before cycle=5: pressure 1 at x = 0.
    assert run["energy"].at(step=5)[0] == 2.5
    assert run["momentum"].at().shape == (83, 3)
    assert np.array_equal(run["step_factors"].at(), np.arange(83.0))
    assert len(run.mesh().points) == 83
    assert set(run.mesh().boundaries) == {"hub", "blade"}


def write_table(folder: Path, columns: int, parts: str | None, cycle: int = 5) -> Path:
    file = folder / f"variables.L0.cycles={cycle}.h5"
    with h5py.File(file, "w") as handle:
        handle["p_variables_result_L0"] = np.arange(4.0 * columns).reshape(4, columns)
        if parts is not None:
            handle["p_variables_result_L0"].attrs["parts"] = np.bytes_(parts)
    return file


@pytest.mark.parametrize(
    ("columns", "parts", "found"),
    [
        (4, "velocity:3 pressure:1", {"velocity": (0, 3), "pressure": (3, 4)}),
        (4, "velocity:2 pressure:1 scalar:1", {"velocity": (0, 2), "scalar": (3, 4)}),
        (5, "velocity:3 pressure:1 scalar:1", {"velocity": (0, 3), "scalar": (4, 5)}),
        (1, "phi:1", {"phi": (0, 1)}),
        (5, None, {"density": (0, 1), "momentum": (1, 4), "energy": (4, 5)}),
        (3, None, {"variables": (0, 3)}),
        (4, "velocity:3", {"variables": (0, 4)}),
        (4, "velocity:3 velocity:1", {"variables": (0, 4)}),
        (4, "velocity:-1 pressure:5", {"variables": (0, 4)}),
        (2, "", {"variables": (0, 2)}),
    ],
)
def test_columns_are_the_parts_that_a_file_names(
    tmp_path: Path, columns: int, parts: str | None, found: dict[str, tuple[int, int]]
) -> None:
    run = halocline.open(write_table(tmp_path, columns, parts))
    table = np.arange(4.0 * columns).reshape(4, columns)
    assert set(found) <= set(run)
    for name, (begin, end) in found.items():
        expected = table[:, begin] if end == begin + 1 else table[:, begin:end]
        assert np.array_equal(run[name].at(), expected)


def test_files_of_one_folder_that_name_other_parts_are_refused(tmp_path: Path) -> None:
    write_table(tmp_path, 4, "velocity:3 pressure:1", 5)
    write_table(tmp_path, 4, "velocity:2 pressure:1 scalar:1", 6)
    with pytest.raises(InvalidInputError, match=r"velocity:2 pressure:1 scalar:1.*two runs"):
        halocline.open(tmp_path)


def test_a_prefix_names_one_run_of_a_folder(
    tmp_path: Path, write_variables: Callable[..., None]
) -> None:
    for prefix, pressure in (("a.", 1.0), ("b.", 2.0)):
        write_variables(tmp_path / f"{prefix}variables.L0.cycles=5.h5", np.full(4, pressure))
    assert halocline.open(tmp_path / "b.")["energy"].at().tolist() == [5.0] * 4
    with pytest.raises(InvalidInputError, match="holds results of several runs"):
        halocline.open(tmp_path)


def test_a_mesh_may_be_named(passage: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone"
    alone.mkdir()
    file = Path(shutil.copy(passage / "variables.L0.cycles=5.h5", alone))
    with pytest.raises(UsageError, match="mesh='FOLDER'"):
        halocline.open(file).mesh()
    assert len(halocline.open(file, mesh=passage).mesh().points) == 83


def test_a_record_alone_is_a_run_without_fields(record_file: Path) -> None:
    run = halocline.open(record_file.parent)
    assert run.record is not None
    assert len(run) == 0


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda file: file.attrs.__setitem__("halocline_format_version", 2), "has version 2"),
        (lambda file: file.pop("level_0/Points"), "has no table of points"),
        (lambda file: file["level_0/Steps"].attrs.pop("NSteps"), "does not say NSteps"),
        (
            lambda file: file["level_0/Steps"].attrs.__setitem__("NSteps", 7),
            "Values has 3 times, but NSteps is 7",
        ),
        (lambda file: (file.pop("level_0"), file.pop("level_1")), "holds no level"),
    ],
)
def test_damaged_files_are_one_sentence(
    results: Path, damage: Callable[[Any], Any], words: str
) -> None:
    with h5py.File(results, "r+") as file:
        damage(file["VTKHDF"])
    with pytest.raises(InvalidInputError, match=words):
        halocline.open(results)


def test_values_that_are_not_there_are_told_when_they_are_read(results: Path) -> None:
    with h5py.File(results, "r+") as file:
        del file["VTKHDF/level_0/PointData/density"]
        file["VTKHDF/level_0/PointData/density"] = np.zeros(30)
    run = halocline.open(results)
    assert run["density"].at(step=10).shape == (12,)
    with pytest.raises(InvalidInputError, match="30 rows are there, but 36 belong there"):
        run["density"].at(step=15)


def test_corners_beyond_the_nodes_are_told(results: Path) -> None:
    with h5py.File(results, "r+") as file:
        file["VTKHDF/wall/Connectivity"][3] = 12
    with pytest.raises(InvalidInputError, match="names nodes beyond the 12"):
        _ = halocline.open(results).mesh().boundaries


def test_xarray_has_steps_times_and_units(results: Path) -> None:
    pytest.importorskip(
        "xarray", reason="xarray is not installed: `make test` installs it and runs this"
    )
    data = halocline.open(results).to_xarray()
    assert data["velocity"].shape == (3, 12, 3)
    assert data["density"].sel(step=10).values[1] == 101.0
    assert data["density"].attrs == {"units": "kg m-3"}
    assert data["time"].values.tolist() == [0.5, 1.0, 1.5]
    assert data["x"].values.tolist() == POINTS[:, 0].tolist()


def test_pyvista_gets_cells_and_fields(results: Path) -> None:
    pytest.importorskip(
        "pyvista", reason="pyvista is not installed: `make test` installs it and runs this"
    )
    grid = halocline.open(results).to_pyvista(step=10)
    assert grid.volume == pytest.approx(2.0)
    assert np.array_equal(grid["density"], POINTS[:, 0] + 100)


@pytest.mark.parametrize(("planned", "done"), [(5, 3), (3, 3), (5, 1), (5, 0)])
def test_vtk_reads_the_same(tmp_path: Path, planned: int, done: int) -> None:
    """VTK's own reader takes the layout that ours takes."""
    pyvista = pytest.importorskip(
        "pyvista", reason="pyvista is not installed: `make test` installs it and runs this"
    )
    from vtkmodules.vtkIOHDF import vtkHDFReader

    reader = vtkHDFReader()
    reader.SetFileName(str(write_results(tmp_path / "r.vtkhdf", planned, done)))
    for step in range(done):
        reader.SetStep(step)
        reader.Update()
        blocks = pyvista.wrap(reader.GetOutputDataObject(0))
        assert blocks.keys() == ["level_0", "level_1", "wall"]
        assert np.array_equal(blocks["level_0"]["density"], POINTS[:, 0] + 100 * step)
        assert np.array_equal(blocks["wall"]["velocity"], POINTS + 1000 * step)
        assert blocks["wall"].area == pytest.approx(2.0)
    reader.UpdateInformation()
    assert reader.GetNumberOfSteps() == max(done, 1) or done == 0


def test_files_of_a_run_that_went_on_are_one(tmp_path: Path) -> None:
    write_results(tmp_path / "flow.vtkhdf", done=3)
    write_results(tmp_path / "flow.after=10.vtkhdf", done=5, shift=0.5)
    run = halocline.open(tmp_path)
    assert run["density"].steps.tolist() == [5, 10, 15, 20, 25]
    # Of a step that both have the first file counts: density is x + 100 s + shift, x is 0 here.
    assert [float(run["density"].at(step)[0]) for step in (15, 20)] == [200.0, 300.5]
    assert run.field("density", level=1).steps.tolist() == [5, 10, 15, 20, 25]


def test_what_an_older_run_had_gone_on_with_is_left_out(tmp_path: Path) -> None:
    older = write_results(tmp_path / "flow.after=10.vtkhdf", done=5)
    os.utime(older, (1000.0, 1000.0))
    write_results(tmp_path / "flow.vtkhdf", done=3)
    assert halocline.open(tmp_path)["density"].steps.tolist() == [5, 10, 15]


def test_later_parts_of_an_older_run_are_left_out(tmp_path: Path, record_file: Path) -> None:
    write_results(tmp_path / "flow.part=2.vtkhdf", done=5, shift=7.0)
    write_results(tmp_path / "flow.vtkhdf", done=3)
    record = json.loads(record_file.read_text())
    for files, steps in ((["flow.vtkhdf"], 3), (["flow.vtkhdf", "flow.part=2.vtkhdf"], 5)):
        record["io"]["files"] = [str(tmp_path / file) for file in files]
        record_file.write_text(json.dumps(record))
        assert len(halocline.open(tmp_path)["density"].steps) == steps


def write_checkpoint(path: Path, step: int, shift: float = 0.0) -> Path:
    """Write a checkpoint of two levels as mgcfd does: row r, column c holds 10 r + c + shift."""
    with h5py.File(path, "w") as file:
        said = {"format": "halocline-checkpoint", "format_version": 1, "step": step}
        file.attrs.update({**said, "program": "mgcfd"})
        for level, nodes in enumerate((4, 2)):
            values = 10.0 * np.arange(nodes)[:, None] + np.arange(5.0) + shift
            file[f"variables_L{level}"] = values
        file["numbers"] = np.zeros((step, 1))
        file["checksums"] = np.full((3, 1), step)
    return path


def test_a_checkpoint_is_opened_as_the_step_that_it_holds(tmp_path: Path) -> None:
    run = halocline.open(write_checkpoint(tmp_path / "a_checkpoint.step=7.h5", 7))
    assert (run.solver, run.steps.tolist(), run.levels) == ("mgcfd", [7], [0, 1])
    assert list(run) == ["density", "momentum", "energy"]
    assert run["energy"].at(step=7).tolist() == [4.0, 14.0, 24.0, 34.0]
    assert run.field("momentum", level=1).at().tolist() == [[1.0, 2.0, 3.0], [11.0, 12.0, 13.0]]


def test_what_only_says_that_it_is_a_checkpoint_is_refused(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "checkpoint.step=7.h5", "w") as file:
        file["u"] = np.zeros(3)
    with pytest.raises(InvalidInputError, match="is not a checkpoint"):
        halocline.open(tmp_path / "checkpoint.step=7.h5")


def test_checkpoints_compare_with_each_other_and_with_other_results(
    halocline: Callable[..., Any], tmp_path: Path
) -> None:
    saved = write_checkpoint(tmp_path / "checkpoint.step=7.h5", 7)
    other = write_checkpoint(tmp_path / "b.checkpoint.step=7.h5", 7, shift=1.0)
    done = halocline("compare", saved, other, "--tolerance", "1", "--json")
    assert done.code == 0, done.err
    names = [found["key"] for found in done.data["data_sets"]]
    assert names == ["numbers", "variables_L0", "variables_L1"]
    with h5py.File(tmp_path / "variables.L0.cycles=7.h5", "w") as file:
        file["p_variables_result_L0"] = 10.0 * np.arange(4)[:, None] + np.arange(5.0)
    same = halocline(
        "compare", saved, tmp_path / "variables.L0.cycles=7.h5", "--bitwise", "--common", "--json"
    )
    assert same.code == 0, same.out
    assert len(same.data["data_sets"]) == 3
