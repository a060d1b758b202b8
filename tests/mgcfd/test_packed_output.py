# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Results over time in packed chunks, and in files of one step: the values of the plain file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from mgcfd_support import make_box, run

SHAPE = (17, 16, 15)
STEPS = (2, 4)
PACKED = ["--output-compression", "deflate", "--output-chunk", "1024"]
ALONE = ["--output-files", "step"]


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A box of 4080 nodes: three chunks of 1024 and a part of a fourth."""
    return make_box(tmp_path_factory.mktemp("case") / "case", SHAPE, 2)


def words(case: Path) -> list[str]:
    return ["-d", str(case), "-g", "5", "--output-interval", "2", "--output-levels", "0,1"]


Steps = Iterator[tuple[int, h5py.Group, int]]


def steps_of(file: h5py.File, level: int) -> Steps:
    """Step, block and first row of a field, of what a file says is complete."""
    block = file[f"VTKHDF/level_{level}"]
    for n in range(int(block["Steps"].attrs["NSteps"])):
        yield int(block["Steps/step"][n]), block, n


def values(folder: Path, level: int) -> dict[tuple[int, str], Any]:
    """Values of all fields by step and name, from whatever files there are."""
    found = {}
    for path in sorted(folder.glob("flow*.vtkhdf")):
        with h5py.File(path, "r") as file:
            for step, block, n in steps_of(file, level):
                rows = int(block["NumberOfPoints"][0])
                for name, data in block["PointData"].items():
                    first = int(block[f"Steps/PointDataOffsets/{name}"][n])
                    found[step, name] = data[first : first + rows]
    return found


def expect_same(folder: Path, plain: Path) -> None:
    for level in (0, 1):
        expected, found = values(plain, level), values(folder, level)
        assert expected.keys() == found.keys()
        assert {step for step, _ in found} == set(STEPS)
        for key, rows in expected.items():
            assert np.array_equal(rows, found[key]), key


def digests(folder: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.glob("flow*.vtkhdf*")
    }


@pytest.mark.parametrize("more", [PACKED, ALONE, [*PACKED, *ALONE]])
def test_packed_and_single_steps_have_the_values_of_the_plain_file(
    tmp_path: Path, case: Path, more: list[str]
) -> None:
    plain, other = tmp_path / "plain", tmp_path / "other"
    plain.mkdir()
    other.mkdir()
    assert run(plain, *words(case)).code == 0
    done = run(other, *words(case), *more)
    assert done.code == 0, done.err
    expect_same(other, plain)
    first = digests(other)
    if more is not PACKED:
        alone = {f"flow.step={step}.vtkhdf" for step in STEPS}
        assert set(first) == alone | {"flow.mesh.vtkhdf", "flow.vtkhdf.series"}
        listed = json.loads((other / "flow.vtkhdf.series").read_text())
        assert listed["files"] == [
            {"name": f"flow.step={step}.vtkhdf", "time": float(step)} for step in STEPS
        ]
        assert alone | {"flow.mesh.vtkhdf", "flow.vtkhdf.series"} <= {
            Path(name).name for name in done.record()["io"]["files"]
        }
    for ranks, way in ((1, ["--io", "sync"]), (2, []), (3, ["--io-writers", "2", "-m", "random"])):
        again = tmp_path / f"again{ranks}"
        again.mkdir()
        done = run(again, *words(case), *more, *way, ranks=ranks)
        assert done.code == 0, done.err
        assert digests(again) == first


def test_chunks_are_packed_and_what_is_not_used_is_a_hole(tmp_path: Path, case: Path) -> None:
    assert run(tmp_path, *words(case), *PACKED).code == 0
    with h5py.File(tmp_path / "flow.vtkhdf", "r") as file:
        data = file["VTKHDF/level_0/PointData/momentum"]
        assert data.chunks == (1024, 3)
        assert data.compression == "gzip"
        assert data.shuffle
        unpacked = 8 * 3 * 1024
        stored = [data.id.get_chunk_info(n) for n in range(data.id.get_num_chunks())]
        assert len(stored) == len(STEPS) * 4
        assert all(chunk.size < unpacked and chunk.filter_mask == 0 for chunk in stored)
    size = (tmp_path / "flow.vtkhdf").stat()
    assert size.st_blocks * 512 < size.st_size


def test_zstd_needs_the_plugin_and_reads_back_with_it(
    tmp_path: Path, case: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HDF5_PLUGIN_PATH", raising=False)
    more = ["--output-compression", "zstd", "--output-chunk", "1024"]
    done = run(tmp_path, *words(case), *more)
    assert done.code == 4
    assert "HDF5_PLUGIN_PATH" in done.messages[0]
    hdf5plugin = pytest.importorskip(  # also makes h5py read it
        "hdf5plugin", reason="hdf5plugin is not installed: `make test` installs it"
    )
    plain = tmp_path / "plain"
    plain.mkdir()
    assert run(plain, *words(case)).code == 0
    monkeypatch.setenv("HDF5_PLUGIN_PATH", hdf5plugin.PLUGIN_PATH)
    done = run(tmp_path, *words(case), *more, ranks=2)
    assert done.code == 0, done.err
    expect_same(tmp_path, plain)


def test_a_new_run_leaves_no_step_of_an_older_one(tmp_path: Path, case: Path) -> None:
    longer = ["-d", str(case), "-g", "9", "--output-interval", "2"]
    shorter = ["-d", str(case), "-g", "3", "--output-interval", "1"]
    (tmp_path / "flow.step=x.vtkhdf").write_text("of somebody else")
    assert run(tmp_path, *longer, *ALONE).code == 0
    assert run(tmp_path, *shorter, *ALONE).code == 0
    steps = {f"flow.step={step}.vtkhdf" for step in (1, 2, 3)}
    assert set(digests(tmp_path)) == steps | {
        "flow.mesh.vtkhdf",
        "flow.vtkhdf.series",
        "flow.step=x.vtkhdf",
    }
    assert run(tmp_path, *shorter).code == 0
    assert set(digests(tmp_path)) == {"flow.vtkhdf", "flow.step=x.vtkhdf"}


def test_a_run_that_goes_on_adds_to_the_list(tmp_path: Path, case: Path) -> None:
    asked = ["-d", str(case), "--output-interval", "1", *ALONE, "--checkpoint-interval", "2"]
    assert run(tmp_path, *asked, "-g", "2").code == 0
    assert run(tmp_path, *asked, "-g", "4", "--restart", "auto").code == 0
    listed = json.loads((tmp_path / "flow.vtkhdf.series").read_text())["files"]
    assert [entry["name"] for entry in listed] == [
        f"flow.step={step}.vtkhdf" for step in (1, 2, 3, 4)
    ]


@pytest.mark.parametrize("name", ["flow.vtkhdf", "flow.step=4.vtkhdf"])
def test_vtk_reads_packed_files_and_linked_meshes(tmp_path: Path, case: Path, name: str) -> None:
    vtk = pytest.importorskip("vtk", reason="VTK is not installed: `make test` installs it")
    from vtk.util import numpy_support  # there where vtk is

    more = [*PACKED, *(ALONE if "step" in name else [])]
    assert run(tmp_path, *words(case), *more).code == 0
    reader = vtk.vtkHDFReader()
    reader.SetFileName(str(tmp_path / name))
    reader.Update()
    reader.SetStep(reader.GetNumberOfSteps() - 1)
    reader.Update()
    for level in (0, 1):
        data = reader.GetOutputDataObject(0).GetBlock(level).GetPointData()
        found = numpy_support.vtk_to_numpy(data.GetArray("momentum"))
        assert np.array_equal(found, values(tmp_path, level)[4, "momentum"]), level


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--output-compression", "deflat"], "Did you mean 'deflate'?"),
        (["--output-compression", "deflate", "--output-compression-level", "12"], "1 to 9"),
        (["--output-files", "stpe"], "--output-files"),
        (["--output-chunk", "7"], "--output-chunk"),
    ],
)
def test_wrong_words_are_refused(tmp_path: Path, case: Path, more: list[str], said: str) -> None:
    done = run(tmp_path, *words(case), *more)
    assert done.code == 2
    assert said in done.err
    assert not list(tmp_path.glob("flow*"))
