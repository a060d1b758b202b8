# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Output within the time loop: beside the loops or at once, the same bytes on any ranks."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from mgcfd_support import (
    Run,
    box_level,
    environment,
    launcher,
    make_box,
    patience_s,
    program,
    result,
    run,
    run_words,
    spoil,
    wait_for,
)

SHAPE = (9, 8, 7)
NODES = 9 * 8 * 7


def hexahedra(shape: tuple[int, int, int]) -> np.ndarray[Any, Any]:
    """Cells of a box in VTK's order of corners."""
    nodes = np.arange(np.prod(shape)).reshape(shape)
    corners = [
        (0, 0, 0),
        (1, 0, 0),
        (1, 1, 0),
        (0, 1, 0),
        (0, 0, 1),
        (1, 0, 1),
        (1, 1, 1),
        (0, 1, 1),
    ]
    ends = [(slice(0, -1), slice(1, None))[c] for corner in corners for c in corner]
    parts = [nodes[ends[3 * n], ends[3 * n + 1], ends[3 * n + 2]].ravel() for n in range(8)]
    return np.stack(parts, axis=1)


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """A two-level box whose finest level keeps cells, two faces of its boundary and a line."""
    folder = make_box(tmp_path / "case", SHAPE, 2)

    def add_cells(file: h5py.File) -> None:
        file["cells_hexahedron"] = hexahedra(SHAPE).astype(np.int32)
        file["bnd_quads"] = np.array([[0, 1, 8, 7], [7, 8, 15, 15], [15, 16, 16, 16]], np.int32)
        file["bnd_quad_group"] = np.array([4, 1, 1], np.int32)
        file.attrs["bnd_group_names"] = '{"4": "the inlet", "1": "wall"}'

    spoil(folder, 0, add_cells)
    return folder


def digests(folder: Path) -> dict[str, str]:
    """Of all HDF5 files in a folder."""
    files = [*folder.glob("*.h5"), *folder.glob("*.vtkhdf")]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


WAYS: list[tuple[int, list[str]]] = [
    (1, ["--io", "async"]),
    (1, ["--io", "async", "--backend", "serial"]),
    (1, ["--io", "async", "--backend", "emulated"]),
    (2, ["--io", "async"]),
    (2, ["--io", "sync", "-m", "sfc"]),
    (3, ["--io", "async", "--io-writers", "1"]),
    (3, ["--io", "async", "--io-writers", "2", "-m", "random"]),
    (2, ["--io", "async", "--backend", "emulated"]),
]


