# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Quantum ESPRESSO, a Fortran program: the total energy of silicon and its MPI time."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

# From this input, this package (6.7-2+b1) and two ranks without the recorder, Debian 12.
ENERGY_RY = "-15.85081793"

pytestmark = [pytest.mark.apps, pytest.mark.mpi, pytest.mark.timeout(900)]


@pytest.fixture
def pw(
    mpirun: list[object], needs: Callable[..., None], case: Path, tmp_path: Path
) -> list[object]:
    """The launch line of the silicon case, whose input lies in the folder of the test."""
    needs("pw.x")
    shutil.copy(case / "quantum_espresso" / "silicon.in", tmp_path)
    return [*mpirun, "pw.x", "-in", "silicon.in"]


def energy(out: str) -> str:
    """The converged total energy in Rydberg, as printed."""
    match = re.search(r"^! +total energy += +(\S+) Ry", out, re.MULTILINE)
    assert match is not None
    return match[1]


def test_the_energy_does_not_change(
    pw: list[object], recorded: Callable[..., Any], tmp_path: Path
) -> None:
    found = recorded(pw, tmp_path)
    assert energy(found.out) == ENERGY_RY
    snapshot = found.snapshot
    assert snapshot.status.state == "complete"
    assert snapshot.program == "pw.x"
    assert any(function.kind == "collective" for function in snapshot.functions)


def test_calls_of_a_fortran_program_have_its_names(
    pw: list[object], recorded: Callable[..., Any], tmp_path: Path
) -> None:
    found = recorded(pw, tmp_path)
    modules = {Path(site.module).name for site in found.snapshot.call_sites}
    assert "pw.x" in modules
    assert not any(name.startswith("libmpi") for name in modules)


def test_energy_without_the_recorder(
    pw: list[object], plain: Callable[..., str], tmp_path: Path
) -> None:
    assert energy(plain(pw, tmp_path)) == ENERGY_RY
