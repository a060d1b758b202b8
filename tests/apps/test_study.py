# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline study` of programs that are not ours: what it reads, tells, and marks as wrong."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.apps, pytest.mark.mpi, pytest.mark.timeout(900)]

# Of each case: what is copied, the command, what it prints of its time and its results.
CASES = {
    "lammps": (
        "lammps/melt.in",
        "lmp -log none -in melt.in -var steps 50 -var filled {filled}",
        r"Loop time of (\S+)",
        r"^\s+50\s+\S+\s+\S+\s+\S+\s+(\S+)",
    ),
    "quantum_espresso": (
        "quantum_espresso/silicon.in",
        "pw.x -in silicon.in",
        r"PWSCF\s+:.*?([\d.]+)s WALL",
        r"^!\s+total energy\s+=\s+(\S+)",
    ),
}
PROGRAMS = {"lammps": "lmp", "quantum_espresso": "pw.x"}


def study(folder: Path, source: Path, name: str, vary: str) -> Path:
    """Write a study of a case that takes few runs: it tells no difference, and need not."""
    file, command, time, result = CASES[name]
    shutil.copy(source / file, folder)
    (folder / "study.toml").write_text(
        f"""
title = "{name}"
design = "one at a time"
[program]
command = "{command}"
files = ["{Path(file).name}"]
[base]
mpi = "openmpi"
ranks = 2
parameters = "mpi_yield_when_idle=1"
{vary}
[run]
noise_rounds = 1
budget_runs = 9
[measure]
by = "own"
[measure.patterns.own]
pattern = '{time}'
unit = "s"
[check]
pattern = '{result}'
relative = 1e-6
"""
    )
    return folder / "study.toml"


@pytest.fixture
def studied(
    plain: Callable[..., str], case: Path, needs: Callable[..., None]
) -> Callable[..., Any]:
    """Runs a study; returns its result."""

    def run(folder: Path, name: str, vary: str) -> Any:
        needs("mpirun", PROGRAMS[name])
        file = study(folder, case, name, vary)
        words = [sys.executable, "-m", "halocline", "study", file, "-o", folder / "result"]
        plain(words, folder)
        return json.loads((folder / "result" / "study.json").read_text())

    return run


@pytest.mark.parametrize(
    ("name", "function"), [("lammps", "MPI_Send"), ("quantum_espresso", "MPI_Alltoall")]
)
def test_transports_of_real_programs_are_measured_and_compared(
    studied: Callable[..., Any], tmp_path: Path, name: str, function: str
) -> None:
    more = 'filled = "1.0"\n' if name == "lammps" else ""
    made = studied(tmp_path, name, f'{more}[vary]\ntransport = ["sm", "tcp"]')
    base, tcp = made["points"]
    assert [point["state"] for point in (base, tcp)] == ["ok", "ok"]
    assert base["median"]["value"] > 0.0
    assert function in base["mpi"]["function_s"]
    assert base["memory_bytes"] > 1_000_000
    assert "tcp" in tcp["launch_line"]
    assert (tmp_path / "result" / "study.html").is_file()


def test_a_point_whose_results_differ_is_wrong_and_never_fast(
    studied: Callable[..., Any], tmp_path: Path
) -> None:
    """Half the atoms take less time, and have another energy."""
    made = studied(tmp_path, "lammps", '[vary]\nfilled = ["1.0", "0.5"]')
    _, half = made["points"]
    assert half["state"] == "wrong"
    assert half["comparison"] is None