@pytest.mark.parametrize(("ranks", "words"), WAYS)
def test_every_way_of_writing_gives_the_same_bytes(
    tmp_path: Path, case: Path, ranks: int, words: list[str]
) -> None:
    asked = ["-d", str(case), "-g", "6", "-I", "2", "--output-interval", "3"]
    asked += ["--output-levels", "0,1", "--checkpoint-interval", "4", "--output-variables"]
    plain, other = tmp_path / "plain", tmp_path / "other"
    plain.mkdir()
    other.mkdir()
    assert run(plain, *asked, "--io", "sync").code == 0
    done = run(other, *asked, *words, ranks=ranks)
    assert done.code == 0, done.err
    names = {f"variables.L0.cycle={n}.h5" for n in (2, 4, 6)}
    names |= {f"variables.L{level}.cycles=6.h5" for level in (0, 1)}
    assert set(digests(plain)) == names | {"flow.vtkhdf", "checkpoint.step=4.h5"}
    assert digests(other) == digests(plain)
    io = done.record()["io"]
    assert io["mode"] == ("sync" if "sync" in words else "async"), io
    assert io["writes"] == 3 + 2 + 1 + 2  # flow files, steps, a checkpoint, results at the end
    coarse = int(np.prod([(n + 1) // 2 for n in SHAPE]))
    row = 8 * (3 + 1 + 1 + 1 + 1)
    assert io["bytes"] == 40 * (4 * NODES + coarse + NODES + coarse) + 2 * row * (NODES + coarse)
    staging = 40 * (NODES + coarse) + ranks * 2 * 64
    assert 0 < io["staging_bytes"] <= (1 if "sync" in words else 2) * staging


def test_one_buffer_serves_all_kinds_of_output(tmp_path: Path, case: Path) -> None:
    """Nobody keeps the only one between its steps."""
    words = ["-d", str(case), "-g", "9", "-I", "5", "--output-interval", "4", "--io-buffers", "1"]
    for io in ("sync", "async"):
        done = run(tmp_path, *words, "--checkpoint-interval", "3", "--io", io)
        assert done.code == 0, done.err
        assert done.record()["io"]["writes"] == 1 + 2 + 3


def test_steps_hold_what_the_run_computed(tmp_path: Path, case: Path) -> None:
    words = ["-d", str(case), "--output-variables"]
    assert run(tmp_path, *words, "-g", "5", "--output-interval", "1,5").code == 0
    last = result(tmp_path, "variables.L0.cycles=5.h5")
    assert run(tmp_path, *words, "-g", "1", "-o", "one.").code == 0
    first = result(tmp_path, "one.variables.L0.cycles=1.h5")
    with h5py.File(tmp_path / "flow.vtkhdf", "r") as file:
        block = file["VTKHDF/level_0"]
        assert block["Steps"].attrs["NSteps"] == 2
        assert block["Steps/step"][()].tolist() == [1, 5]
        assert block["Steps/Values"][()].tolist() == [1.0, 5.0]
        assert np.array_equal(block["Connectivity"][()].reshape(-1, 8), hexahedra(SHAPE))
        assert np.array_equal(block["Points"][()], box_level(SHAPE, False)["node_coordinates"])
        for n, state in enumerate((first, last)):
            rows = slice(n * NODES, (n + 1) * NODES)
            assert np.array_equal(block["PointData/density"][rows], state[:, 0])
            assert np.array_equal(block["PointData/momentum"][rows], state[:, 1:4])
            assert np.array_equal(block["PointData/energy"][rows], state[:, 4])
            speed2 = (state[:, 1:4] ** 2).sum(axis=1) / state[:, 0] ** 2
            pressure = 0.4 * (state[:, 4] - 0.5 * state[:, 0] * speed2)
            assert block["PointData/pressure"][rows] == pytest.approx(pressure, rel=1e-13)
            mach = np.sqrt(speed2 * state[:, 0] / (1.4 * pressure))
            assert block["PointData/mach"][rows] == pytest.approx(mach, rel=1e-13)
        assert np.abs(last - first).max() > 0, "a free stream tells nothing"
        inlet, wall = file["VTKHDF/the_inlet"], file["VTKHDF/wall"]
        assert inlet["Connectivity"][()].tolist() == [0, 1, 8, 7]
        assert inlet["Types"][()].tolist() == [9]
        assert wall["Connectivity"][()].tolist() == [15, 16, 7, 8, 15]
        assert wall["Offsets"][()].tolist() == [0, 2, 5]
        assert wall["Types"][()].tolist() == [3, 5]
        assert wall["PointData/density"] == block["PointData/density"]


def test_vtk_reads_steps_and_blocks(tmp_path: Path, case: Path) -> None:
    vtk = pytest.importorskip(
        "vtk", reason="VTK is not installed: `make test` installs it and runs this"
    )
    numpy_support = pytest.importorskip("vtk.util.numpy_support")
    words = ["-d", str(case), "-g", "4", "--output-variables", "--output-interval", "2"]
    assert run(tmp_path, *words, "--output-levels", "0,1", ranks=2).code == 0
    reader = vtk.vtkHDFReader()
    reader.SetFileName(str(tmp_path / "flow.vtkhdf"))
    reader.Update()
    assert reader.GetNumberOfSteps() == 2
    reader.SetStep(1)
    reader.Update()
    blocks = reader.GetOutputDataObject(0)
    names = [
        blocks.GetMetaData(n).Get(vtk.vtkCompositeDataSet.NAME())
        for n in range(blocks.GetNumberOfBlocks())
    ]
    assert names == ["level_0", "level_1", "wall", "the_inlet"]
    for level in (0, 1):
        state = result(tmp_path, f"variables.L{level}.cycles=4.h5")
        data = blocks.GetBlock(level).GetPointData()
        assert np.array_equal(
            numpy_support.vtk_to_numpy(data.GetArray("momentum")), state[:, 1:4]
        ), level
    assert blocks.GetBlock(0).GetNumberOfCells() == 8 * 7 * 6
    assert blocks.GetBlock(0).GetCell(0).GetClassName() == "vtkHexahedron"
    assert blocks.GetBlock(1).GetCell(0).GetClassName() == "vtkVertex"


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_device_keeps_its_graphs_while_it_writes(tmp_path: Path, case: Path, ranks: int) -> None:
    words = ["-d", str(case), "-g", "6", "--backend", "emulated", "--loop-times", "off"]
    words += ["--halo-scheme", "peer"]
    uses = []
    for more in ([], ["-I", "1", "--output-interval", "1"]):
        done = run(tmp_path, *words, *more, ranks=ranks)
        assert done.code == 0, done.err
        uses.append(done.record()["device_use"])
        assert uses[-1]["graph"], uses[-1]
    # Values leave the device packed, once for each kind of output, and no other way.
    packed = uses[1]["to_host_bytes"] - uses[0]["to_host_bytes"]
    assert 12 * 40 * NODES <= packed <= 12 * (40 * NODES + 64 * ranks)
    assert uses[1]["to_device_bytes"] - uses[0]["to_device_bytes"] <= 2 * 4 * NODES


@pytest.mark.parametrize("ranks", [2])
def test_an_unchanged_mesh_costs_no_all_to_all_again(
    tmp_path: Path, case: Path, ranks: int
) -> None:
    counts = []
    for cycles in ("2", "9"):
        folder = tmp_path / cycles
        folder.mkdir()
        counter = count_calls(tmp_path)
        words = ["-d", str(case), "-g", cycles, "-I", "1", "--output-interval", "1"]
        command = [*launcher(ranks), "-x", f"LD_PRELOAD={counter}", program(), *words]
        done = run_words(folder, command)
        assert done.code == 0, done.err
        said = [line for line in done.err.splitlines() if line.startswith("all-to-alls ")]
        assert len(said) == ranks, done.err
        counts.append(sorted(said))
    assert counts[0] == counts[1]


COUNTER = """
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
static int calls;
int MPI_Alltoall(const void *s, int n, MPI_Datatype t, void *r, int m, MPI_Datatype u, MPI_Comm c) {
    ++calls;
    return PMPI_Alltoall(s, n, t, r, m, u, c);
}
int MPI_Alltoallv(const void *s, const int *n, const int *d, MPI_Datatype t, void *r, const int *m,
                  const int *e, MPI_Datatype u, MPI_Comm c) {
    ++calls;
    return PMPI_Alltoallv(s, n, d, t, r, m, e, u, c);
}
int MPI_Finalize(void) {
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "all-to-alls of rank %d: %d\\n", rank, calls);
    return PMPI_Finalize();
}
"""


def count_calls(folder: Path) -> Path:
    """A library that counts all-to-alls and tells at the end."""
    source, library = folder / "count.c", folder / "libcount.so"
    if not library.exists():
        source.write_text(COUNTER)
        compiler = Path(os.environ["HALOCLINE_MPIRUN"]).with_name("mpicc")
        done = run_words(
            folder, [str(compiler), "-shared", "-fPIC", "-o", str(library), str(source)]
        )
        assert done.code == 0, done.err
    return library


# --- what goes wrong ------------------------------------------------------------------------------


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_results_file_that_is_removed_is_missed(tmp_path: Path, case: Path, ranks: int) -> None:
    file = tmp_path / "flow.vtkhdf"
    with h5py.File(case / "mesh.L0.h5", "r") as mesh:
        assert "cells_hexahedron" in mesh
    command = [*launcher(ranks), program(), "-d", str(case), "-g", "100000000"]
    log = tmp_path / "log"
    with log.open("w") as out:
        job = subprocess.Popen(
            [*command, "--output-interval", "2000"],
            cwd=tmp_path,
            env=environment(),
            stdout=out,
            stderr=out,
        )
        try:
            wait_for(file.exists, patience_s)
            file.unlink()
            code = job.wait(timeout=patience_s)
        finally:
            job.kill()
            job.wait()
    assert code == 5, log.read_text()
    said = [line for line in log.read_text().splitlines() if line.startswith("mgcfd: ")]
    assert len(said) == 1
    assert "'flow.vtkhdf' was removed or replaced while it was written" in said[0]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGUSR1])
def test_a_run_that_is_stopped_has_all_its_output_on_the_disk(
    tmp_path: Path, case: Path, number: signal.Signals
) -> None:
    log = tmp_path / "log"
    with log.open("w") as out:
        job = subprocess.Popen(
            [program(), "-d", str(case), "-g", "20000", "--output-interval", "10"],
            cwd=tmp_path,
            env=environment(),
            stdout=out,
            stderr=out,
        )
        try:
            wait_for(lambda: "Performing MG cycle" in log.read_text(), patience_s)
            job.send_signal(number)
            code = job.wait(timeout=patience_s)
        finally:
            job.kill()
            job.wait()
    assert code == 75, log.read_text()
    record = json.loads((tmp_path / "record.json").read_text())
    done = record["results"]["cycles"]
    assert record["status"]["state"] == "stopped"
    assert 0 < done < 20000
    with h5py.File(tmp_path / "flow.vtkhdf") as file:
        assert file["VTKHDF/level_0/Steps"].attrs["NSteps"] == done // 10
    assert (tmp_path / f"checkpoint.step={done}.h5").is_file()


WRONG: list[tuple[list[str], str]] = [
    (["--output-interval", "0"], "does not say when"),
    (["--output-interval", "3,x"], "does not say when"),
    (["--output-interval", "-5s"], "does not say when"),
    (["--output-interval", "1", "--output-fields", "presure"], "Did you mean 'pressure'"),
    (["--output-interval", "1", "--output-levels", "2"], "there is no level 2"),
    (["--io", "parallel"], "--io"),
]


@pytest.mark.parametrize(("words", "sentence"), WRONG)
def test_wrong_words_are_refused(
    tmp_path: Path, case: Path, words: list[str], sentence: str
) -> None:
    done: Run = run(tmp_path, "-d", str(case), "-g", "2", *words)
    assert done.code == 2, done.err
    assert sentence in done.err
