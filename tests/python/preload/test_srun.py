# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tools on ranks that Slurm starts, on both nodes of a real one, alone and behind wrappers."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from halocline.errors import MissingEnvironmentError
from halocline.preload import Family, tool_library
from mpi_programs import compiled, sums

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(300), pytest.mark.usefixtures("slurm")]

ELEMENTS, CALLS = 5000, 3
PROGRAM = sums(ELEMENTS, CALLS)
#: What Slurm speaks to the ranks of a library.
PLUGIN = {Family.OPENMPI: "pmix", Family.MPICH: "pmi2"}
WRAPPERS = {
    "alone": [],
    "wrapped": ["env", "A=b", "sh", "-c", 'exec nice "$0" "$@"'],
}


@pytest.fixture(scope="module", params=list(Family))
def family(request: pytest.FixtureRequest) -> Family:
    """Each MPI library in turn."""
    found: Family = request.param
    if shutil.which(f"mpicc.{found}") is None:
        pytest.skip(f"no mpicc.{found}; `make test` installs it")
    return found


@pytest.fixture(scope="module")
def program(family: Family, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program linked to it."""
    return compiled(tmp_path_factory.mktemp("program"), "app", PROGRAM, f"mpicc.{family}")


@pytest.fixture
def script(program: Path, tmp_path: Path) -> Path:
    """A script that hides the program: nothing tells beforehand which library it has."""
    file = tmp_path / "hidden.sh"
    file.write_text(f'#!/bin/sh\n"{program}" "$@"\n')
    file.chmod(0o755)
    return file


@pytest.fixture(params=["snapshot", "endpoints"])
def tool(request: pytest.FixtureRequest) -> str:
    """Each tool in turn."""
    name: str = request.param
    for needed in Family:
        try:
            tool_library(name, needed)
        except MissingEnvironmentError as error:
            pytest.skip(str(error))
    return name


@pytest.fixture
def launch(
    tool: str,
    family: Family,
    halocline: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[..., Any]:
    """Run a tool on one rank of each node."""
    for name, value in {
        "OMPI_MCA_btl": "self,tcp",
        "OMPI_MCA_btl_tcp_if_include": "lo",
        "OMPI_MCA_mpi_yield_when_idle": "1",
        "MEP_MEMORY": "none",
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    own = {"snapshot": ["-o", "report"], "endpoints": ["--json", "--always", "--threads", 2]}

    def run(command: list[str], *options: object) -> Any:
        srun = ["srun", f"--mpi={PLUGIN[family]}", "-N", 2, "-n", 2]
        return halocline(tool, *own[tool], *options, "--", *srun, *command)

    return run


def expect_its_calls(tool: str, done: Any, folder: Path) -> None:
    """The program's results are right, and the tool was there in both ranks."""
    assert done.code == 0, done.err
    assert "sum 3 of 2 with 2 words" in done.out + done.err
    if tool == "endpoints":
        row = done.data["rows"][0]
        assert (row["function"], row["split_calls"]) == ("Allreduce", CALLS)
        return
    files = list((folder / "report" / "ranks").glob("rank-*.json"))
    assert len(files) == 2
    for file in files:
        rows = {row["name"]: row["calls"] for row in json.loads(file.read_text())["functions"]}
        assert rows["MPI_Allreduce"] == CALLS


@pytest.mark.parametrize("words", WRAPPERS.values(), ids=WRAPPERS)
def test_a_tool_serves_ranks_of_both_nodes(
    tool: str, program: Path, launch: Callable[..., Any], tmp_path: Path, words: list[str]
) -> None:
    done = launch([*words, str(program), "a word"])
    expect_its_calls(tool, done, tmp_path)


def test_a_script_that_hides_the_program_is_refused_before_it_starts(
    script: Path, launch: Callable[..., Any]
) -> None:
    done = launch([str(script), "a word"])
    assert done.code == 2
    assert "cannot tell which MPI library 'hidden.sh' uses" in done.err
    assert "sum" not in done.out


def test_the_library_decides_where_the_user_was_wrong(
    tool: str, family: Family, script: Path, launch: Callable[..., Any], tmp_path: Path
) -> None:
    wrong = next(one for one in Family if one is not family)
    expect_its_calls(tool, launch([str(script), "a word"], "--mpi", wrong), tmp_path)
