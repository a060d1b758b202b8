# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reports of real runs: imbalance known by construction, every way to end, both MPI libraries."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from halocline.errors import MissingEnvironmentError
from halocline.preload import Family, tool_library

PROGRAMS = Path(__file__).parent / "programs"
# Programs in virtual time: what is recorded there is known to the nanosecond.
VIRTUAL = Path(__file__).parents[2] / "tools" / "snapshot" / "programs"
LIMIT_S = 250
LAUNCH = {
    Family.OPENMPI: ("mpicc.openmpi", ["mpirun.openmpi", "--oversubscribe", "--quiet"]),
    Family.MPICH: ("mpicc.mpich", ["mpirun.mpich"]),
}
Run = Callable[..., tuple[int, dict[str, Any]]]

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(300)]


@pytest.fixture(params=list(Family), ids=str)
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Run:
    """Builds a program with one MPI library, records it; returns exit code and report."""
    family = request.param
    compiler, launcher = LAUNCH[family]
    try:
        tool_library("snapshot", family)
    except MissingEnvironmentError as error:
        pytest.skip(str(error))
    if shutil.which(compiler) is None or shutil.which(launcher[0]) is None:
        pytest.skip(f"{compiler} or {launcher[0]} is missing")

    def compiled(name: str) -> Path:
        program = tmp_path / name
        build = [compiler, "-g", "-O1", "-o", str(program)]
        source = PROGRAMS / f"{name}.c"
        if not source.exists():
            source, library = VIRTUAL / f"{name}.c", str(tmp_path / "libvirtual_time.so")
            clock = [str(VIRTUAL / "virtual_time.c"), "-o", library, "-ldl"]
            subprocess.run([compiler, "-shared", "-fPIC", *clock], check=True, capture_output=True)
            build += ["-Wl,--no-as-needed", library]
        subprocess.run([*build[:5], str(source), *build[5:]], check=True, capture_output=True)
        return program

    def recorded(name: str, words: Sequence[object], ranks: int = 2) -> tuple[int, dict[str, Any]]:
        program = compiled(name)
        line = [*launcher, "-n", str(ranks), str(program), *map(str, words)]
        command = [sys.executable, "-m", "halocline", "snapshot", "-o", "report", "--", *line]
        root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        done = subprocess.run(
            command,
            cwd=tmp_path,
            env={**os.environ, **root, "HALOCLINE_SNAPSHOT_FLUSH_S": "1"},
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
        report = tmp_path / "report" / "snapshot.json"
        assert report.is_file(), done.stderr
        return done.returncode, json.loads(report.read_text())

    return recorded


@pytest.mark.parametrize("percent", [10, 33, 50])
def test_imbalance_known_by_construction(
    run: Run, monkeypatch: pytest.MonkeyPatch, percent: int
) -> None:
    """Eight steps of 120 ms of virtual time and a call of 1 us each: rank 1 works all the time,
    rank 0 waits for it so long that the mean over both is the percentage."""
    monkeypatch.setenv("HALOCLINE_SNAPSHOT_CLOCK", "virtual_now")
    code, report = run("imbalance", [percent, "collective"])
    assert code == 0
    elapsed_s = 8 * (0.12 + 1e-6)
    assert report["times"]["elapsed_s"] == pytest.approx(elapsed_s, rel=1e-9)
    wanted = percent * 8 * 0.12 / elapsed_s
    assert report["times"]["imbalance_percent"] == pytest.approx(wanted, rel=1e-6)
    assert report["slowest_rank"] == 1
    assert report["most_waited_for_rank"] == 1
    assert report["functions"][0]["name"] == "MPI_Allreduce"
    assert report["functions"][0]["calls"] == 16


def test_call_sites_have_function_and_line(run: Run) -> None:
    _, report = run("uneven", [0.5, 5])
    site = next(each for each in report["call_sites"] if each["function"] == "MPI_Barrier")
    assert (site["symbol"], Path(site["file"]).name, site["ranks"]) == ("main", "uneven.c", 2)
    assert "MPI_Barrier" in (PROGRAMS / "uneven.c").read_text().splitlines()[site["line"] - 1]


def test_the_exit_code_is_passed_on(run: Run) -> None:
    code, report = run("ending", ["fine", 23])
    assert code == 23
    assert report["status"] == {"state": "complete", "exit_code": 23, "reasons": []}


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("abort", "rank 1 called MPI_Abort with code 7"),
        ("exit", "rank 1"),
        ("crash", "rank 1 was stopped by signal 11"),
        ("kill", "rank 1 was killed without warning"),
    ],
)
def test_a_run_that_breaks_leaves_a_partial_report(run: Run, how: str, words: str) -> None:
    code, report = run("ending", [how])
    assert code != 0
    assert report["status"]["state"] == "partial"
    assert any(words in reason for reason in report["status"]["reasons"])
    allreduce = next(each for each in report["functions"] if each["name"] == "MPI_Allreduce")
    assert allreduce["calls"] > 10
