# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Studies of MPI programs on both libraries: launch lines, transports, snapshots."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from halocline.launch.programs import find_program
from halocline.preload import Family

sys.path.append(str(Path(__file__).parents[2] / "support"))

from mpi_builds import AS_ROOT, recorded_build

Run = Callable[..., Any]
pytestmark = pytest.mark.mpi
EXAMPLES = Path(__file__).parents[3] / "examples" / "studies"
REFERENCE = Path(__file__).parents[3] / "data" / "mgcfd-reference" / "natural"
RING = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char** argv) {
    int rank, size;
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    double sum = 0.0, one = 1.0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int turn = 0; turn < 100; ++turn)
        MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Get_library_version(library, &size);
    const char* btl = getenv("OMPI_MCA_btl");
    if (rank == 0) printf("sum = %g\\nmpich = %d\\nbtl = %s\\n", sum,
                          strstr(library, "MPICH") != NULL, btl ? btl : "-");
    return MPI_Finalize();
}
"""


def test_both_libraries_and_transports_are_points(
    halocline: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ring.c").write_text(RING)
    for family in Family:
        recorded_build(family).compile(tmp_path / "ring.c", tmp_path / f"ring.{family}")
    for name, value in AS_ROOT.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "study.toml").write_text(
        """
design = "one at a time"
exclude = ["mpi == 'mpich' and transport != ''"]
[program]
command = "{program}"
programs = { openmpi = "./ring.openmpi", mpich = "./ring.mpich" }
[base]
ranks = 2
[vary]
mpi = ["openmpi", "mpich"]
transport = ["", "tcp"]
[run]
noise_rounds = 0
least = 2
most = 2
confidence = 0.6
twins = false
[measure.patterns.mpich]
pattern = 'mpich = (\\d)'
unit = "1"
[check]
pattern = 'sum = (\\d+)'
"""
    )
    done = halocline("study", tmp_path / "study.toml")
    assert done.code == 0, done.err
    found = json.loads((tmp_path / "study" / "study.json").read_text())
    base, mpich, tcp = found["points"]
    assert [point["medians"]["mpich"] for point in (base, mpich, tcp)] == [0.0, 1.0, 0.0]
    assert "OMPI_MCA_btl=self,tcp" in tcp["launch_line"]
    log = (tmp_path / "study" / "logs" / f"trial-000-{tcp['name']}.log").read_text()
    assert "btl = self,tcp" in log
    for point in (base, mpich, tcp):
        assert point["mpi"]["function_s"]["MPI_Allreduce"] > 0.0
        assert point["memory_bytes"] > 1e6
    page = (tmp_path / "study" / "study.html").read_text()
    assert "MPI time by function" in page
    assert "Message sizes" in page


@pytest.mark.skipif(find_program("halocline-solve") is None, reason="it is not built here")
def test_keys_of_a_case_are_variables_and_results_must_agree(
    halocline: Run, tmp_path: Path
) -> None:
    (tmp_path / "case.toml").write_text(
        f"[mesh]\ndirectory = {json.dumps(str(REFERENCE))}\n[solver]\ncycles = 2\n"
    )
    (tmp_path / "study.toml").write_text(
        """
design = "one at a time"
[program]
case = "case.toml"
[vary]
partitioner = ["block", "inertial"]
case.solver.cycles = [2, 1]
[base]
ranks = 2
[run]
noise_rounds = 0
least = 2
most = 2
confidence = 0.6
twins = false
[measure]
snapshot = "never"
records = ["partition.neighbours.max"]
[check]
"""
    )
    done = halocline("study", tmp_path / "study.toml")
    assert done.code == 0, done.err
    base, inertial, shorter = json.loads((tmp_path / "study" / "study.json").read_text())["points"]
    assert (base["state"], inertial["state"], shorter["state"]) == ("ok", "ok", "wrong")
    assert "Compare results of the same cycle" in shorter["why"]
    assert base["median"]["value"] == base["medians"]["results.total_runtime_s"]
    assert base["medians"]["partition.neighbours.max"] == 1.0
    assert not (tmp_path / "output").exists()


def beginning(folder: Path, name: str) -> Path:
    """An example in a folder of its own, its base and little more of it."""
    for file in EXAMPLES.glob("*"):
        if file.is_file():
            shutil.copy(file, folder)
    text = (folder / name).read_text().replace("[run]\n", "[run]\nbudget_runs = 8\n")
    text = re.sub(r"strong = .*", "strong = [1, 2]", text)
    text = text.replace("../cases", str(EXAMPLES.parent / "cases"))
    (folder / name).write_text(text.replace("budget_time", "# budget_time"))
    melt = (folder / "in.melt").read_text()  # 500 atoms do as well as 4000
    (folder / "in.melt").write_text(melt.replace("0 10 0 10 0 10", "0 5 0 5 0 5"))
    return folder / name


def expect_good_bases(halocline: Run, file: Path) -> None:
    done = halocline("study", file)
    assert done.code == 0, done.err
    result = json.loads((file.with_suffix("") / "study.json").read_text())
    assert result["runs"] == 8
    assert all(point["state"] in ("ok", "not run") for point in result["points"])
    assert all(point["mpi"] for point in result["points"] if point["is_base"])


@pytest.mark.skipif(shutil.which("lmp") is None, reason="LAMMPS is not installed")
def test_the_example_of_lammps_begins_well(
    halocline: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded_build(Family.OPENMPI)
    for name, value in AS_ROOT.items():
        monkeypatch.setenv(name, value)
    expect_good_bases(halocline, beginning(tmp_path, "lammps.toml"))


def test_the_example_of_two_libraries_begins_well(
    halocline: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = beginning(tmp_path, "two_libraries.toml")
    file.write_text(file.read_text().replace("{size} 400", "{size} 4"))
    for name, value in AS_ROOT.items():
        monkeypatch.setenv(name, value)
    for family in Family:
        program = tmp_path / f"jacobi.{family}"
        recorded_build(family).compile(tmp_path / "jacobi.c", program, "-fopenmp")
    expect_good_bases(halocline, file)


@pytest.mark.slow
@pytest.mark.skipif(find_program("halocline-solve") is None, reason="it is not built here")
@pytest.mark.parametrize("name", ["mgcfd_scaling.toml", "mgcfd_partitioner.toml"])
def test_the_examples_of_mgcfd_begin_well(halocline: Run, tmp_path: Path, name: str) -> None:
    recorded_build(Family.OPENMPI)
    expect_good_bases(halocline, beginning(tmp_path, name))
