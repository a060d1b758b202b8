# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The series of a run: columns of the solver and of probes, the same on any ranks, continued."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from halocline.launch.programs import find_program
from halocline.mesh.make import Output, make_mesh
from halocline.mesh.request import Request

import halocline

pytestmark = [
    pytest.mark.mpi,
    pytest.mark.skipif(
        find_program("halocline-solve") is None or shutil.which("mpirun") is None,
        reason="halocline-solve is not built here; `make test` builds it first",
    ),
]

ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
CASE = """
[mesh]
directory = "{mesh}"
[solver]
name = "advection_diffusion"
steps = 10
end_time = 0.1
[output]
series_interval = 4
"""
PROBES = "output.probes.points=[[0.5, 0.5, 0.51], [0.3125, 0.5, 0.5]]"


@pytest.fixture(scope="module")
def mesh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cube of 9³ nodes, an eighth from each other."""
    path = tmp_path_factory.mktemp("cube")
    request = Request(729, 1, None, 1.0, "hex", 0.0)
    make_mesh("cavity", request, Output(path, "natural", True, 1))
    return path


def solve(
    folder: Path, mesh: Path, *settings: str, ranks: int = 1
) -> subprocess.CompletedProcess[str]:
    """Run the case with these settings."""
    case = folder / "case.toml"
    case.write_text(CASE.format(mesh=mesh))
    words = [word for setting in settings for word in ("--set", setting)]
    launcher = ["mpirun", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
    return subprocess.run(
        [*launcher, str(find_program("halocline-solve")), str(case), *words],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **ROOT},
        check=False,
    )


def written(folder: Path) -> str:
    """The file."""
    return (folder / "output" / "series.csv").read_text()


def test_lines_come_every_so_many_steps_and_at_the_end(tmp_path: Path, mesh: Path) -> None:
    done = solve(tmp_path, mesh)
    assert done.returncode == 0, done.stderr
    assert "series.csv" in done.stdout
    run = halocline.open(tmp_path / "output")
    assert run.record is not None
    assert str(tmp_path / "output" / "series.csv") in run.record.io.files
    series = run.series
    assert series is not None
    assert list(series) == ["total", "min", "max"]
    assert series.steps.tolist() == [4, 8, 10]
    assert np.allclose(series.times, [0.04, 0.08, 0.1])
    values = run["phi"].at()
    assert (series["min"][-1], series["max"][-1]) == (values.min(), values.max())


def test_the_lines_do_not_depend_on_ranks_and_back_ends(tmp_path: Path, mesh: Path) -> None:
    found = []
    for ranks, backend in ((1, "serial"), (2, "openmp"), (3, "openmp"), (2, "emulated")):
        done = solve(tmp_path, mesh, f"parallel.backend={backend}", PROBES, ranks=ranks)
        assert done.returncode == 0, done.stderr
        found.append(written(tmp_path))
    assert found[0].startswith("step,time,total,min,max,probe1_phi,probe2_phi\n")
    assert found == found[:1] * 4


def test_a_probe_has_the_values_of_the_nearest_node(tmp_path: Path, mesh: Path) -> None:
    """The second point is half-way between two nodes: the first of them in the file counts."""
    done = solve(tmp_path, mesh, PROBES)
    assert done.returncode == 0, done.stderr
    run = halocline.open(tmp_path / "output")
    points, values = halocline.open(tmp_path / "output", mesh=mesh).mesh().points, run["phi"].at()
    assert run.series is not None
    for name, point in (("probe1_phi", (0.5, 0.5, 0.51)), ("probe2_phi", (0.3125, 0.5, 0.5))):
        node = np.argmin(np.linalg.norm(points - point, axis=1))
        assert run.series[name][-1] == values[node]
        assert f"probe at node {node} (counted from 0)" in done.stdout


def test_a_run_that_goes_on_continues_the_lines(tmp_path: Path, mesh: Path) -> None:
    assert solve(tmp_path, mesh, "checkpoint.interval=5").returncode == 0
    whole = written(tmp_path)
    with (tmp_path / "output" / "series.csv").open("a") as file:
        file.write("1")  # what a killed run may leave
    done = solve(tmp_path, mesh, "checkpoint.restart=output/checkpoint.step=5.h5", ranks=2)
    assert done.returncode == 0, done.stderr
    assert written(tmp_path) == whole


def test_a_run_with_other_columns_does_not_continue_the_lines(tmp_path: Path, mesh: Path) -> None:
    assert solve(tmp_path, mesh, "checkpoint.interval=5").returncode == 0
    done = solve(tmp_path, mesh, "checkpoint.restart=auto", PROBES)
    assert done.returncode == 3
    assert "has other columns" in done.stderr


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (["output.series_interval=0", PROBES], ["output.series_interval is 0"]),
        (["output.series_interval=-1"], ["'output.series_interval' is -1"]),
        (["output.probes.points=[[1]]"], ["'output.probes.points'", "[[0.5, 0.5, 0.0]]"]),
        (["output.probes.point=[]"], ["unknown key 'output.probes.point'", "'points'"]),
        ([PROBES, "output.probes.fields=['psi']"], ["no field 'psi'", "phi"]),
    ],
)
def test_a_mistake_gets_a_sentence(
    tmp_path: Path, mesh: Path, settings: list[str], words: list[str]
) -> None:
    done = solve(tmp_path, mesh, *settings)
    assert done.returncode in {2, 3}
    assert [word for word in words if word not in done.stderr] == []
