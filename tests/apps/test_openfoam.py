# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""OpenFOAM's icoFoam, which traps floating-point exceptions: the same fields to the last bit."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

TUTORIAL = Path("/usr/share/doc/openfoam-examples/examples/incompressible/icoFoam/cavity/cavity")
PROJECT = {"WM_PROJECT_DIR": "/usr/share/openfoam"}
FIELDS = ("U", "p", "phi")

pytestmark = [pytest.mark.apps, pytest.mark.mpi, pytest.mark.timeout(900)]


@pytest.fixture
def cavity(
    needs: Callable[..., None], plain: Callable[..., str], case: Path, tmp_path: Path
) -> Path:
    """The lid-driven cavity of the tutorials, decomposed for two ranks, binary output."""
    needs("icoFoam", "blockMesh", "decomposePar")
    if not TUTORIAL.is_dir():
        pytest.skip(f"{TUTORIAL} is missing (`make test-apps` installs it)")
    folder = tmp_path / "cavity"
    shutil.copytree(TUTORIAL, folder)
    shutil.copy(case / "openfoam" / "decomposeParDict", folder / "system")
    control = folder / "system" / "controlDict"
    text = re.sub(r"(?m)^writeFormat .*$", "writeFormat binary;", control.read_text())
    control.write_text(re.sub(r"(?m)^writeInterval .*$", "writeInterval 100;", text))
    for words in (["blockMesh"], ["decomposePar", "-force"]):
        plain(words, folder, **PROJECT)
    return folder


def fields(folder: Path) -> dict[str, bytes]:
    """The fields of the last time step on both ranks."""
    found = {
        f"{rank}/{name}": (folder / f"processor{rank}" / "0.5" / name).read_bytes()
        for rank in (0, 1)
        for name in FIELDS
    }
    assert all(found.values())
    return found


def residuals(out: str) -> list[str]:
    """What the solvers printed."""
    return re.findall(r"Initial residual = .*", out)


def test_fields_do_not_change(
    cavity: Path,
    mpirun: list[object],
    plain: Callable[..., str],
    recorded: Callable[..., Any],
    tmp_path: Path,
) -> None:
    copy = tmp_path / "plain"
    shutil.copytree(cavity, copy)
    solver = [*mpirun, "icoFoam", "-parallel"]
    out = plain(solver, copy, **PROJECT)
    found = recorded(solver, cavity, **PROJECT)
    assert fields(cavity) == fields(copy)
    assert len(residuals(out)) > 100
    assert residuals(found.out) == residuals(out)
    snapshot = found.snapshot
    assert snapshot.status.state == "complete"
    assert snapshot.program == "icoFoam"
    assert any(link.messages for link in snapshot.links)


def test_fields_do_not_change_with_endpoints(
    cavity: Path,
    mpirun: list[object],
    plain: Callable[..., str],
    split: Callable[..., Any],
    tmp_path: Path,
) -> None:
    """icoFoam's collectives are single numbers, which cannot be cut: all are passed on."""
    copy = tmp_path / "plain"
    shutil.copytree(cavity, copy)
    solver = [*mpirun, "icoFoam", "-parallel"]
    plain(solver, copy, **PROJECT)
    _, report = split(solver, cavity, **PROJECT)
    assert fields(cavity) == fields(copy)
    assert report.passed_on["Allreduce"].small > 100
    assert report.mpi_calls > report.passed_on["Allreduce"].small
