# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline tune` of programs that are not ours: collectives, results, decisions."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.apps, pytest.mark.mpi, pytest.mark.timeout(1800)]

THERMO = r"^\s+50\s+\S+\s+\S+\s+\S+\s+(\S+)"
ENERGY = r"^!\s+total energy\s+=\s+(\S+)"
SHORT = ("--pairs", "9", "--runs", "2")


@pytest.fixture
def tuned() -> Callable[..., Any]:
    """Tunes a launch line whose ranks give their cores up while they wait; returns the report."""

    def run(folder: Path, words: list[object], *options: str) -> Any:
        command = [sys.executable, "-m", "halocline", "tune", "--json", "-o", "tune", *options]
        done = subprocess.run(
            [str(word) for word in (*command, "--", *words)],
            cwd=folder,
            env={**os.environ, "OMPI_MCA_mpi_yield_when_idle": "1", "OMP_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        return json.loads(done.stdout)

    return run


def test_a_setting_that_does_nothing_is_no_decision(
    tuned: Callable[..., Any],
    mpirun: list[object],
    needs: Callable[..., None],
    case: Path,
    tmp_path: Path,
) -> None:
    """No transport of two ranks of one host asks for this port."""
    needs("lmp")
    words = [*mpirun, "lmp", "-in", case / "lammps" / "melt.in", "-log", "none"]
    words += ["-var", "steps", "50"]
    only = ("--no-collectives", "--no-parameters", "--try", "btl_tcp_port_min_v4=2048")
    reading = ("--time", r"Loop time of (\S+)", "--result", THERMO)
    report = tuned(tmp_path, words, *only, *reading, *SHORT)
    assert not report["decision"], report
    assert report["reason"]
    assert not (tmp_path / "tune" / "rules.json").exists()


def test_collectives_of_a_fortran_program_are_recorded_and_measured(
    tuned: Callable[..., Any],
    mpirun: list[object],
    needs: Callable[..., None],
    case: Path,
    tmp_path: Path,
) -> None:
    """Whatever is decided, energies were the same, and rules name this library alone."""
    needs("pw.x")
    shutil.copy(case / "quantum_espresso" / "silicon.in", tmp_path)
    words = [*mpirun, "pw.x", "-in", "silicon.in"]
    reading = ("--result", ENERGY, "--tolerance", "1e-8")
    report = tuned(tmp_path, words, "--no-parameters", *reading, *SHORT)
    functions = {point["function"] for point in report["points"]}
    assert functions & {"MPI_Alltoall", "MPI_Allreduce", "MPI_Bcast", "MPI_Barrier"}
    assert any(len(point["algorithms"]) > 1 for point in report["points"])
    rules = tmp_path / "tune" / "rules.json"
    assert rules.exists() == report["decision"]
    if report["decision"]:
        assert "Open MPI" in json.dumps(json.loads(rules.read_text()))
    else:
        assert report["reason"]
