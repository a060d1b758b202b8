# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Real programs with their collectives split, each split result compared with the plain one."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from halocline.endpoints.report import EndpointsReport

MPIRUN = ("mpirun", "-n", "2", "--oversubscribe", "--quiet")
# From this input, this package (6.7-2+b1) and two ranks without any tool, Debian 12.
ENERGY_RY = "-15.85081793"
THERMO = re.compile(r"^ +\d+ +[-\d.]+ +[-\d.]+ .*$", re.MULTILINE)

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(900)]

Split = Callable[..., tuple[str, EndpointsReport]]


def split_calls(report: EndpointsReport) -> int:
    """How many calls were split, by all communicators."""
    return sum(row.split_calls for row in report.rows)


@pytest.mark.apps
def test_the_energy_of_silicon_does_not_change(
    needs: Callable[..., None], split: Split, case: Path, tmp_path: Path
) -> None:
    needs("pw.x", "mpirun")
    shutil.copy(case / "quantum_espresso" / "silicon.in", tmp_path)
    out, report = split([*MPIRUN, "pw.x", "-in", "silicon.in"], tmp_path)
    match = re.search(r"^! +total energy += +(\S+) Ry", out, re.MULTILINE)
    assert match is not None
    assert match[1] == ENERGY_RY
    assert split_calls(report) >= 500
    assert {"Allreduce", "Bcast", "Alltoall"} <= {row.function for row in report.rows}


def test_lammps_prints_the_same_energies(
    needs: Callable[..., None], split: Split, plain: Callable[..., str], case: Path, tmp_path: Path
) -> None:
    needs("lmp", "mpirun")
    words = [*MPIRUN, "lmp", "-in", case / "lammps" / "melt.in", "-log", "none"]
    out, report = split(words, tmp_path)
    assert THERMO.findall(out) == THERMO.findall(plain(words, tmp_path))
    assert split_calls(report) >= 5
