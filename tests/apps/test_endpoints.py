# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Real programs with their collectives split, each split result compared with the plain one."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from halocline.endpoints.report import REPORT, EndpointsReport
from halocline.errors import MissingEnvironmentError
from halocline.preload import Family, tool_library

MPIRUN = ("mpirun", "-n", "2", "--oversubscribe", "--quiet")
# From this input, this package (6.7-2+b1) and two ranks without any tool, Debian 12.
ENERGY_RY = "-15.85081793"
THERMO = re.compile(r"^ +\d+ +[-\d.]+ +[-\d.]+ .*$", re.MULTILINE)

pytestmark = [pytest.mark.mpi]

Split = Callable[..., tuple[str, EndpointsReport]]


@pytest.fixture
def split(plain: Callable[..., str], tmp_path: Path) -> Split:
    """Runs words with nearly everything split and verified; returns output and report."""
    try:
        tool_library("endpoints", Family.OPENMPI)
    except MissingEnvironmentError as error:
        pytest.skip(str(error))

    def run(words: list[object], folder: Path, **more: str) -> tuple[str, EndpointsReport]:
        file = tmp_path / "endpoints.json"
        options = ["--threads", "2", "--always", "--verify", "--report", file]
        options += ["--allreduce-threshold", "2", "--bcast-threshold", "16"]
        out = plain(
            [sys.executable, "-m", "halocline", "endpoints", *options, "--", *words], folder, **more
        )
        report = REPORT.read(file)
        assert report.active, json.dumps(report.why_inactive)
        assert not [row for row in report.rows if "differed" in row.decision]
        return out, report

    return run


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
